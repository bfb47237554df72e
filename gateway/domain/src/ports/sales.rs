//! Sale links and counters in the store, and the payments that were made by them.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::access::token::TokenHash;
use crate::ids::{BusinessId, PaymentId};
use crate::page::Page;
use crate::sale::counter::Counter;
use crate::sale::slug::Slug;
use crate::sale::{SaleLink, Taken};

/// A link, and what is taken of it.
pub type CountedLink = (SaleLink, Taken);

/// Sales are counted at `now`: what is not paid counts until the end of its window, or until the gateway stored that it expired
/// if a deposit was seen.
#[async_trait]
pub trait SaleStore: Send + Sync {
    /// A page of the links of a business, by id.
    async fn sale_links(&self, business: BusinessId, page: &Page, now: u64) -> Stored<Vec<CountedLink>>;

    async fn sale_link(&self, id: Uuid, now: u64) -> Stored<Option<CountedLink>>;

    /// Nothing is counted if there is no limit.
    async fn sale_link_by_slug(&self, slug: &Slug, now: u64) -> Stored<Option<CountedLink>>;
}

#[async_trait]
pub trait SaleTx: Send {
    /// Adds a link; returns false if the business has one with the same `clientLinkId`, or any business one with the same slug.
    async fn insert_sale_link(&mut self, link: &SaleLink, request_hash: &str) -> Stored<bool>;

    /// The link and the request hash for a merchant's own id.
    async fn sale_link_by_client_id(
        &mut self,
        business: BusinessId,
        client_link_id: &str,
    ) -> Stored<Option<(SaleLink, String)>>;

    /// A link and what is taken of it, if there is a limit. Until the end of the transaction nobody else sells by it or changes it.
    async fn sale_link_to_sell(&mut self, id: Uuid, now: u64) -> Stored<Option<CountedLink>>;

    /// The link that made a payment whose first window is over, as if it was to sell: asked before the payment is read.
    async fn sale_link_of(&mut self, payment: PaymentId, now: u64) -> Stored<Option<CountedLink>>;

    /// Stores when a link was withdrawn.
    async fn update_sale_link(&mut self, link: &SaleLink) -> Stored<()>;

    /// A payment was made by a link.
    async fn insert_sale(&mut self, link: Uuid, payment: PaymentId) -> Stored<()>;
}

#[async_trait]
pub trait CounterStore: Send + Sync {
    /// A page of the counters of a business, by id.
    async fn counters(&self, business: BusinessId, page: &Page) -> Stored<Vec<Counter>>;

    async fn counter(&self, id: Uuid) -> Stored<Option<Counter>>;

    /// Also one that is withdrawn.
    async fn counter_by_secret(&self, secret: &TokenHash) -> Stored<Option<Counter>>;

    /// Whether the payment was made at the counter.
    async fn is_counter_sale(&self, counter: Uuid, payment: PaymentId) -> Stored<bool>;
}

#[async_trait]
pub trait CounterTx: Send {
    async fn insert_counter(&mut self, counter: &Counter) -> Stored<()>;

    /// Until the end of the transaction nobody else sells at the counter or changes it.
    async fn counter_to_sell(&mut self, id: Uuid) -> Stored<Option<Counter>>;

    /// Stores when a counter was withdrawn.
    async fn update_counter(&mut self, counter: &Counter) -> Stored<()>;

    /// A payment was made at a counter.
    async fn insert_counter_sale(&mut self, counter: Uuid, payment: PaymentId) -> Stored<()>;
}
