//! Whitelisted addresses, interface section 2.5.

use checkout_core::{Currency, Pair};
use uuid::Uuid;

use crate::ids::BusinessId;

#[derive(Clone, Debug)]
pub struct WhitelistEntry {
    pub id: Uuid,
    pub business: BusinessId,
    pub client_address_id: String,
    pub pair: &'static Pair,
    /// In normal form.
    pub address: String,
    pub tag: Option<String>,
    pub label: Option<String>,
    pub created_at: u64,
}

/// The entries that `GET /whitelist-addresses` lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WhitelistFilter {
    pub id: Option<Uuid>,
    pub client_address_id: Option<String>,
    pub currency: Option<Currency>,
    pub label: Option<String>,
}
