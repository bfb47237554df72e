//! Ethereum, BNB Smart Chain, Polygon, Base and Arbitrum for the gateway: watches blocks for deposits and sends payouts from one
//! account. `docs/chains-evm.md` lists the nodes that it was tested with.

pub mod broadcaster;
mod confirmed_by;
pub mod cursor;
pub mod fees;
mod found;
pub mod health;
pub mod l1_fee;
mod networks;
pub mod node;
mod patience;
mod rereading;
pub mod rpc;
pub mod settings;
pub mod signer;
pub mod sweep;
pub mod tokens;
pub mod traces;
pub mod transfers;
pub mod watcher;

pub use broadcaster::EvmBroadcaster;
pub use confirmed_by::ConfirmedBy;
pub use node::Node;
pub use settings::{InternalTransfers, Settings};
pub use signer::Signer;
pub use sweep::EvmSweep;
pub use watcher::EvmChain;
