//! What may leave: asked of every payout, whatever it is for, in the transaction that stores its signed bytes.

use crate::ledger::cover::Cover;
use crate::withdrawal::rules::Approval;

pub use crate::chain::payout::why::Why;

/// What is known of a payout when its bytes are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Facts {
    /// The operator disabled its business: its token may be stolen.
    pub is_disabled: bool,
    /// What is on the balances that it is charged to: asked after what ends it, which heals them.
    pub cover: Cover,
    /// Its recipient is an account of this gateway; `None` if a node does not tell now.
    pub is_own: Option<bool>,
    /// `None` if it needs none.
    pub approval: Option<Approval>,
    /// It is what was approved, if it was.
    pub is_as_approved: bool,
    /// The screening said today who owns its recipient, if it has to.
    pub is_screened: bool,
    /// With what left of its business in an hour it is within the operator's limit.
    pub is_within_limit: bool,
    /// It pays for what its network asks now.
    pub is_fee_enough: bool,
    /// It is still what was prepared, and its payment still owes it.
    pub is_current: bool,
}

/// What was rejected returns its money, also that of a disabled business.
pub fn may_leave(facts: Facts) -> Result<(), Why> {
    match facts {
        Facts { approval: Some(Approval::Rejected), .. } => Err(Why::Rejected),
        Facts { is_disabled: true, .. } => Err(Why::Disabled),
        Facts { approval: Some(Approval::Waiting), .. } => Err(Why::Unapproved),
        Facts { is_as_approved: false, .. } => Err(Why::ApprovedOtherwise),
        Facts { is_screened: false, .. } => Err(Why::Unscreened),
        Facts { is_own: Some(true), .. } => Err(Why::OwnAddress),
        Facts { is_own: None, .. } => Err(Why::Unanswered),
        Facts { cover: Cover::Others, .. } => Err(Why::Overdrawn),
        Facts { cover: Cover::Pending, .. } => Err(Why::NotFinal),
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
        cover: Cover::Final,
        is_own: Some(false),
        approval: None,
        is_as_approved: true,
        is_screened: true,
        is_within_limit: true,
        is_fee_enough: true,
        is_current: true,
    };

    /// `None` for what the facts do not say.
    fn with(why: Why, facts: Facts) -> Option<Facts> {
        Some(match why {
            Why::Rejected => Facts { approval: Some(Approval::Rejected), ..facts },
            Why::Disabled => Facts { is_disabled: true, ..facts },
            Why::Unapproved => Facts { approval: Some(Approval::Waiting), ..facts },
            Why::ApprovedOtherwise => Facts { is_as_approved: false, ..facts },
            Why::Unscreened => Facts { is_screened: false, ..facts },
            Why::Overdrawn => Facts { cover: Cover::Others, ..facts },
            Why::NotFinal => Facts { cover: Cover::Pending, ..facts },
            Why::OwnAddress => Facts { is_own: Some(true), ..facts },
            Why::Unanswered => Facts { is_own: None, ..facts },
            Why::HourlyLimit => Facts { is_within_limit: false, ..facts },
            Why::Fee => Facts { is_fee_enough: false, ..facts },
            Why::Changed => Facts { is_current: false, ..facts },
            Why::Held | Why::FeeUnknown | Why::Unsigned | Why::NoNetwork => return None,
        })
    }

    #[test]
    fn what_leaves() {
        let approved = Facts { approval: Some(Approval::Approved), ..READY };
        for ready in [READY, approved] {
            assert_eq!(may_leave(ready), Ok(()));
            for (at, first) in Why::ALL.into_iter().enumerate() {
                let Some(of_first) = with(first, ready) else { continue };
                assert_eq!(may_leave(of_first), Err(first));
                for facts in Why::ALL.into_iter().skip(at).filter_map(|later| with(later, ready)) {
                    let both = with(first, facts).unwrap();
                    assert_eq!(may_leave(both), Err(first), "{both:?}");
                }
            }
        }
    }
}
