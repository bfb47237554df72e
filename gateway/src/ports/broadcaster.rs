//! Sends transactions on a network: through a node with a wallet or a signer, or on the sandbox's simulated
//! chain.

use async_trait::async_trait;
use checkout_core::Network;

use super::Stored;
use crate::domain::chain::payout::{Payout, Signed};
use crate::domain::chain::source::Check;

/// Why a transaction was not signed or not sent.
#[derive(Debug)]
pub enum Unsent {
    /// A temporary failure. The state of the transaction is unknown.
    Unavailable(Box<dyn std::error::Error + Send + Sync>),
    /// A permanent failure: the network refuses it, and no chain includes it.
    Refused(String),
}

/// The network's state of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// In the best chain, with this many confirmations, its own block included.
    Confirmed(u64),
    /// Not in a block.
    Pending,
    /// Unknown to the network: the same bytes must be broadcast again.
    Unknown,
}

/// Sends on one network.
///
/// The gateway stores the result of [`sign`](Self::sign) before it broadcasts, and broadcasts only stored
/// bytes. If two transactions are signed for one payout, by two processes or before and after a crash, only
/// one is stored.
#[async_trait]
pub trait Broadcaster: Send + Sync {
    fn network(&self) -> Network;

    /// Creates and signs the transaction. Sends nothing.
    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent>;

    /// Broadcasts the bytes; succeeds if the network already has them.
    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent>;

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent>;

    /// Checks the signer and its account.
    async fn health(&self) -> Vec<Check> {
        Vec::new()
    }
}

/// The sequence numbers of stored transactions, for chains where accounts number their transactions.
#[async_trait]
pub trait Sequences: Send + Sync {
    /// The next number after the highest one of an account; `None` before the first.
    async fn next_sequence(&self, network: Network, account: &str) -> Stored<Option<u64>>;

    /// The first number from `first` that no stored transaction of the account uses. A failed payout frees
    /// its number, because its transaction can never be included.
    async fn free_sequence(&self, network: Network, account: &str, first: u64) -> Stored<u64>;
}
