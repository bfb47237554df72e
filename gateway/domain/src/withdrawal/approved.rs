//! What was approved of a withdrawal.

use checkout_core::Amount;

use crate::chain::payout::Payout;
use crate::withdrawal::Withdrawal;
use crate::withdrawal::rules::Approval;

/// The address and amount that somebody saw and approved; nothing else is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approved {
    /// In normal form.
    pub address: String,
    pub tag: Option<String>,
    pub amount: Amount,
}

impl Approved {
    /// What stands in a withdrawal now.
    pub fn of(withdrawal: &Withdrawal) -> Self {
        let (address, tag) = (withdrawal.to.clone(), withdrawal.tag.clone());
        Self { address, tag, amount: withdrawal.amount }
    }
}

/// Whether a payout is what was approved of its withdrawal, if that was.
pub fn is_as_approved(payout: &Payout, withdrawal: &Withdrawal) -> bool {
    let sent = Approved { address: payout.to.clone(), tag: payout.tag.clone(), amount: payout.amount };
    withdrawal.approval != Some(Approval::Approved) || withdrawal.approved.as_ref() == Some(&sent)
}
