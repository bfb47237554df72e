//! The ledger in the store.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::domain::ledger::money::Money;
use crate::domain::ledger::{Account, Entry};
use crate::domain::rates::asset::Asset;

#[async_trait]
pub trait LedgerStore: Send + Sync {
    /// What the accounts of a business hold, by asset and account.
    async fn balances(&self, business: Uuid) -> Stored<Vec<(Account, Money)>>;
}

#[async_trait]
pub trait LedgerTx: Send {
    /// Adds an entry and moves the balances; false when its cause is known, and then nothing changed.
    ///
    /// # Panics
    /// When the accounts of an asset do not add up to zero afterwards.
    async fn post(&mut self, entry: &Entry) -> Stored<bool>;

    /// The entry of a cause.
    async fn entry(&mut self, cause: &str) -> Stored<Option<Entry>>;

    /// What an account holds; it stays so until the end of the change.
    async fn balance(&mut self, business: Uuid, account: Account, asset: Asset) -> Stored<Money>;
}
