//! What the chains report, and what is sent on them.

pub mod address_space;
pub mod environment;
pub mod finality;
pub mod payout;
pub mod screening;
pub mod source;

use checkout_core::{Amount, Currency, Network};

/// What a chain says of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputState {
    /// Seen, and it can still vanish.
    Unconfirmed,
    /// In the best chain with enough confirmations.
    Confirmed,
    /// Gone: double-spent, or left behind by a reorganisation.
    Vanished,
}

/// The key of an output: credited exactly once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OutputId {
    pub network: Network,
    pub transaction: String,
    pub index: u32,
}

/// A transfer as a chain reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    pub output: OutputId,
    pub currency: Currency,
    pub amount: Amount,
    /// In the normal form of the core.
    pub to: String,
    pub tag: Option<String>,
    pub from: String,
    /// What money that goes back to the sender has to carry, where the transaction says so.
    pub from_tag: Option<String>,
    /// In the network's own coin.
    pub fee: String,
    /// UNIX second of first sight.
    pub seen_at: u64,
    pub state: OutputState,
    /// It signals that the sender may replace it, or another transfer spends the same: first sight proves nothing.
    pub replaceable: bool,
}
