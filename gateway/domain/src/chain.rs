//! Transfers reported by chains, and payouts sent on them.

pub mod address_space;
pub mod answers;
pub mod environment;
pub mod finality;
pub mod found;
pub mod held;
pub mod kept_tag;
pub mod opt_ins;
pub mod payout;
pub mod polling;
pub mod recognise;
pub mod refund_address;
pub mod screening;
pub mod set_aside;
pub mod source;
pub mod untagged;
pub mod waiting;

use checkout_core::{Amount, Currency, Network};

crate::words! {
    /// The state of an output on its chain.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum OutputState {
        /// Seen, but it can still vanish.
        Unconfirmed = "UNCONFIRMED",
        /// In the best chain; its amount needs more confirmations. Only a deposit is: a chain reports one as confirmed.
        Included = "INCLUDED",
        /// In the best chain with enough confirmations.
        Confirmed = "CONFIRMED",
        /// Vanished: double-spent, or removed by a reorganisation.
        Vanished = "VANISHED",
    }
}

/// The key of an output: credited exactly once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OutputId {
    pub network: Network,
    pub transaction: String,
    pub index: u32,
}

/// A transfer as reported by a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    pub output: OutputId,
    pub currency: Currency,
    pub amount: Amount,
    /// In the normal form of the core.
    pub to: String,
    pub tag: Option<String>,
    /// Where a refund goes; empty if the transaction does not show it.
    pub from: String,
    /// The owners of its other inputs; empty for one that the transaction does not show.
    pub other_senders: Vec<String>,
    /// The tag that a refund to the sender must carry, if the transaction shows one.
    pub from_tag: Option<String>,
    /// In the network's own coin.
    pub fee: String,
    /// UNIX second of first sight.
    pub seen_at: u64,
    pub state: OutputState,
    /// The sender may replace it, another transfer spends the same coin, or its fee is too low for the next
    /// blocks: it must not be an instant deposit.
    pub uncertain: bool,
}

impl Transfer {
    /// The same, while it is in no block.
    #[must_use]
    pub fn unconfirmed(&self) -> Self {
        Self { state: OutputState::Unconfirmed, ..self.clone() }
    }

    /// All senders, for the screening. An empty one is unknown.
    pub fn senders(&self) -> Vec<String> {
        senders(&self.from, &self.other_senders)
    }
}

/// Each once, the one that gets refunds first.
pub fn senders(from: &str, others: &[String]) -> Vec<String> {
    let mut all = vec![from.to_owned()];
    for other in others {
        if !all.contains(other) {
            all.push(other.clone());
        }
    }
    all
}
