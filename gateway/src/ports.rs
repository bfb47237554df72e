//! What the gateway needs from the world, as traits: each has one file per implementation in `adapters`.
//!
//! "Not found" is `Ok(None)`. Reads see committed data; what is read to be changed is read inside a [`Tx`].

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
use crate::domain::chain::source::{Check, Tip};
use crate::domain::chain::{OutputId, Transfer};
use crate::domain::payment::deposit::Deposit;
use crate::domain::payment::{Payment, Quote, Record, Version};
use crate::domain::rates::asset::Asset;

/// The store cannot be reached or refuses to work. Nothing was changed.
#[derive(Debug)]
pub struct StoreError(pub Box<dyn std::error::Error + Send + Sync>);

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
    Send
    + Sync
    + callbacks::Callbacks
    + credentials::Credentials
    + WhitelistStore
    + LedgerStore
    + PayoutStore
    + FlaggedStore
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

    async fn payment(&self, id: Uuid) -> Stored<Option<Record>>;

    /// The origins that the business of a payment allows.
    async fn allowed_origins(&self, payment: Uuid) -> Stored<Option<Vec<String>>>;

    /// Open payments whose window is over at `now`, a page at a time: by end of window and id, after `after`.
    async fn overdue(&self, now: u64, after: Option<(u64, Uuid)>) -> Stored<Vec<(u64, Uuid)>>;

    async fn cursor(&self, network: Network) -> Stored<Option<String>>;

    async fn setting(&self, key: &str) -> Stored<Option<String>>;

    /// The store answers.
    async fn ping(&self) -> Stored<()>;
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
pub trait Tx:
    Send + callbacks::Outbox + credentials::CredentialTx + WhitelistTx + LedgerTx + PayoutTx
{
    async fn commit(self: Box<Self>) -> Stored<()>;

    /// Takes payments and the balances of their businesses for this change, in an order in which no two changes wait for
    /// each other. For changes that are about several payments; a single one is taken by reading it.
    async fn hold(&mut self, payments: &[Uuid]) -> Stored<()>;

    async fn put_business(&mut self, business: &Business) -> Stored<()>;

    /// Adds a token; one that is known and was ended is in force again.
    async fn put_credential(&mut self, token: &TokenHash, caller: Caller, now: u64) -> Stored<()>;

    async fn put_setting(&mut self, key: &str, value: &str) -> Stored<()>;

    /// Sets `key` unless it is set; the value that stands.
    async fn settle_setting(&mut self, key: &str, value: &str) -> Stored<String>;

    /// The payment and the request hash under a merchant's own id.
    async fn payment_by_client_id(&mut self, business: Uuid, id: &str) -> Stored<Option<(Uuid, String)>>;

    /// Adds a payment; false when the business has one under the same `clientPaymentId`.
    async fn insert_payment(&mut self, payment: &Payment, request_hash: &str) -> Stored<bool>;

    async fn payment(&mut self, id: Uuid) -> Stored<Option<Record>>;

    /// Writes what can change of a payment: quote, status, display currency.
    async fn update_payment(&mut self, payment: &Payment) -> Stored<()>;

    /// Adds a quote at its place among those of a payment.
    async fn insert_quote(&mut self, payment: Uuid, place: usize, quote: &Quote) -> Stored<()>;

    async fn insert_deposit(&mut self, payment: Uuid, deposit: &Deposit) -> Stored<()>;

    /// Writes what can change of a deposit: its state, and what the screening came to.
    async fn update_deposit(&mut self, deposit: &Deposit) -> Stored<()>;

    async fn payment_of_output(&mut self, output: &OutputId) -> Stored<Option<Uuid>>;

    /// The payment that an address with its tag was given to, on the first of these networks where it was.
    async fn payment_of_address(
        &mut self,
        networks: &[Network],
        address: &str,
        tag: Option<&str>,
    ) -> Stored<Option<Uuid>>;

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

/// The time of the gateway.
pub trait Clock: Send + Sync {
    /// Milliseconds since the UNIX epoch.
    fn now_millis(&self) -> u64;

    /// Seconds since the UNIX epoch.
    fn now(&self) -> u64 {
        self.now_millis() / 1000
    }
}

/// No rate is fresh enough to quote by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRate;

/// How a feed of rates does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedHealth {
    /// Fetches that brought nothing.
    pub failures: u64,
    /// Since the last good answer.
    pub age: Option<Duration>,
}

/// Exchange rates. A feed keeps what it fetched; asking never waits.
#[async_trait]
pub trait Rates: Send + Sync {
    /// `to` per whole `from`, at most 8 decimal places.
    fn rate(&self, from: Asset, to: Asset) -> Result<Decimal, NoRate>;

    /// `None` when there is no feed.
    fn feed(&self) -> Option<FeedHealth> {
        None
    }

    /// Fetches, again and again, until told to stop.
    async fn keep_fresh(&self, _stopped: watch::Receiver<bool>) {}
}

/// What happened on a chain since a cursor.
#[derive(Debug)]
pub struct Changes {
    /// In their order. A transfer comes again whenever its state changes.
    pub transfers: Vec<Transfer>,
    /// Where to go on after these; opaque to all but the chain.
    pub cursor: String,
    /// There is more behind the cursor right now.
    pub more: bool,
}

/// The chain cannot be asked.
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

/// One network, read only: a node, or the simulated chain of the sandbox.
///
/// It decides when a transfer is confirmed. Asking twice with the same cursor is allowed and gives at
/// least the same news, so a crash between reading and storing loses nothing.
#[async_trait]
pub trait Chain: Send + Sync {
    fn network(&self) -> Network;

    /// The news since `cursor`; `None` starts at the beginning.
    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError>;

    /// How many blocks of the best chain stand on an output right now, its own included; 0 when it is in none of them.
    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError>;

    /// The last block of the best chain.
    async fn tip(&self) -> Result<Tip, ChainError>;

    /// Looks at everything that transfers depend on. A source that does not answer is a fault, not an error. It takes as
    /// long as a few questions to the source, and it is asked every few seconds.
    async fn health(&self) -> Vec<Check>;

    /// Prepares for an address that is about to be given to a payer: from now on a transfer to it is seen. `index` is the
    /// number that [`Addresses::address`] was asked for. An address that cannot be watched is not given out.
    async fn watch(&self, _address: &str, _index: u32) -> Result<(), ChainError> {
        Ok(())
    }
}

/// Deposit addresses from public keys.
pub trait Addresses: Send + Sync {
    /// The address at a derivation index, in the normal form; `None` when the network has no key.
    ///
    /// Networks with tags have one account, whatever the index.
    fn address(&self, network: Network, index: u32) -> Option<String>;
}

/// Unguessable bytes.
pub trait Random: Send + Sync {
    fn fill(&self, bytes: &mut [u8]);
}
