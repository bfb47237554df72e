//! How far a refund is.

use checkout_wire::create_withdrawal::WithdrawalStatus;
use checkout_wire::payment::RefundWait;
use checkout_wire::refunds::RefundState;
use uuid::Uuid;

use crate::chain::payout::Payout;
use crate::chain::payout::state::Progress;
use crate::chain::refund_address::NoRefundAddress;
use crate::withdrawal::Withdrawal;
use crate::withdrawal::rules::{Approval, Unapproved};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing goes back of its deposit now: it is listed nowhere.
    Dropped,
    NeedsAddress(NoRefundAddress),
    NeedsApproval(Unapproved),
    /// The merchant refused what the payer asked for, and the money is not back on the balance yet.
    Refused,
    /// It waits to be signed.
    Queued(Transfer),
    Signed(Transfer),
    Sent(Transfer),
    Confirmed(Transfer),
    Ended(End),
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
}

impl Transfer {
    /// Of a payout that is not signed.
    pub fn of(payout: &Payout) -> Self {
        Self { payout: payout.id, transaction_id: None, confirmed_at: None, planned_at: payout.created_at }
    }
}

impl Phase {
    /// The state of one that does not wait, by its payout.
    pub fn of(progress: Progress, transfer: Transfer) -> Option<Self> {
        match progress {
            Progress::Waiting => Some(Self::Queued(transfer)),
            Progress::Signed => Some(Self::Signed(transfer)),
            Progress::Sent => Some(Self::Sent(transfer)),
            Progress::Confirmed | Progress::Final => Some(Self::Confirmed(transfer)),
            Progress::Unaddressed | Progress::Cancelled | Progress::Failed | Progress::Reverted => None,
        }
    }

    /// `None` if its payout is in no state of a refund.
    pub(super) fn of_charge(
        charge: &Withdrawal,
        (progress, confirmed_at): (Progress, Option<u64>),
        is_claim: bool,
    ) -> Option<Self> {
        let why = if is_claim { Unapproved::Claim } else { Unapproved::Limit };
        let transaction_id = charge.transaction_id.clone();
        let transfer =
            Transfer { payout: charge.id, transaction_id, confirmed_at, planned_at: charge.created_at };
        match (progress, charge.status, charge.approval) {
            (Progress::Cancelled, ..) => Some(Self::Ended(End::Cancelled)),
            (_, WithdrawalStatus::Blocked, _) => Some(Self::Ended(End::Blocked)),
            (_, WithdrawalStatus::Failed, _) => Some(Self::Ended(End::Failed)),
            (Progress::Unaddressed, ..) => Some(Self::NeedsAddress(NoRefundAddress::NotGiven)),
            (Progress::Waiting, _, Some(Approval::Waiting)) => Some(Self::NeedsApproval(why)),
            (Progress::Waiting, _, Some(Approval::Rejected)) => Some(Self::Refused),
            (progress, ..) => Self::of(progress, transfer),
        }
    }

    /// That of an automatic refund that does not wait.
    pub fn of_deposit(progress: Progress, transfer: Transfer) -> Option<Self> {
        match progress {
            Progress::Failed => Some(Self::Ended(End::NotWorthItsFee)),
            progress => Self::of(progress, transfer),
        }
    }

    pub fn queued(payout: &Payout) -> Self {
        Self::Queued(Transfer::of(payout))
    }

    pub fn transfer(&self) -> Option<&Transfer> {
        match self {
            Self::Queued(transfer)
            | Self::Signed(transfer)
            | Self::Sent(transfer)
            | Self::Confirmed(transfer) => Some(transfer),
            Self::Dropped
            | Self::NeedsAddress(_)
            | Self::NeedsApproval(_)
            | Self::Refused
            | Self::Ended(_) => None,
        }
    }

    /// As it is listed.
    pub fn status(&self) -> Option<RefundState> {
        Some(match self {
            Self::Dropped => return None,
            Self::Confirmed(_) => RefundState::Confirmed,
            Self::Ended(End::NotWorthItsFee) => RefundState::NonRefundable,
            Self::Ended(End::Failed) => RefundState::Failed,
            Self::Ended(End::Blocked) => RefundState::Blocked,
            Self::Ended(End::Cancelled) => RefundState::Cancelled,
            Self::NeedsAddress(_)
            | Self::NeedsApproval(_)
            | Self::Refused
            | Self::Queued(_)
            | Self::Signed(_)
            | Self::Sent(_) => RefundState::Pending,
        })
    }

    /// What it waits for, and why.
    pub fn wait(&self) -> Option<(RefundWait, &'static str)> {
        match self {
            Self::NeedsAddress(why) => Some((RefundWait::Address, why.as_str())),
            Self::NeedsApproval(why) => Some((RefundWait::Approval, why.as_str())),
            Self::Dropped
            | Self::Refused
            | Self::Queued(_)
            | Self::Signed(_)
            | Self::Sent(_)
            | Self::Confirmed(_)
            | Self::Ended(_) => None,
        }
    }

    pub fn waiting(word: &str, why: &str) -> Option<Self> {
        match RefundWait::known(word)? {
            RefundWait::Address => NoRefundAddress::known(why).map(Self::NeedsAddress),
            // An operator decides, whatever another version held it for.
            RefundWait::Approval => {
                Unapproved::known(why).or(Some(Unapproved::Limit)).map(Self::NeedsApproval)
            }
        }
    }
}
