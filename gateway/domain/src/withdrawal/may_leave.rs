//! What may leave: asked of every payout, whatever it is for, in the transaction that stores its signed bytes.

use crate::withdrawal::rules::Approval;

/// What is known of a payout when its bytes are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The operator disabled its business: its token may be stolen.
    pub is_disabled: bool,
    /// Its recipient is an account of this gateway; `None` if a node does not tell now.
    pub is_own: Option<bool>,
    /// `None` if it needs none.
    pub approval: Option<Approval>,
    /// It pays for what its network asks now.
    pub is_fee_enough: bool,
    /// It is still what was prepared, and its payment still owes it.
    pub is_current: bool,
}

/// Why a payout does not leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    Rejected,
    Disabled,
    Unapproved,
    OwnAddress,
    Unanswered,
    Fee,
    Changed,
}

impl Why {
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Rejected => "An operator rejected or cancelled it: its money returns to the balance.",
            Self::Disabled => {
                "Its business is disabled: it waits until the business is enabled, or is cancelled."
            }
            Self::Unapproved => "It waits for an approval.",
            Self::OwnAddress => {
                "Its address is an account of this gateway: its money returns to the balance, or it waits for another address."
            }
            Self::Unanswered => "No node tells whether its address is an account of this gateway: it waits.",
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
        Facts { is_own: Some(true), .. } => Err(Why::OwnAddress),
        Facts { is_own: None, .. } => Err(Why::Unanswered),
        Facts { is_fee_enough: false, .. } => Err(Why::Fee),
        Facts { is_current: false, .. } => Err(Why::Changed),
        Facts { approval: None | Some(Approval::Approved), .. } => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The specification: disabled, approval, current, and what is said.
    #[test]
    fn what_leaves() {
        use Approval::{Approved, Rejected, Waiting};
        let rows = [
            (false, None, true, Ok(())),
            (false, Some(Approved), true, Ok(())),
            (false, Some(Waiting), true, Err(Why::Unapproved)),
            (false, Some(Rejected), true, Err(Why::Rejected)),
            (false, None, false, Err(Why::Changed)),
            (false, Some(Approved), false, Err(Why::Changed)),
            (false, Some(Waiting), false, Err(Why::Unapproved)),
            (false, Some(Rejected), false, Err(Why::Rejected)),
            (true, None, true, Err(Why::Disabled)),
            (true, Some(Approved), true, Err(Why::Disabled)),
            (true, Some(Waiting), true, Err(Why::Disabled)),
            (true, Some(Rejected), true, Err(Why::Rejected)),
            (true, None, false, Err(Why::Disabled)),
            (true, Some(Approved), false, Err(Why::Disabled)),
            (true, Some(Waiting), false, Err(Why::Disabled)),
            (true, Some(Rejected), false, Err(Why::Rejected)),
        ];
        for (is_disabled, approval, is_current, expected) in rows {
            let facts = Facts {
                is_disabled,
                is_own: Some(false),
                approval,
                is_fee_enough: true,
                is_current,
            };
            let unless = |why| match expected {
                Ok(()) | Err(Why::Changed) => Err(why),
                other => other,
            };
            assert_eq!(may_leave(Facts { is_fee_enough: false, ..facts }), unless(Why::Fee), "{facts:?}");
            assert_eq!(may_leave(facts), expected, "{facts:?}");
            for (is_own, why) in [(Some(true), Why::OwnAddress), (None, Why::Unanswered)] {
                for is_fee_enough in [true, false] {
                    let facts = Facts { is_own, is_fee_enough, ..facts };
                    assert_eq!(may_leave(facts), unless(why), "{facts:?}");
                }
            }
        }
    }
}
