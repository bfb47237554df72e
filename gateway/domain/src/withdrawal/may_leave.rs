//! What may leave: asked of every payout, whatever it is for, in the transaction that stores its signed bytes.

use crate::withdrawal::rules::Approval;

/// What is known of a payout when its bytes are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Facts {
    /// The operator disabled its business: its token may be stolen.
    pub is_disabled: bool,
    /// Its recipient is an account of this gateway; `None` if a node does not tell now.
    pub is_own: Option<bool>,
    /// `None` if it needs none.
    pub approval: Option<Approval>,
    /// It is what was approved, if it was.
    pub is_as_approved: bool,
    /// With what left of its business in an hour it is within the operator's limit.
    pub is_within_limit: bool,
    /// It pays for what its network asks now.
    pub is_fee_enough: bool,
    /// It is still what was prepared, and its payment still owes it.
    pub is_current: bool,
}

crate::words! {
    /// Why a payout does not leave: of several reasons the first one is said.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Why {
        Rejected = "REJECTED",
        Disabled = "DISABLED",
        Unapproved = "UNAPPROVED",
        ApprovedOtherwise = "APPROVED_OTHERWISE",
        OwnAddress = "OWN_ADDRESS",
        Unanswered = "UNANSWERED",
        HourlyLimit = "HOURLY_LIMIT",
        Fee = "FEE",
        Changed = "CHANGED",
    }
}

impl Why {
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Rejected => "An operator rejected or cancelled it: its money returns to the balance.",
            Self::Disabled => {
                "Its business is disabled: it waits until the business is enabled, or is cancelled."
            }
            Self::Unapproved => "It waits for an approval.",
            Self::ApprovedOtherwise => {
                "Another address, tag or amount was approved: it waits for an approval again."
            }
            Self::OwnAddress => {
                "Its address is an account of this gateway: its money returns to the balance, or it waits for another address."
            }
            Self::Unanswered => "No node tells whether its address is an account of this gateway: it waits.",
            Self::HourlyLimit => {
                "More than may leave of its business in an hour, or without a rate: it waits."
            }
            Self::Fee => "Its network asks more than its fee: it waits until that falls, or is cancelled.",
            Self::Changed => "Its payment changed while it was signed: it is prepared again.",
        }
    }
}

/// What was rejected returns its money, also that of a disabled business.
pub fn may_leave(facts: Facts) -> Result<(), Why> {
    match facts {
        Facts { approval: Some(Approval::Rejected), .. } => Err(Why::Rejected),
        Facts { is_disabled: true, .. } => Err(Why::Disabled),
        Facts { approval: Some(Approval::Waiting), .. } => Err(Why::Unapproved),
        Facts { is_as_approved: false, .. } => Err(Why::ApprovedOtherwise),
        Facts { is_own: Some(true), .. } => Err(Why::OwnAddress),
        Facts { is_own: None, .. } => Err(Why::Unanswered),
        Facts { is_within_limit: false, .. } => Err(Why::HourlyLimit),
        Facts { is_fee_enough: false, .. } => Err(Why::Fee),
        Facts { is_current: false, .. } => Err(Why::Changed),
        Facts { approval: None | Some(Approval::Approved), .. } => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READY: Facts = Facts {
        is_disabled: false,
        is_own: Some(false),
        approval: None,
        is_as_approved: true,
        is_within_limit: true,
        is_fee_enough: true,
        is_current: true,
    };

    fn with(why: Why, facts: Facts) -> Facts {
        match why {
            Why::Rejected => Facts { approval: Some(Approval::Rejected), ..facts },
            Why::Disabled => Facts { is_disabled: true, ..facts },
            Why::Unapproved => Facts { approval: Some(Approval::Waiting), ..facts },
            Why::ApprovedOtherwise => Facts { is_as_approved: false, ..facts },
            Why::OwnAddress => Facts { is_own: Some(true), ..facts },
            Why::Unanswered => Facts { is_own: None, ..facts },
            Why::HourlyLimit => Facts { is_within_limit: false, ..facts },
            Why::Fee => Facts { is_fee_enough: false, ..facts },
            Why::Changed => Facts { is_current: false, ..facts },
        }
    }

    #[test]
    fn what_leaves() {
        let approved = Facts { approval: Some(Approval::Approved), ..READY };
        for ready in [READY, approved] {
            assert_eq!(may_leave(ready), Ok(()));
            for (at, first) in Why::ALL.into_iter().enumerate() {
                assert_eq!(may_leave(with(first, ready)), Err(first));
                for later in Why::ALL.into_iter().skip(at) {
                    let facts = with(first, with(later, ready));
                    assert_eq!(may_leave(facts), Err(first), "{facts:?}");
                }
            }
        }
    }
}
