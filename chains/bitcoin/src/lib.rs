//! Deposits and payouts on Bitcoin, Litecoin, Bitcoin Cash and Dogecoin, through the JSON-RPC of a node; or deposits alone through an
//! Esplora server.
//!
//! Deposits are read from a watch-only wallet of the node. A second wallet of the node funds and signs
//! payouts. The node is polled every second; ZMQ is not used.
//!
//! An error from the node means that the answer is unknown, not that the object does not exist: see
//! [`NodeError`](checkout_chain_http::NodeError).

mod broadcaster;
mod coins;
mod conflict;
mod cursor;
mod deposit_wallet;
mod depth;
mod dialect;
mod esplora;
mod fees;
mod found;
mod holdings;
mod mempool;
mod replacement;
mod rpc;
mod search;
mod sender;
mod settings;
mod transaction;
mod watcher;

pub use broadcaster::NodeWallet;
pub use esplora::{Api, EsploraChain, Ports};
pub use rpc::Node;
pub use settings::{Environment, Settings};
pub use watcher::BitcoinChain;
