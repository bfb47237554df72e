//! Sends money on a network: a node with a wallet or a signer, or the simulated chain of the sandbox.

use async_trait::async_trait;
use checkout_core::Network;

use crate::domain::chain::payout::{Payout, Signed};

/// Why a transaction was not signed or not sent.
#[derive(Debug)]
pub enum Unsent {
    /// Temporary. What happened to the transaction is unknown.
    Unavailable(Box<dyn std::error::Error + Send + Sync>),
    /// Permanent: the network rejects the transaction, and it is on no chain.
    Refused(String),
}

/// What a network knows about a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// In the best chain, with this number of confirmations, including its own block.
    Confirmed(u64),
    /// Known, but not in a block.
    Pending,
    /// Lost: the same bytes must be broadcast again.
    Unknown,
}

/// Write access to one network.
///
/// The gateway stores the result of [`sign`](Self::sign) before it broadcasts, and broadcasts only stored bytes. If two
/// transactions are signed for one payout (by two processes, or before and after a crash), only one is stored.
#[async_trait]
pub trait Broadcaster: Send + Sync {
    fn network(&self) -> Network;

    /// Creates and signs the transaction. Sends nothing.
    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent>;

    /// Broadcasts the bytes. Succeeds if the network already has them.
    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent>;

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent>;
}
