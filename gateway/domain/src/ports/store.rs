//! The database as a whole. Each subject has its own ports; [`Store`] and [`Tx`] only combine them, because
//! one change can span several subjects (a deposit, the ledger and its callback) and must be one transaction.
//! Code that needs a single subject takes that port: `&dyn Store` is a `&dyn SettingStore`, `&mut dyn Tx` a
//! `&mut dyn CallbackTx`.

use crate::ids::PaymentId;
use std::fmt;

use async_trait::async_trait;
use uuid::Uuid;

use super::businesses::{BusinessStore, BusinessTx};
use super::callbacks::{CallbackStore, CallbackTx};
use super::credentials::{CredentialStore, CredentialTx};
use super::ledger::{LedgerStore, LedgerTx};
use super::mail::{MailStore, MailTx};
use super::notices::{NoticeStore, NoticeTx};
use super::operators::{OperatorStore, OperatorTx};
use super::payments::{PaymentStore, PaymentTx};
use super::payouts::{PayoutStore, PayoutTx};
use super::refunds::RefundStore;
use super::sales::{CounterStore, CounterTx, SaleStore, SaleTx};
use super::screening::FlaggedStore;
use super::set_aside::{SetAsideStore, SetAsideTx};
use super::settings::{SettingStore, SettingTx};
use super::transfers::{TransferStore, TransferTx};
use super::untagged::{UntaggedStore, UntaggedTx};
use super::valuations::{ValuationStore, ValuationTx};
use super::wallets::{WalletStore, WalletTx};
use super::watched_addresses::{AddressTx, WatchedAddresses};
use super::whitelist::{WhitelistStore, WhitelistTx};
use super::withdrawal_rules::{WithdrawalRuleStore, WithdrawalRuleTx};

/// The store is unavailable or failed. Nothing was changed, unless the outcome [is
/// unknown](Self::is_unknown).
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

    /// Either the whole change was stored, or nothing.
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

/// The durable state, in SQLite or PostgreSQL. Several gateways may share a PostgreSQL database.
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
    + RefundStore
    + WithdrawalRuleStore
    + FlaggedStore
    + UntaggedStore
    + SetAsideStore
    + OperatorStore
    + WatchedAddresses
    + ValuationStore
    + WalletStore
    + MailStore
    + NoticeStore
    + SaleStore
    + CounterStore
{
    /// Starts a transaction: atomic, and durable once committed.
    async fn begin(&self) -> Stored<Box<dyn Tx>>;

    /// Whether all others who write wait for a transaction.
    fn has_one_writer(&self) -> bool;

    /// The highest id among rows that are listed by id.
    async fn newest_id(&self) -> Stored<Option<Uuid>>;

    /// Checks that the store answers.
    async fn ping(&self) -> Stored<()>;
}

/// A transaction in progress. Dropping it rolls it back.
///
/// Rows that a method reads stay unchanged until the end: SQLite has one writer at a time, PostgreSQL locks
/// the rows. Another transaction may still insert a missing row; then the insert reports that.
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
    + WithdrawalRuleTx
    + UntaggedTx
    + SetAsideTx
    + OperatorTx
    + ValuationTx
    + WalletTx
    + MailTx
    + NoticeTx
    + SaleTx
    + CounterTx
{
    /// An error [shows](StoreError::is_unknown) whether the change may have been stored.
    async fn commit(self: Box<Self>) -> Stored<()>;

    /// Locks payments and the balances of their businesses, in an order that prevents deadlocks. For
    /// transactions with several payments; reading a single payment locks it.
    async fn lock(&mut self, payments: &[PaymentId]) -> Stored<()>;

    /// From now on, changes of payments, deposits, settlements, ledger and callbacks are collected, and stored with few
    /// statements before the next read and at the commit. An error may come then.
    fn collect(&mut self);
}
