//! Whitelisted addresses, interface section 2.5, and the query for a page of them.

use checkout_core::{Currency, Pair};
use uuid::Uuid;

#[derive(Clone, Debug)]
pub struct Entry {
    pub id: Uuid,
    pub business: Uuid,
    pub client_address_id: String,
    pub pair: &'static Pair,
    /// In normal form.
    pub address: String,
    pub tag: Option<String>,
    pub label: Option<String>,
    pub created_at: u64,
}

/// A valid query of `GET /whitelist-addresses`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    pub id: Option<Uuid>,
    pub client_address_id: Option<String>,
    pub currency: Option<Currency>,
    pub label: Option<String>,
    /// Only entries after this one in the order of the list.
    pub after: Option<Uuid>,
    /// Only entries before this one in the order of the list: the nearest ones, unless `after` is given.
    pub before: Option<Uuid>,
    /// Newest first.
    pub descending: bool,
    pub limit: u32,
}
