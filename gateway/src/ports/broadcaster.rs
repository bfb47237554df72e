//! Sending money on a network: a node with a wallet or a signer, or the simulated chain of the sandbox.

use async_trait::async_trait;
use checkout_core::Network;

use super::Stored;
use crate::domain::chain::payout::{Payout, Signed};
use crate::domain::chain::source::Check;

/// Why a transaction was not made or not sent.
#[derive(Debug)]
pub enum Unsent {
    /// Later, perhaps. Nothing is known of what happened to the transaction.
    Unavailable(Box<dyn std::error::Error + Send + Sync>),
    /// Never: the network refuses it, and it is on no chain.
    Refused(String),
}

/// What a network knows of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// In the best chain, with so many blocks; its own is one of them.
    Confirmed(u64),
    /// Not in a block.
    Pending,
    /// Lost: the same bytes have to be broadcast again.
    Unknown,
}

/// One network, for sending.
///
/// The gateway stores what [`sign`](Self::sign) gave before it broadcasts, and broadcasts nothing but what is stored: of
/// two transactions that were signed for one payout, by two processes or before and after a crash, one is stored.
#[async_trait]
pub trait Broadcaster: Send + Sync {
    fn network(&self) -> Network;

    /// Makes the transaction and signs it. Nothing is sent.
    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent>;

    /// Sends the bytes; a network that has them already is content.
    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent>;

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent>;

    /// What is right or wrong with that which signs and pays.
    async fn health(&self) -> Vec<Check> {
        Vec::new()
    }
}

/// The numbers of stored transactions, for chains on which an account numbers its transactions.
#[async_trait]
pub trait Sequences: Send + Sync {
    /// The number after the highest one of an account; `None` before the first.
    async fn next_sequence(&self, network: Network, account: &str) -> Stored<Option<u64>>;

    /// The first number from `first` on that no stored transaction of the account has. A payout that failed gives its
    /// number back: its transaction never gets on the chain.
    async fn free_sequence(&self, network: Network, account: &str, first: u64) -> Stored<u64>;
}
