//! How far a refund is, with what is known of it there.

use checkout_wire::create_withdrawal::WithdrawalStatus;
use checkout_wire::payment::RefundWait;
use checkout_wire::refunds::RefundState;
use uuid::Uuid;

use super::refund_said::{Claim, Decision, Said};
use crate::chain::payout::Payout;
use crate::chain::payout::state::Progress;
use crate::chain::refund_address::NoRefundAddress;
use crate::withdrawal::Withdrawal;
use crate::withdrawal::rules::Approval;

/// Why a refund needs an approval.
const LIMIT: &str = "LIMIT";
const CLAIM: &str = "CLAIM";

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing goes back of its deposit now: it is listed nowhere.
    Dropped(Said),
    /// `refused`: where the payer wanted it.
    NeedsAddress {
        why: NoRefundAddress,
        refused: Option<Claim>,
    },
    /// It needs an approval: it is beyond the automatic refunds of a day, or above a limit of the business.
    AboveLimit(Said),
    /// It needs an approval: the payer named its address.
    Claimed(Claim),
    /// It was refused, and the money is not back on the balance yet.
    Refused(Option<Claim>),
    Leaving(Step, Transfer),
    Ended(End, Said),
}

/// How far a refund is that leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// It waits to be signed.
    Queued,
    Signed,
    Sent,
    Confirmed,
}

/// How a refund ended that paid nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The merchant keeps the money.
    NotWorthItsFee,
    Failed,
    /// The screening blocked its address, or it was rejected.
    Blocked,
    Cancelled,
}

/// The transaction of a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    pub payout: Uuid,
    /// Known once it is signed.
    pub transaction_id: Option<String>,
    /// Missing in one that an operator declared final.
    pub confirmed_at: Option<u64>,
    pub planned_at: u64,
    pub said: Said,
}

impl Transfer {
    /// Of a payout that is not signed.
    pub fn of(payout: &Payout, said: Said) -> Self {
        let (payout, planned_at) = (payout.id, payout.created_at);
        Self { payout, transaction_id: None, confirmed_at: None, planned_at, said }
    }
}

impl Step {
    fn of(progress: Progress) -> Option<Self> {
        match progress {
            Progress::Waiting => Some(Self::Queued),
            Progress::Signed => Some(Self::Signed),
            Progress::Sent => Some(Self::Sent),
            Progress::Confirmed | Progress::Final => Some(Self::Confirmed),
            Progress::Unaddressed | Progress::Cancelled | Progress::Failed | Progress::Reverted => None,
        }
    }
}

impl Phase {
    /// What the row of an automatic refund says: what it waits for and why, whether it is listed, and its payout. `None` if that is in no
    /// state of a refund.
    pub fn of_row(
        wait: Option<(&str, &str)>,
        is_listed: bool,
        said: Said,
        payout: Option<(Progress, Transfer)>,
    ) -> Option<Self> {
        match (wait, payout) {
            (Some((word, why)), _) => Self::waiting(word, why, said),
            (None, _) if !is_listed => Some(Self::Dropped(said)),
            (None, None) => Some(Self::Ended(End::NotWorthItsFee, said)),
            (None, Some((progress, transfer))) => Self::of_payout(progress, transfer),
        }
    }

    pub fn waiting(word: &str, why: &str, said: Said) -> Option<Self> {
        match (RefundWait::known(word)?, said) {
            (RefundWait::Address, said) => {
                let refused = said.claim.filter(Claim::is_refused);
                NoRefundAddress::known(why).map(|why| Self::NeedsAddress { why, refused })
            }
            (RefundWait::Approval, Said { claim: Some(claim), .. }) if why == CLAIM => {
                let why = NoRefundAddress::ClaimRefused;
                Some(if claim.is_refused() {
                    Self::NeedsAddress { why, refused: Some(claim) }
                } else {
                    Self::Claimed(claim)
                })
            }
            // An operator decides, whatever another version held it for.
            (RefundWait::Approval, said) => Some(Self::AboveLimit(said)),
        }
    }

    /// That of an automatic refund that does not wait.
    pub fn of_payout(progress: Progress, transfer: Transfer) -> Option<Self> {
        match progress {
            Progress::Failed => Some(Self::Ended(End::NotWorthItsFee, transfer.said)),
            progress => Some(Self::Leaving(Step::of(progress)?, transfer)),
        }
    }

    /// `None` if its payout is in no state of a refund.
    pub(super) fn of_charge(
        charge: &Withdrawal,
        (progress, confirmed_at): (Progress, Option<u64>),
        claim: Option<Claim>,
    ) -> Option<Self> {
        let said = Said { claim, decision: None };
        Some(match (progress, charge.status, charge.approval) {
            (Progress::Cancelled, ..) => Self::Ended(End::Cancelled, said),
            (_, WithdrawalStatus::Blocked, _) => Self::Ended(End::Blocked, said),
            (_, WithdrawalStatus::Failed, _) => Self::Ended(End::Failed, said),
            (Progress::Unaddressed, ..) => Self::NeedsAddress {
                why: NoRefundAddress::NotGiven,
                refused: said.claim.filter(Claim::is_refused),
            },
            (Progress::Waiting, _, Some(Approval::Waiting)) => {
                said.claim.map_or(Self::AboveLimit(Said::default()), Self::Claimed)
            }
            (Progress::Waiting, _, Some(Approval::Rejected)) => Self::Refused(said.claim),
            (progress, ..) => {
                let (payout, transaction_id) = (charge.id, charge.transaction_id.clone());
                let planned_at = charge.created_at;
                let transfer = Transfer { payout, transaction_id, confirmed_at, planned_at, said };
                Self::Leaving(Step::of(progress)?, transfer)
            }
        })
    }

    pub fn transfer(&self) -> Option<&Transfer> {
        if let Self::Leaving(_, transfer) = self { Some(transfer) } else { None }
    }

    /// Where the payer wants it, or wanted it.
    pub fn claim(&self) -> Option<&Claim> {
        match self {
            Self::Claimed(claim) => Some(claim),
            Self::NeedsAddress { refused: claim, .. } | Self::Refused(claim) => claim.as_ref(),
            Self::Dropped(said)
            | Self::AboveLimit(said)
            | Self::Leaving(_, Transfer { said, .. })
            | Self::Ended(_, said) => said.claim.as_ref(),
        }
    }

    pub fn decision(&self) -> Option<&Decision> {
        match self {
            Self::Dropped(said)
            | Self::AboveLimit(said)
            | Self::Leaving(_, Transfer { said, .. })
            | Self::Ended(_, said) => said.decision.as_ref(),
            Self::NeedsAddress { .. } | Self::Claimed(_) | Self::Refused(_) => None,
        }
    }

    /// As it is listed.
    pub fn status(&self) -> Option<RefundState> {
        match self {
            Self::Dropped(_) => None,
            Self::Leaving(Step::Confirmed, _) => Some(RefundState::Confirmed),
            Self::Ended(End::NotWorthItsFee, _) => Some(RefundState::NonRefundable),
            Self::Ended(End::Failed, _) => Some(RefundState::Failed),
            Self::Ended(End::Blocked, _) => Some(RefundState::Blocked),
            Self::Ended(End::Cancelled, _) => Some(RefundState::Cancelled),
            Self::NeedsAddress { .. }
            | Self::AboveLimit(_)
            | Self::Claimed(_)
            | Self::Refused(_)
            | Self::Leaving(Step::Queued | Step::Signed | Step::Sent, _) => Some(RefundState::Pending),
        }
    }

    /// What it waits for, and why.
    pub fn wait(&self) -> Option<(RefundWait, &'static str)> {
        match self {
            Self::NeedsAddress { why, .. } => Some((RefundWait::Address, why.as_str())),
            Self::AboveLimit(_) => Some((RefundWait::Approval, LIMIT)),
            Self::Claimed(_) => Some((RefundWait::Approval, CLAIM)),
            Self::Dropped(_) | Self::Refused(_) | Self::Leaving(..) | Self::Ended(..) => None,
        }
    }
}
