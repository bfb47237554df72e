//! Businesses in the store.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::domain::business::Business;

#[async_trait]
pub trait BusinessStore: Send + Sync {
    async fn business(&self, id: Uuid) -> Stored<Option<Business>>;

    /// In the order of creation.
    async fn businesses(&self) -> Stored<Vec<Business>>;

    /// The origins that the business of a payment allows.
    async fn allowed_origins(&self, payment: Uuid) -> Stored<Option<Vec<String>>>;
}

#[async_trait]
pub trait BusinessTx: Send {
    /// Read to be changed: nobody else changes it before the end.
    async fn business(&mut self, id: Uuid) -> Stored<Option<Business>>;

    async fn put_business(&mut self, business: &Business) -> Stored<()>;

    /// Puts a new signing secret in the place of the old one, which signs beside it until `until`; false
    /// when there is no such business.
    async fn rotate_secret(&mut self, business: Uuid, secret: &str, until: u64) -> Stored<bool>;
}
