//! Reads entries again that were set aside, on networks where a later answer can be another one.

use async_trait::async_trait;

use super::ChainError;
use crate::chain::Transfer;
use crate::chain::set_aside::SetAside;

/// What another look at an entry found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reread {
    /// It still cannot be read; with the reason.
    Still(String),
    /// The transfers of its transaction to addresses that were given out. Their state is not known yet.
    Read(Vec<Transfer>),
    /// Its block is not of the node's chain.
    Gone,
}

#[async_trait]
pub trait Rereading: Send + Sync {
    /// Reads one entry. Can take as long as the time limit of a request.
    async fn read_again(&self, entry: &SetAside) -> Result<Reread, ChainError>;

    /// Adds transfers of a block to a cursor, as if they had been read with it: the next [changes](super::Chain::changes)
    /// report when they are confirmed or vanish. `None` if the block is not of the chain that was read up to the cursor.
    async fn rejoin(
        &self,
        cursor: &str,
        entry: &SetAside,
        transfers: Vec<Transfer>,
    ) -> Result<Option<Rejoined>, ChainError>;
}

#[derive(Debug)]
pub struct Rejoined {
    /// Of its transaction also those that were read before: one alone can be an equal one that is known.
    pub transfers: Vec<Transfer>,
    pub cursor: String,
}
