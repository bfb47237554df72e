//! A merchant's request for a list: which entries of which business.

use std::future::Future;

use checkout_domain::access::token::Caller;
use checkout_domain::ids::BusinessId;
use checkout_domain::page::Page;
use checkout_domain::ports::Stored;
use uuid::Uuid;

use crate::requests::fields::Fields;
use crate::service::App;
use crate::service::businesses::resolve_business;
use crate::service::refused::Refused;

pub struct ListRequest<F> {
    pub business: BusinessId,
    pub filter: F,
    pub page: Page,
    /// Whether the request sets the size of the page.
    pub is_limited: bool,
}

impl<F> ListRequest<F> {
    /// Reads the query. Its cursors must be ids of entries of the business, by `is_entry`; `entry` is one in words, such as
    /// `a payment`.
    pub async fn read<K: Future<Output = Stored<bool>>>(
        app: &App,
        caller: Caller,
        mut fields: Fields,
        read: impl FnOnce(&mut Fields) -> Option<(F, Page)>,
        entry: &str,
        is_entry: impl Fn(BusinessId, Uuid) -> K,
    ) -> Result<Self, Refused> {
        let business = resolve_business::find(app, caller, &mut fields).await?;
        let query = read(&mut fields);
        let (Some(business), Some((filter, page))) = (business, query) else {
            return Err(Refused::Invalid(fields.into_errors()));
        };
        for (name, cursor) in page.cursors() {
            if !is_entry(business.id, cursor).await? {
                fields.error(name, "unknown_cursor", format!("is not the id of {entry} of yours"));
            }
        }
        let fields = fields.valid()?;
        Ok(Self { business: business.id, filter, page, is_limited: fields.has("limit") })
    }
}
