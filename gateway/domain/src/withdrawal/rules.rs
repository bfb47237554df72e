//! Limits of a business's withdrawals, against a stolen token. All are off unless they are set.

use checkout_core::Decimal;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// EUR in 24 hours.
    pub daily_limit: Option<Decimal>,
    /// In EUR. An operator has to approve what is above.
    pub approval_above: Option<Decimal>,
    /// Recipient and tag must be whitelisted.
    pub whitelist_only: bool,
    /// In EUR. Claims for one payment are approved automatically while their total is at most this; `None`: none are.
    pub claim_limit: Option<Decimal>,
    /// In EUR: the largest fee of a network that a withdrawal or a refund of the merchant pays.
    pub maximum_network_fee: Option<Decimal>,
}

/// An operator's changes. Absent settings stay; `Some(None)` removes a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleChanges {
    pub daily_limit: Option<Option<Decimal>>,
    pub approval_above: Option<Option<Decimal>>,
    pub whitelist_only: Option<bool>,
    pub claim_limit: Option<Option<Decimal>>,
    pub maximum_network_fee: Option<Option<Decimal>>,
}

impl RuleChanges {
    #[must_use]
    pub fn apply(self, rules: Rules) -> Rules {
        Rules {
            daily_limit: self.daily_limit.unwrap_or(rules.daily_limit),
            approval_above: self.approval_above.unwrap_or(rules.approval_above),
            whitelist_only: self.whitelist_only.unwrap_or(rules.whitelist_only),
            claim_limit: self.claim_limit.unwrap_or(rules.claim_limit),
            maximum_network_fee: self.maximum_network_fee.unwrap_or(rules.maximum_network_fee),
        }
    }
}

crate::words! {
    /// The state of a withdrawal that an operator has to approve.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Approval {
        Waiting = "WAITING",
        Approved = "APPROVED",
        /// A running gateway returns its money.
        Rejected = "REJECTED",
    }
}
