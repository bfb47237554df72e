//! Stellar for the gateway: deposits to one account told apart by memos and muxed ids, payouts from one account, both through
//! Horizon. `docs/chains-ledgers.md` says what of this ran against which server.

pub mod answers;
pub mod broadcaster;
pub mod cursor;
pub mod health;
pub mod horizon;
pub mod key;
pub mod node;
pub mod transaction;
pub mod transfers;
pub mod watcher;

pub use broadcaster::{PayoutSettings, StellarBroadcaster};
pub use key::Key;
pub use node::Node;
pub use watcher::StellarChain;

/// What a signature is bound to, and a name for a network.
pub const MAIN: &str = "Public Global Stellar Network ; September 2015";
pub const TEST: &str = "Test SDF Network ; September 2015";

/// XLM has seven decimals; the smallest unit is a stroop.
pub(crate) const DECIMALS: u8 = 7;
