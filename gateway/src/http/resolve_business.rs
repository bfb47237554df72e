//! The business of a request: the token's, or the one selected by an organisation key.

use checkout_domain::access::token::Caller;
use checkout_domain::business::Business;
use checkout_domain::ids::BusinessId;

use super::problem::Refusal;
use crate::http::requests::fields::Fields;
use crate::http::requests::page;
use crate::service::App;
use crate::service::refused::Refused;

/// The business, and what the request asks of it.
pub(super) async fn read<R>(
    app: &App,
    caller: Caller,
    mut fields: Fields,
    read: impl FnOnce(&mut Fields) -> Option<R>,
) -> Result<(Business, R), Refusal> {
    let business = find(app, caller, &mut fields).await?;
    asked(fields, business, read)
}

/// The same for what a disabled business must not do.
pub(super) async fn enabled<R>(
    app: &App,
    caller: Caller,
    mut fields: Fields,
    read: impl FnOnce(&mut Fields) -> Option<R>,
) -> Result<(Business, R), Refusal> {
    match find(app, caller, &mut fields).await? {
        Some(business) if business.disabled => Err(Refused::Disabled.into()),
        business => asked(fields, business, read),
    }
}

fn asked<R>(
    fields: Fields,
    business: Option<Business>,
    read: impl FnOnce(&mut Fields) -> Option<R>,
) -> Result<(Business, R), Refusal> {
    let all = |fields: &mut Fields| {
        let asked = read(fields);
        business.zip(asked)
    };
    fields.read(all).map_err(Refusal::invalid)
}

/// The business that `businessId` and the token agree on; records an error and returns `None` otherwise.
pub(super) async fn find(
    app: &App,
    caller: Caller,
    fields: &mut Fields,
) -> Result<Option<Business>, Refusal> {
    let id = match caller {
        Caller::Session { .. } => return Err(Refusal::no_route()),
        Caller::Organisation => {
            fields.require("businessId");
            page::uuid(fields, "businessId").map(BusinessId)
        }
        Caller::Business(own) => {
            let named = page::uuid(fields, "businessId").map(BusinessId);
            if named.is_some_and(|named| named != own) {
                unknown(fields);
            }
            Some(own)
        }
    };
    let business = match id {
        Some(id) => app.store.business(id).await?,
        None => None,
    };
    if business.is_none() && fields.is_valid() {
        unknown(fields);
    }
    Ok(business)
}

fn unknown(fields: &mut Fields) {
    fields.error("businessId", "unknown_business", "is not a business of yours");
}
