//! Deposits and payouts on Bitcoin, Litecoin and Bitcoin Cash, through the JSON-RPC of a node.
//!
//! Deposits are read from a watch-only wallet of the node, payouts are funded and signed by another wallet of it. The
//! node is asked every second; ZMQ is not used.
//!
//! An error of the node means that something is unknown, never that it is not there: see [`rpc::RpcError`].

mod broadcaster;
mod chain;
mod cursor;
mod deposit_wallet;
mod fees;
mod health;
mod mempool;
mod rpc;
mod sender;
mod settings;
mod transaction;

pub use broadcaster::NodeWallet;
pub use chain::BitcoinChain;
pub use rpc::{Node, RpcError};
pub use settings::{Environment, Settings};
