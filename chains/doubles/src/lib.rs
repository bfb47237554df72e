//! Test servers for the APIs of rippled, Horizon and TronGrid, which do not run on an ordinary machine, and for what a real
//! EVM node does not do on demand. They follow the official documentation, keep a small ledger, accept signed transactions, and check signatures.
//! `chains/oracles` also runs the networks' official client packages against them. The server for Esplora's API serves the
//! chain of a real node, and so do those for the JSON-RPC of Bitcoin Cash Node and
//! of Dogecoin Core. [`rate_feeds`] are public feeds of exchange rates.

pub mod bitcoin_cash;
pub mod bitcoin_core;
pub mod dogecoin;
pub mod esplora;
pub mod evm;
pub mod flood;
pub mod horizon;
pub mod hostile;
mod node_rpc;
pub mod rate_feeds;
pub mod rippled;
pub mod signer;
pub mod trongrid;

pub use bitcoin_cash::BitcoinCash;
pub use bitcoin_core::BitcoinCore;
pub use dogecoin::Dogecoin;
pub use esplora::Esplora;
pub use evm::EvmNode;
pub use flood::Flood;
pub use horizon::Horizon;
pub use rate_feeds::RateFeeds;
pub use rippled::Rippled;
pub use signer::SignerServer;
pub use trongrid::TronGrid;

use checkout_test_nodes::serve;
use serde_json::Value;

/// A fault to simulate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fault {
    #[default]
    None,
    /// HTTP status 503.
    Down,
    /// Its rate limit is reached.
    Limited,
    /// Answers are cut off in the middle.
    Garbled,
}

/// Adds fields to a JSON object, or replaces them.
fn merge(into: &mut Value, from: Value) {
    let (Value::Object(into), Value::Object(from)) = (into, from) else { return };
    into.extend(from);
}
