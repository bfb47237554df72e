//! Reads a network.

use std::fmt;

use async_trait::async_trait;
use checkout_core::{Network, Pair};

use super::StoreError;
use super::rereading::Rereading;
use super::wallet_signing::WalletSigning;
use crate::chain::found::FoundTransaction;
use crate::chain::set_aside::SetAside;
use crate::chain::source::{Check, Tip};
use crate::chain::{OutputId, Transfer};

/// The changes of a chain since a cursor.
#[derive(Debug)]
pub struct Changes {
    /// In order. A transfer is reported again whenever its state changes: one that moved to a later block as unconfirmed first, because
    /// its confirmations are counted anew.
    pub transfers: Vec<Transfer>,
    /// Entries up to the cursor that could not be read.
    pub set_aside: Vec<SetAside>,
    /// The cursor after these changes; opaque to everything but the chain.
    pub cursor: String,
    /// More changes are available now.
    pub more: bool,
}

impl Changes {
    /// Everything could be read.
    pub fn new(transfers: Vec<Transfer>, cursor: String, more: bool) -> Self {
        Self { transfers, set_aside: Vec::new(), cursor, more }
    }
}

/// The chain cannot be read.
#[derive(Debug)]
pub struct ChainError(pub Box<dyn std::error::Error + Send + Sync>);

/// The source's rate limit is reached, or its budget of requests is used up. It is asked again later, and is not down.
#[derive(Debug)]
pub struct RateLimited(pub String);

impl fmt::Display for RateLimited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RateLimited {}

impl ChainError {
    pub fn is_limit(&self) -> bool {
        self.0.is::<RateLimited>()
    }
}

impl fmt::Display for ChainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the chain failed: {}", self.0)
    }
}

impl std::error::Error for ChainError {}

impl From<String> for ChainError {
    fn from(why: String) -> Self {
        Self(why.into())
    }
}

impl From<StoreError> for ChainError {
    fn from(error: StoreError) -> Self {
        Self(error.0)
    }
}

/// One network, read only: a node, or the sandbox's simulated chain.
///
/// It decides when a transfer is confirmed. Reading twice from the same cursor is allowed and returns at
/// least the same changes, so a crash between reading and storing loses nothing.
#[async_trait]
pub trait Chain: Send + Sync {
    fn network(&self) -> Network;

    /// Whether transfers of a currency on this network are detected. A token needs a contract, and a test network
    /// has those of its configuration only.
    fn reads(&self, _pair: &Pair) -> bool {
        true
    }

    /// The changes since `cursor`; `None` starts at the beginning.
    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError>;

    /// The confirmations of an output, its own block included; 0 if no block of the best chain includes it.
    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError>;

    /// The confirmations that a transfer needs until it is [confirmed](crate::chain::OutputState::Confirmed), its
    /// own block included; at least 1.
    fn required_confirmations(&self) -> u64 {
        1
    }

    /// The last block up to which everything was read, on networks that are read block by block.
    fn read_up_to(&self, _cursor: &str) -> Option<u64> {
        None
    }

    /// The unconfirmed transfers up to a cursor, with the confirmations that each of them has there. Empty if one
    /// confirmation is enough.
    async fn waiting(&self, _cursor: &str) -> Result<Vec<(OutputId, u64)>, ChainError> {
        Ok(Vec::new())
    }

    /// Finds a transaction by its id, in the form of the network. `None` if the network does not know it. Takes a few requests.
    async fn look_up(&self, _transaction: &str) -> Result<Option<FoundTransaction>, ChainError> {
        Err(ChainError("this network does not support the look-up of a transaction".into()))
    }

    /// On a network where a wallet in the payer's browser signs and does not send.
    fn wallet_signing(&self) -> Option<&dyn WalletSigning> {
        None
    }

    /// On a network where an entry that was set aside can be read later.
    fn rereading(&self) -> Option<&dyn Rereading> {
        None
    }

    /// The last block of the best chain.
    async fn tip(&self) -> Result<Tip, ChainError>;

    /// Checks everything that transfers depend on. A source that does not answer is a fault, not an error.
    /// Takes a few requests, and runs every few seconds.
    async fn health(&self) -> Vec<Check>;

    /// Calls every method that reading and payouts need, once, to find those that a server does not offer. For operators.
    async fn methods(&self) -> Vec<Check> {
        Vec::new()
    }

    /// Watches an address before it is given to a payer, so that transfers to it are detected. `index` is the
    /// number passed to [`Addresses::address`](super::Addresses::address). An address that cannot be watched
    /// is not given out.
    async fn watch(&self, _address: &str, _index: u32) -> Result<(), ChainError> {
        Ok(())
    }

    /// Prepares to read again from a block, for example for transfers to addresses that were not watched. Can take hours.
    async fn rescan(&self, _height: u64) -> Result<(), ChainError> {
        Err(ChainError("this network does not support a rescan".into()))
    }

    /// The cursor to read from after [`rescan`](Self::rescan). It remembers the transfers of `stored`, the cursor until now, which
    /// can still vanish.
    async fn rescan_cursor(&self, _height: u64, _stored: Option<&str>) -> Result<String, ChainError> {
        Err(ChainError("this network does not support a rescan".into()))
    }

    /// The first block that [`search`](Self::search) has to read after the database was restored to a cursor. `None` if
    /// [`changes`](Self::changes) reads the blocks since the cursor by itself.
    async fn unsearched(&self, _cursor: &str) -> Result<Option<u64>, ChainError> {
        Ok(None)
    }

    /// Searches blocks for transfers to all addresses that were given out, so that [`changes`](Self::changes) knows them.
    async fn search(&self, _first: u64, _last: u64) -> Result<(), ChainError> {
        Ok(())
    }
}
