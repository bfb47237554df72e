//! Businesses in the store.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::domain::business::Business;

#[async_trait]
pub trait BusinessStore: Send + Sync {
    async fn business(&self, id: Uuid) -> Stored<Option<Business>>;

    /// In order of creation.
    async fn businesses(&self) -> Stored<Vec<Business>>;

    /// The origins that the business of a payment allows.
    async fn allowed_origins(&self, payment: Uuid) -> Stored<Option<Vec<String>>>;
}

#[async_trait]
pub trait BusinessTx: Send {
    /// Locks the business: no other transaction changes it until the end of this one.
    async fn business(&mut self, id: Uuid) -> Stored<Option<Business>>;

    async fn put_business(&mut self, business: &Business) -> Stored<()>;

    /// Replaces the signing secret; the old one also signs until `until`. Returns false if the business does
    /// not exist.
    async fn rotate_secret(&mut self, business: Uuid, secret: &str, until: u64) -> Stored<bool>;
}
