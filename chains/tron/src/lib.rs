//! TRON for the gateway: deposits of TRC-20 tokens by reading blocks, payouts from one account, what a payer's wallet signs, all by the HTTP interface of
//! java-tron, which TronGrid and other providers serve. `docs/chains-tron.md` says what of this ran against which server.

pub mod account;
pub mod answers;
pub mod api;
pub mod broadcaster;
pub mod calls;
pub mod cursor;
mod effects;
pub mod fees;
pub mod health;
pub mod key;
pub mod lifetime;
pub mod node;
mod rereading;
pub mod settings;
pub mod signer;
pub mod sweep;
pub mod tokens;
pub mod transaction;
pub mod transfers;
pub mod wallet_signing;
pub mod watcher;

pub use broadcaster::TronBroadcaster;
pub use key::Key;
pub use node::Node;
pub use settings::Settings;
pub use signer::Signer;
pub use sweep::TronSweep;
pub use watcher::TronChain;

/// Confirmations of a solidified block: its own block and those of 18 other super representatives.
pub const SOLID: u64 = 19;

/// TRX has six decimals; its smallest unit is the sun.
pub const COIN_DECIMALS: u8 = 6;
