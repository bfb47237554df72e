//! Entries of chains that could not be read.

use async_trait::async_trait;
use checkout_core::Network;

use super::Stored;
use crate::chain::set_aside::{SetAside, SetAsideRecord, UncreditedCoins};

#[async_trait]
pub trait SetAsideStore: Send + Sync {
    /// The open ones, oldest first.
    async fn set_aside(&self, limit: u32) -> Stored<Vec<SetAsideRecord>>;

    /// The open ones of a network that are due to be read again.
    async fn due_again(&self, network: Network, now: u64, limit: u32) -> Stored<Vec<SetAsideRecord>>;

    /// Stores that the look-up of a payer found coins that are not credited; the same report again changes nothing. False if
    /// enough others of the payment are listed.
    async fn report_uncredited(&self, entry: &SetAside, coins: &UncreditedCoins, now: u64) -> Stored<bool>;

    /// Lists an entry that is not read again by itself, also one that was read since it was listed. False if it is listed, or an
    /// operator dismissed it.
    async fn report_unknown(&self, entry: &SetAside, now: u64) -> Stored<bool>;

    /// Whether an entry of a transaction could not be read.
    async fn is_unread(&self, network: Network, transaction: &str) -> Stored<bool>;

    /// How many are open, by network; 0 is left out.
    async fn count_set_aside(&self) -> Stored<Vec<(Network, u64)>>;
}

#[async_trait]
pub trait SetAsideTx: Send {
    /// Stores entries. One that is known is open again, and counts as new if it moved to another block.
    async fn set_aside(&mut self, entries: &[SetAside], now: u64) -> Stored<()>;

    /// It was read, or left the chain. False if it is not open or in another block.
    async fn settle(&mut self, entry: &SetAside, now: u64) -> Stored<bool>;

    /// Another try failed.
    async fn read_failed(&mut self, entry: &SetAside, why: &str, next: Option<u64>) -> Stored<()>;

    /// Whole transactions of which transfers were read after all.
    async fn settle_read(&mut self, network: Network, transactions: &[&str], now: u64) -> Stored<()>;

    /// An operator takes the open entries of a transaction off the list. Returns how many.
    async fn dismiss(&mut self, transaction: &str, now: u64) -> Stored<u64>;

    /// An operator wants the entries of a transaction to be read at once. Returns how many.
    async fn read_at_once(&mut self, transaction: &str, now: u64) -> Stored<u64>;
}
