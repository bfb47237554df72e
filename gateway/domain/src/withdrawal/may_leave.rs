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
    /// The screening said today who owns its recipient, if it has to.
    pub is_screened: bool,
    /// With what left of its business in an hour it is within the operator's limit.
    pub is_within_limit: bool,
    /// It pays for what its network asks now.
    pub is_fee_enough: bool,
    /// It is still what was prepared, and its payment still owes it.
    pub is_current: bool,
}

crate::words! {
    /// Why a payout does not leave: of several reasons the first one is said. Each is a `waitingReason` of the API, with its sentence in
    /// `www/desk/waits.ts`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Why {
        Rejected = "REJECTED",
        Disabled = "DISABLED",
        Unapproved = "UNAPPROVED",
        ApprovedOtherwise = "APPROVED_OTHERWISE",
        Unscreened = "UNSCREENED",
        Held = "HELD",
        NotFinal = "NOT_FINAL",
        OwnAddress = "OWN_ADDRESS",
        Unanswered = "UNANSWERED",
        HourlyLimit = "HOURLY_LIMIT",
        FeeUnknown = "FEE_UNKNOWN",
        Fee = "FEE",
        Unsigned = "UNSIGNED",
        Changed = "CHANGED",
        NoNetwork = "NO_NETWORK",
    }
}

impl Why {
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Rejected => "An operator rejected or cancelled it: its money returns to the balance.",
            Self::Disabled => {
                "Its business is disabled: it waits until the business is enabled, or is cancelled."
            }
            Self::Unapproved => {
                "It is above a limit of its business, or changed after its approval: it waits for an approval."
            }
            Self::ApprovedOtherwise => {
                "Another address, tag or amount was approved: it waits for an approval again."
            }
            Self::Unscreened => {
                "The screening has not said today who owns its address: it waits for the answer."
            }
            Self::Held => {
                "It may have been sent before a restore: it waits until the chain or an operator says that it was not."
            }
            Self::NotFinal => {
                "The deposits that it gives back are not final, or do not cover it: it waits until they are and do."
            }
            Self::OwnAddress => {
                "Its address is an account of this gateway: its money returns to the balance, or it waits for another address."
            }
            Self::Unanswered => {
                "Its network does not answer what has to be known of its address: it waits and is asked again."
            }
            Self::HourlyLimit => {
                "More than may leave of its business in an hour, or without a rate: it waits."
            }
            Self::FeeUnknown => {
                "What its network asks is not known, or has no rate: it waits and is asked again."
            }
            Self::Fee => "Its network asks more than its fee: it waits until that falls, or is cancelled.",
            Self::Unsigned => {
                "Its network does not answer, or the wallet that pays holds too little: it waits and is tried again."
            }
            Self::Changed => "Its payment changed while it was signed: it is prepared again.",
            Self::NoNetwork => "This gateway sends nothing on its network: it waits, or is cancelled.",
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
        Facts { is_screened: false, .. } => Err(Why::Unscreened),
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
            Why::OwnAddress => Facts { is_own: Some(true), ..facts },
            Why::Unanswered => Facts { is_own: None, ..facts },
            Why::HourlyLimit => Facts { is_within_limit: false, ..facts },
            Why::Fee => Facts { is_fee_enough: false, ..facts },
            Why::Changed => Facts { is_current: false, ..facts },
            Why::Held | Why::NotFinal | Why::FeeUnknown | Why::Unsigned | Why::NoNetwork => return None,
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
