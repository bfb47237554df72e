//! The ledger in the store.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::domain::ledger::money::Money;
use crate::domain::ledger::{Account, Entry};
use crate::domain::rates::asset::Asset;

#[async_trait]
pub trait LedgerStore: Send + Sync {
    /// Returns the balances of a business, by asset and account.
    async fn balances(&self, business: Uuid) -> Stored<Vec<(Account, Money)>>;
}

#[async_trait]
pub trait LedgerTx: Send {
    /// Adds an entry and updates the balances. Returns false and changes nothing if the cause is known.
    ///
    /// # Panics
    /// If the accounts of an asset do not sum to zero afterwards.
    async fn post(&mut self, entry: &Entry) -> Stored<bool>;

    /// Returns the entry with a cause.
    async fn entry(&mut self, cause: &str) -> Stored<Option<Entry>>;

    /// Returns the balance of an account, which does not change until the end of the transaction.
    async fn balance(&mut self, business: Uuid, account: Account, asset: Asset) -> Stored<Money>;
}
