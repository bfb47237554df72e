//! The durable state as a whole: what is read, and changes, each all or nothing. The subjects have files of their own.

use std::fmt;

use async_trait::async_trait;
use checkout_core::{Currency, Network};
use uuid::Uuid;

use super::callbacks::{Callbacks, Outbox};
use super::credentials::{CredentialTx, Credentials};
use super::ledger::{LedgerStore, LedgerTx};
use super::payouts::{PayoutStore, PayoutTx};
use super::screening::FlaggedStore;
use super::whitelist::{WhitelistStore, WhitelistTx};
use crate::domain::access::session::Session;
use crate::domain::access::token::{Caller, TokenHash};
use crate::domain::business::Business;
use crate::domain::chain::Transfer;
use crate::domain::payment::deposit::Deposit;
use crate::domain::payment::dust::DustSum;
use crate::domain::payment::{Payment, PaymentWithDeposits, Quote, Version};

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
    Send + Sync + Callbacks + Credentials + WhitelistStore + LedgerStore + PayoutStore + FlaggedStore
{
    /// Starts the one kind of change there is: all or nothing, durable once committed.
    async fn begin(&self) -> Stored<Box<dyn Tx>>;

    /// Stores a new payment and its session for good, perhaps in one commit with those of others; false when the business
    /// has a payment under the same `clientPaymentId`.
    async fn add_payment(&self, new: NewPayment) -> Stored<bool>;

    /// The caller of a token that has not been revoked by `now`; for a session, also what its end follows from.
    async fn caller(&self, token: &TokenHash, now: u64) -> Stored<Option<(Caller, Option<Session>)>>;

    /// The same, with the version of a payment, in one read. A session sees no version but that of its own payment.
    async fn caller_and_version(
        &self,
        token: &TokenHash,
        now: u64,
        payment: Uuid,
    ) -> Stored<Option<(Caller, Option<Session>, Option<Version>)>>;

    async fn business(&self, id: Uuid) -> Stored<Option<Business>>;

    /// In the order of creation.
    async fn businesses(&self) -> Stored<Vec<Business>>;

    async fn payment(&self, id: Uuid) -> Stored<Option<PaymentWithDeposits>>;

    /// The origins that the business of a payment allows.
    async fn allowed_origins(&self, payment: Uuid) -> Stored<Option<Vec<String>>>;

    /// Open payments whose window is over at `now`, a page at a time: by end of window and id, after `after`.
    async fn overdue(&self, now: u64, after: Option<(u64, Uuid)>) -> Stored<Vec<(u64, Uuid)>>;

    async fn cursor(&self, network: Network) -> Stored<Option<String>>;

    /// Whose each of these transfers of one network is.
    async fn owners(&self, transfers: &[Transfer]) -> Stored<Vec<Option<Owner>>>;

    /// What is known of the dust of a payment, by network and currency.
    async fn dust(&self, payment: Uuid) -> Stored<Vec<(Network, Currency, DustSum)>>;

    async fn setting(&self, key: &str) -> Stored<Option<String>>;

    /// The highest id of a row that is listed by its id.
    async fn newest_id(&self) -> Stored<Option<Uuid>>;

    /// The store answers.
    async fn ping(&self) -> Stored<()>;
}

/// The payment of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    pub payment: Uuid,
    /// It is no deposit yet: the address, with its tag, was given to the payment on this network or on one that shares
    /// its accounts.
    pub is_new: bool,
}

/// A payment that nobody was told of yet.
#[derive(Clone, Debug)]
pub struct NewPayment {
    pub payment: Payment,
    /// Of the request that asked for it.
    pub request_hash: String,
    pub session: TokenHash,
}

impl NewPayment {
    /// What is unique in a store.
    pub fn key(&self) -> (Uuid, &str) {
        (self.payment.business, &self.payment.client_payment_id)
    }
}

/// A change in progress. Dropping it changes nothing.
///
/// What a method reads stays as read until the end: SQLite has one writer at a time, PostgreSQL locks rows. What is not
/// there may still be added by another change: then the insert says so.
#[async_trait]
pub trait Tx: Send + Outbox + CredentialTx + WhitelistTx + LedgerTx + PayoutTx {
    /// An error [says](StoreError::is_unknown) whether the change may have been stored.
    async fn commit(self: Box<Self>) -> Stored<()>;

    /// Takes payments and the balances of their businesses for this change, in an order in which no two changes wait for
    /// each other. For changes that are about several payments; a single one is taken by reading it.
    async fn lock(&mut self, payments: &[Uuid]) -> Stored<()>;

    /// Read to be changed: nobody else changes it before the end.
    async fn business(&mut self, id: Uuid) -> Stored<Option<Business>>;

    async fn put_business(&mut self, business: &Business) -> Stored<()>;

    /// Adds a token; one that is known and was ended is in force again.
    async fn put_credential(&mut self, token: &TokenHash, caller: Caller, now: u64) -> Stored<()>;

    async fn put_setting(&mut self, key: &str, value: &str) -> Stored<()>;

    /// Sets `key` unless it is set; the value that stands.
    async fn put_setting_if_absent(&mut self, key: &str, value: &str) -> Stored<String>;

    /// The payment and the request hash under a merchant's own id.
    async fn payment_by_client_id(&mut self, business: Uuid, id: &str) -> Stored<Option<(Uuid, String)>>;

    /// Adds a payment; false when the business has one under the same `clientPaymentId`.
    async fn insert_payment(&mut self, payment: &Payment, request_hash: &str) -> Stored<bool>;

    async fn payment(&mut self, id: Uuid) -> Stored<Option<PaymentWithDeposits>>;

    /// Writes what can change of a payment: quote, status, display currency.
    async fn update_payment(&mut self, payment: &Payment) -> Stored<()>;

    /// Adds a quote at its place among those of a payment.
    async fn insert_quote(&mut self, payment: Uuid, place: usize, quote: &Quote) -> Stored<()>;

    async fn insert_deposit(&mut self, payment: Uuid, deposit: &Deposit) -> Stored<()>;

    /// Writes what can change of a deposit: its state, and what the screening came to.
    async fn update_deposit(&mut self, deposit: &Deposit) -> Stored<()>;

    /// Whose each of these transfers of one network is.
    async fn owners(&mut self, transfers: &[Transfer]) -> Stored<Vec<Option<Owner>>>;

    /// Adds to the dust that a payment received.
    async fn add_dust(
        &mut self,
        payment: Uuid,
        network: Network,
        currency: Currency,
        more: &DustSum,
    ) -> Stored<()>;

    /// The address and tag that a payment has on a network.
    async fn address_of(
        &mut self,
        payment: Uuid,
        network: Network,
    ) -> Stored<Option<(String, Option<String>)>>;

    /// The next unused derivation index of the networks that share accounts with this one; every number
    /// is given once.
    async fn next_index(&mut self, network: Network) -> Stored<u32>;

    /// Gives an address to a payment; false when it is another's.
    async fn insert_address(
        &mut self,
        payment: Uuid,
        network: Network,
        address: &str,
        tag: Option<&str>,
        now: u64,
    ) -> Stored<bool>;

    async fn cursor(&mut self, network: Network) -> Stored<Option<String>>;

    async fn put_cursor(&mut self, network: Network, cursor: &str) -> Stored<()>;

    /// Adds a session token of a payment.
    async fn put_session(&mut self, token: &TokenHash, payment: Uuid, now: u64) -> Stored<()>;
}
