//! Traits for everything that the gateway needs from outside. `storage`, `adapters` and other crates implement them.
//!
//! `Ok(None)` means "not found". Reads outside a [`Tx`] see committed data. Data that is to be changed is read inside a
//! [`Tx`].

pub mod broadcaster;
pub mod callbacks;
pub mod credentials;
pub mod ledger;
pub mod page;
pub mod payouts;
pub mod screening;
pub mod whitelist;

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use checkout_core::{Decimal, Network};
use tokio::sync::watch;
use uuid::Uuid;

use self::ledger::{LedgerStore, LedgerTx};
use self::payouts::{PayoutStore, PayoutTx};
use self::screening::FlaggedStore;
use self::whitelist::{WhitelistStore, WhitelistTx};
use crate::domain::access::session::Session;
use crate::domain::access::token::{Caller, TokenHash};
use crate::domain::business::Business;
use crate::domain::chain::{OutputId, Transfer};
use crate::domain::payment::deposit::Deposit;
use crate::domain::payment::{Payment, Record, Version};
use crate::domain::rates::asset::Asset;

/// The store is unreachable or failed. Nothing was changed, unless the connection broke during a commit.
#[derive(Debug)]
pub struct StoreError(pub Box<dyn std::error::Error + Send + Sync>);

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the store failed: {}", self.0)
    }
}

impl std::error::Error for StoreError {}

pub type Stored<T> = Result<T, StoreError>;

/// Durable state in SQLite or PostgreSQL. Several gateways may share a PostgreSQL database.
#[async_trait]
pub trait Store:
    Send
    + Sync
    + callbacks::Callbacks
    + credentials::Credentials
    + WhitelistStore
    + LedgerStore
    + PayoutStore
    + FlaggedStore
{
    /// Starts a transaction: all or nothing, and durable once committed.
    async fn begin(&self) -> Stored<Box<dyn Tx>>;

    /// Stores a new payment and its session durably, possibly in one commit with other payments. Returns false if the
    /// business already has a payment with the same `clientPaymentId`.
    async fn add_payment(&self, new: NewPayment) -> Stored<bool>;

    /// Returns the caller of a token that is not revoked at `now`. For a session, also returns the data that determines
    /// its end.
    async fn caller(&self, token: &TokenHash, now: u64) -> Stored<Option<(Caller, Option<Session>)>>;

    /// Same as [`caller`](Self::caller), plus the version of a payment, in one read. A session sees only the version of
    /// its own payment.
    async fn caller_and_version(
        &self,
        token: &TokenHash,
        now: u64,
        payment: Uuid,
    ) -> Stored<Option<(Caller, Option<Session>, Option<Version>)>>;

    async fn business(&self, id: Uuid) -> Stored<Option<Business>>;

    /// Returns all businesses in order of creation.
    async fn businesses(&self) -> Stored<Vec<Business>>;

    async fn payment(&self, id: Uuid) -> Stored<Option<Record>>;

    /// Returns the allowed origins of the business that owns a payment.
    async fn allowed_origins(&self, payment: Uuid) -> Stored<Option<Vec<String>>>;

    /// Returns a page of open payments whose window is over at `now`, ordered by end of window and id, starting after
    /// `after`.
    async fn overdue(&self, now: u64, after: Option<(u64, Uuid)>) -> Stored<Vec<(u64, Uuid)>>;

    async fn cursor(&self, network: Network) -> Stored<Option<String>>;

    async fn setting(&self, key: &str) -> Stored<Option<String>>;

    /// Checks that the store responds.
    async fn ping(&self) -> Stored<()>;
}

/// A payment that is not stored yet.
#[derive(Clone, Debug)]
pub struct NewPayment {
    pub payment: Payment,
    /// Hash of the request that creates the payment.
    pub request_hash: String,
    pub session: TokenHash,
}

impl NewPayment {
    /// Returns the key that is unique in a store.
    pub fn key(&self) -> (Uuid, &str) {
        (self.payment.business, &self.payment.client_payment_id)
    }
}

/// A transaction in progress. Dropping it rolls it back.
///
/// What a method reads does not change until the transaction ends: SQLite has a single writer, PostgreSQL locks rows.
/// Another transaction may still add what is missing; the insert then reports it.
#[async_trait]
pub trait Tx:
    Send + callbacks::Outbox + credentials::CredentialTx + WhitelistTx + LedgerTx + PayoutTx
{
    async fn commit(self: Box<Self>) -> Stored<()>;

    /// Locks payments and the balances of their businesses, in an order that prevents deadlocks. For changes to several
    /// payments; reading a single payment locks it.
    async fn hold(&mut self, payments: &[Uuid]) -> Stored<()>;

    async fn put_business(&mut self, business: &Business) -> Stored<()>;

    /// Adds a token. A known token that was revoked becomes valid again.
    async fn put_credential(&mut self, token: &TokenHash, caller: Caller, now: u64) -> Stored<()>;

    async fn put_setting(&mut self, key: &str, value: &str) -> Stored<()>;

    /// Sets `key` if it has no value. Returns the stored value.
    async fn settle_setting(&mut self, key: &str, value: &str) -> Stored<String>;

    /// Returns the payment with a merchant's own id, and the hash of the request that created it.
    async fn payment_by_client_id(&mut self, business: Uuid, id: &str) -> Stored<Option<(Uuid, String)>>;

    /// Adds a payment. Returns false if the business already has a payment with the same `clientPaymentId`.
    async fn insert_payment(&mut self, payment: &Payment, request_hash: &str) -> Stored<bool>;

    async fn payment(&mut self, id: Uuid) -> Stored<Option<Record>>;

    /// Updates the mutable fields of a payment: quote, status and display currency.
    async fn update_payment(&mut self, payment: &Payment) -> Stored<()>;

    async fn insert_deposit(&mut self, payment: Uuid, deposit: &Deposit) -> Stored<()>;

    /// Updates the mutable fields of a deposit: its state and its screening.
    async fn update_deposit(&mut self, deposit: &Deposit) -> Stored<()>;

    async fn payment_of_output(&mut self, output: &OutputId) -> Stored<Option<Uuid>>;

    /// Returns the payment to which an address and tag were assigned, on the first of these networks that has one.
    async fn payment_of_address(
        &mut self,
        networks: &[Network],
        address: &str,
        tag: Option<&str>,
    ) -> Stored<Option<Uuid>>;

    /// Returns the address and tag of a payment on a network.
    async fn address_of(
        &mut self,
        payment: Uuid,
        network: Network,
    ) -> Stored<Option<(String, Option<String>)>>;

    /// Returns the next unused derivation index of the networks that share accounts with this one. Every index is
    /// returned once.
    async fn next_index(&mut self, network: Network) -> Stored<u32>;

    /// Assigns an address to a payment. Returns false if the address is already assigned.
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

    /// Adds a session token for a payment.
    async fn put_session(&mut self, token: &TokenHash, payment: Uuid, now: u64) -> Stored<()>;
}

/// The gateway's clock.
pub trait Clock: Send + Sync {
    /// Milliseconds since the UNIX epoch.
    fn now_millis(&self) -> u64;

    /// Seconds since the UNIX epoch.
    fn now(&self) -> u64 {
        self.now_millis() / 1000
    }
}

/// No rate is fresh enough for a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRate;

/// Health of a feed of exchange rates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedHealth {
    /// Number of failed fetches.
    pub failures: u64,
    /// Time since the last valid response.
    pub age: Option<Duration>,
}

/// Exchange rates. A feed caches what it fetched, so a lookup never blocks.
#[async_trait]
pub trait Rates: Send + Sync {
    /// Returns the price of one whole `from` in `to`, with at most 8 decimal places.
    fn rate(&self, from: Asset, to: Asset) -> Result<Decimal, NoRate>;

    /// Returns `None` if there is no feed.
    fn feed(&self) -> Option<FeedHealth> {
        None
    }

    /// Fetches rates repeatedly until stopped.
    async fn keep_fresh(&self, _stopped: watch::Receiver<bool>) {}
}

/// The changes on a chain since a cursor.
#[derive(Debug)]
pub struct Changes {
    /// In order. A transfer is reported again whenever its state changes.
    pub transfers: Vec<Transfer>,
    /// The position after these changes; opaque except to the chain's adapter.
    pub cursor: String,
    /// More changes are available after the cursor.
    pub more: bool,
}

/// The chain could not be read.
#[derive(Debug)]
pub struct ChainError(pub Box<dyn std::error::Error + Send + Sync>);

impl fmt::Display for ChainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the chain failed: {}", self.0)
    }
}

impl std::error::Error for ChainError {}

impl From<StoreError> for ChainError {
    fn from(error: StoreError) -> Self {
        Self(error.0)
    }
}

/// Read access to one network: a node, or the simulated chain of the sandbox.
///
/// The chain decides when a transfer is confirmed. Reading twice from the same cursor returns at least the same
/// changes, so a crash between reading and storing loses nothing.
#[async_trait]
pub trait Chain: Send + Sync {
    fn network(&self) -> Network;

    /// Returns the changes since `cursor`; `None` starts at the beginning.
    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError>;

    /// Returns the number of blocks of the best chain at or above the block of an output; 0 if no block contains it.
    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError>;
}

/// Derives deposit addresses from public keys.
pub trait Addresses: Send + Sync {
    /// Returns the address at a derivation index, in the normal form; `None` if the network has no key.
    ///
    /// Networks with tags have one account for all indexes.
    fn address(&self, network: Network, index: u32) -> Option<String>;
}

/// Unpredictable random bytes.
pub trait Random: Send + Sync {
    fn fill(&self, bytes: &mut [u8]);
}
