//! The database as a whole. Its subjects are ports of their own; [`Store`] and [`Tx`] only join them, because one change
//! spans several subjects (a deposit, the ledger and its callback) and must be one transaction. What needs a single subject
//! takes that port: `&dyn Store` is a `&dyn SettingStore`, `&mut dyn Tx` a `&mut dyn CallbackTx`.

use std::fmt;

use async_trait::async_trait;
use uuid::Uuid;

use super::businesses::{BusinessStore, BusinessTx};
use super::callbacks::{CallbackStore, CallbackTx};
use super::credentials::{CredentialStore, CredentialTx};
use super::ledger::{LedgerStore, LedgerTx};
use super::payments::{PaymentStore, PaymentTx};
use super::payouts::{PayoutStore, PayoutTx};
use super::screening::FlaggedStore;
use super::settings::{SettingStore, SettingTx};
use super::transfers::{TransferStore, TransferTx};
use super::watched_addresses::AddressTx;
use super::whitelist::{WhitelistStore, WhitelistTx};

/// The store cannot be reached or refuses to work. Nothing was changed, unless the outcome [is unknown](Self::is_unknown).
#[derive(Debug)]
pub struct StoreError(pub Box<dyn std::error::Error + Send + Sync>);

/// Why the answer to a commit was lost.
#[derive(Debug)]
struct LostAnswer(Box<dyn std::error::Error + Send + Sync>);

impl fmt::Display for LostAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the outcome of a commit is unknown: {}", self.0)
    }
}

impl std::error::Error for LostAnswer {}

impl StoreError {
    /// The answer to a commit was lost.
    pub fn unknown(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(Box::new(LostAnswer(error.into())))
    }

    /// All of the change was stored, or nothing of it.
    pub fn is_unknown(&self) -> bool {
        self.0.is::<LostAnswer>()
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the store failed: {}", self.0)
    }
}

impl std::error::Error for StoreError {}

pub type Stored<T> = Result<T, StoreError>;

/// The durable state, in SQLite or in PostgreSQL, where several gateways may share it.
#[async_trait]
pub trait Store:
    PaymentStore
    + TransferStore
    + BusinessStore
    + CredentialStore
    + SettingStore
    + CallbackStore
    + WhitelistStore
    + LedgerStore
    + PayoutStore
    + FlaggedStore
{
    /// Starts the one kind of change there is: all or nothing, durable once committed.
    async fn begin(&self) -> Stored<Box<dyn Tx>>;

    /// The highest id of a row that is listed by its id.
    async fn newest_id(&self) -> Stored<Option<Uuid>>;

    /// The store answers.
    async fn ping(&self) -> Stored<()>;
}

/// A change in progress. Dropping it changes nothing.
///
/// What a method reads stays as read until the end: SQLite has one writer at a time, PostgreSQL locks rows. What is not
/// there may still be added by another change: then the insert says so.
#[async_trait]
pub trait Tx:
    PaymentTx
    + AddressTx
    + TransferTx
    + BusinessTx
    + CredentialTx
    + SettingTx
    + CallbackTx
    + WhitelistTx
    + LedgerTx
    + PayoutTx
{
    /// An error [says](StoreError::is_unknown) whether the change may have been stored.
    async fn commit(self: Box<Self>) -> Stored<()>;

    /// Takes payments and the balances of their businesses for this change, in an order in which no two changes wait for
    /// each other. For changes that are about several payments; a single one is taken by reading it.
    async fn lock(&mut self, payments: &[Uuid]) -> Stored<()>;
}
