//! The stored ledger.

use async_trait::async_trait;
use checkout_core::Network;
use uuid::Uuid;

use super::Stored;
use crate::ids::BusinessId;
use crate::ledger::cause::Cause;
use crate::ledger::filter::LedgerFilter;
use crate::ledger::money::Money;
use crate::ledger::settlement::Depth;
use crate::ledger::{Account, Entry};
use crate::page::Page;
use crate::payment::pending::{CreditedDeposit, Pending};
use crate::rates::asset::Asset;

/// An entry with the merchant's ids of what it belongs to.
#[derive(Clone, Debug)]
pub struct ListedEntry {
    pub entry: Entry,
    pub cause: Cause,
    /// It takes the entry of that cause back.
    pub is_reversal: bool,
    pub client_payment_id: Option<String>,
    pub client_withdrawal_id: Option<String>,
}

#[async_trait]
pub trait LedgerStore: Send + Sync {
    /// The balances of a business, by asset and account.
    async fn balances(&self, business: BusinessId) -> Stored<Vec<(Account, Money)>>;

    /// The same, and what of them is not final, both of one moment.
    async fn balances_and_pending(&self, business: BusinessId) -> Stored<(Vec<(Account, Money)>, Pending)>;

    /// The credited deposits of a network that are not final and due when its chain has this height, the first due first.
    async fn pending_on(&self, network: Network, height: u64, most: u32) -> Stored<Vec<CreditedDeposit>>;

    async fn entries(
        &self,
        business: BusinessId,
        filter: &LedgerFilter,
        page: &Page,
    ) -> Stored<Vec<ListedEntry>>;

    async fn is_entry_of(&self, business: BusinessId, entry: Uuid) -> Stored<bool>;
}

#[async_trait]
pub trait LedgerTx: Send {
    /// Adds an entry and updates the balances; returns false if its cause is known, and then changes nothing.
    ///
    /// # Panics
    /// Panics if the accounts of an asset do not sum to zero afterwards.
    async fn post(&mut self, entry: &Entry) -> Stored<bool>;

    /// The same with several entries of one business, of different causes.
    async fn post_all(&mut self, entries: &[Entry]) -> Stored<()>;

    /// The entry of a cause.
    async fn entry(&mut self, cause: &str) -> Stored<Option<Entry>>;

    /// The balance of an account, locked until the end of the transaction.
    async fn balance(&mut self, business: BusinessId, account: Account, asset: Asset) -> Stored<Money>;

    /// What of the balances of a business is not final.
    async fn pending(&mut self, business: BusinessId) -> Stored<Pending>;

    /// Of a deposit that is not final; false if it is, or is not booked any more.
    async fn put_depth(&mut self, deposit: Uuid, depth: Depth) -> Stored<bool>;
}
