//! Whitelisted addresses in the store.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::ids::BusinessId;
use crate::page::Page;
use crate::withdrawal::whitelist::{WhitelistEntry, WhitelistFilter};

#[async_trait]
pub trait WhitelistStore: Send + Sync {
    /// A page of a business's addresses, by id.
    async fn whitelisted(
        &self,
        business: BusinessId,
        filter: &WhitelistFilter,
        page: &Page,
    ) -> Stored<Vec<WhitelistEntry>>;

    /// Whether the business has an address with this id.
    async fn is_whitelisted(&self, business: BusinessId, id: Uuid) -> Stored<bool>;
}

#[async_trait]
pub trait WhitelistTx: Send {
    /// The entry and the request hash for a merchant's own id.
    async fn whitelisted_by_client_id(
        &mut self,
        business: BusinessId,
        client_address_id: &str,
    ) -> Stored<Option<(WhitelistEntry, String)>>;

    /// Adds an entry; returns false if the business has one with the same `clientAddressId`.
    async fn insert_whitelisted(&mut self, entry: &WhitelistEntry, request_hash: &str) -> Stored<bool>;
}
