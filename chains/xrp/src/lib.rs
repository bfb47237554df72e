//! The XRP Ledger for the gateway: deposits to one account, distinguished by destination tags, and payouts
//! from one account, both through the JSON-RPC of rippled or Clio. `docs/chains-ledgers.md` lists the servers
//! that it was tested with.

pub mod answers;
pub mod broadcaster;
pub mod cursor;
pub mod entry;
pub mod health;
pub mod key;
mod look;
pub mod node;
mod not_credited;
pub mod payment;
mod place;
mod rereading;
pub mod rpc;
mod signed;
pub mod signer;
pub mod transfers;
pub mod watcher;

pub use broadcaster::{MAX_FEE, XrpBroadcaster};
pub use key::Key;
pub use node::Node;
pub use signer::Signer;
pub use watcher::XrpChain;

/// The network that an account, a server and a transaction belong to: 0 is the main network, 1 the test network.
pub type NetworkId = u32;

pub const MAIN: NetworkId = 0;
