//! Payouts that a restored database does not send before they were compared with the chain.

use checkout_core::Network;
use uuid::Uuid;

/// For how many seconds after a restore payouts are compared with the chain.
pub const COMPARED_FOR: u64 = 30 * 24 * 3600;

/// When the database was restored.
pub const RESTORED_AT: &str = "restored_at";

/// The number of an account up to which all belong to known payouts of the restored database.
pub fn restored_sequence(network: Network, account: &str) -> String {
    format!("restored_sequence/{network}/{account}")
}

/// The highest number of a payout that was signed then, and not known to be sent. The lost gateway may have used the number for
/// another payout.
pub fn restored_signed(network: Network, account: &str) -> String {
    format!("restored_signed/{network}/{account}")
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayoutHold {
    pub payout: Uuid,
    /// Why an operator has to decide; `None` until the chain was asked.
    pub reason: Option<String>,
    pub decision: Option<HoldDecision>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoldDecision {
    /// It was not sent before.
    Release,
    /// This transaction sent it before.
    Sent(String),
}
