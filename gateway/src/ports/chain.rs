//! Watching a network.

use std::fmt;

use async_trait::async_trait;
use checkout_core::Network;

use super::StoreError;
use crate::domain::chain::source::{Check, Tip};
use crate::domain::chain::{OutputId, Transfer};

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
    /// number that [`Addresses::address`](super::Addresses::address) was asked for. An address that cannot be watched is
    /// not given out.
    async fn watch(&self, _address: &str, _index: u32) -> Result<(), ChainError> {
        Ok(())
    }

    /// Prepares to read everything from a block on once more, such as transfers to addresses that were not watched. The
    /// cursor from which to read then.
    async fn rescan(&self, _height: u64) -> Result<String, ChainError> {
        Err(ChainError("this network cannot be read again from a block on".into()))
    }
}
