//! Stellar for the gateway: deposits to one account, distinguished by memos and muxed ids, and payouts from
//! one account, both through Horizon. `docs/chains-ledgers.md` lists the servers that it was tested with.

pub mod answers;
pub mod broadcaster;
pub mod cursor;
pub mod health;
pub mod horizon;
pub mod key;
mod look;
pub mod node;
pub mod operation;
mod place;
mod rereading;
pub mod signer;
pub mod transaction;
pub mod transfers;
pub mod watcher;

pub use broadcaster::{MAX_FEE, StellarBroadcaster};
pub use key::Key;
pub use node::Node;
pub use signer::Signer;
pub use watcher::StellarChain;

/// The network passphrase: part of every signature, and the network's identifier.
pub const MAIN: &str = "Public Global Stellar Network ; September 2015";
pub const TEST: &str = "Test SDF Network ; September 2015";

/// XLM has seven decimals; the smallest unit is a stroop.
pub(crate) const DECIMALS: u8 = 7;
