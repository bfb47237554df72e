//! What the console of the sandbox reads and keeps.

use async_trait::async_trait;
use checkout_core::Network;
use uuid::Uuid;

use super::Stored;
use crate::domain::console::{Deed, Delivery, Listing};
use crate::domain::ledger::Account;
use crate::domain::ledger::money::Money;
use crate::domain::payment::Payment;
use crate::domain::withdrawal::Withdrawal;

#[async_trait]
pub trait ConsoleStore: Send + Sync {
    /// Payments of all businesses, the newest first.
    async fn listed_payments(&self, listing: &Listing) -> Stored<Vec<Payment>>;

    /// Every address that a payment was ever given, the oldest first.
    async fn given_addresses(&self, payment: Uuid) -> Stored<Vec<GivenAddress>>;

    /// The simulated networks on which something happened.
    async fn chain_states(&self) -> Stored<Vec<ChainState>>;

    /// The transactions of a payment's deposits with the height of their block; `None` while pending.
    async fn transaction_heights(&self, payment: Uuid) -> Stored<Vec<(String, Option<u64>)>>;

    /// The callbacks that tell of a payment's deposits, the oldest first.
    async fn callbacks_of_payment(&self, payment: Uuid) -> Stored<Vec<Uuid>>;

    async fn payment_of_deposit(&self, deposit: Uuid) -> Stored<Option<Uuid>>;

    /// The lines of every entry that a deposit caused, by cause.
    async fn ledger_of_deposit(&self, deposit: Uuid) -> Stored<Vec<(String, Account, Money)>>;

    /// The newest first.
    async fn listed_withdrawals(&self, limit: u32) -> Stored<Vec<Withdrawal>>;

    /// The newest first.
    async fn deliveries(&self, before: Option<Uuid>, limit: u32) -> Stored<Vec<Delivery>>;

    /// What was done since a moment, the oldest first.
    async fn deeds(&self, since: u64) -> Stored<Vec<Deed>>;
}

#[async_trait]
pub trait ConsoleTx: Send {
    /// Adds a delivery and forgets all but the newest `keep`.
    async fn put_delivery(&mut self, delivery: &Delivery, keep: u32) -> Stored<()>;

    async fn forget_deliveries(&mut self) -> Stored<()>;

    /// Adds a deed and forgets all but the newest `keep`.
    async fn put_deed(&mut self, deed: &Deed, keep: u32) -> Stored<()>;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenAddress {
    pub network: Network,
    pub address: String,
    pub tag: Option<String>,
    pub created_at: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainState {
    pub network: Network,
    pub height: u64,
    /// Transfers that wait for a block.
    pub pending: u64,
}
