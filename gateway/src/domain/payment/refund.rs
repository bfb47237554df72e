//! The refund of one deposit.

use checkout_core::Amount;
use checkout_core::wire::payment::{RefundReason, RefundStatus, RefundType};
use uuid::Uuid;

use crate::domain::chain::payout::Progress;

/// The refund of one deposit as it is stored, in atoms of the deposit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    pub plan: Plan,
    /// The chain fee, paid by the payer: the payout sends `gross` less this fee.
    pub fee: Amount,
    /// `None` if a refund is not possible: nothing would be left, or no sender is known. The merchant keeps the money.
    pub payout: Option<Transfer>,
}

/// The transaction of a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    pub id: Uuid,
    pub progress: Progress,
    pub transaction_id: Option<String>,
    pub confirmed_at: Option<u64>,
}

/// The part of a deposit that goes back, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub kind: RefundType,
    pub reason: RefundReason,
    /// Includes the fee.
    pub gross: Amount,
}

impl Refund {
    /// Returns whether the refund can no longer be cancelled.
    pub fn is_binding(&self) -> bool {
        self.payout.as_ref().is_some_and(|payout| payout.progress.is_binding())
    }

    /// Returns whether the refund failed or could not be sent at all. The merchant keeps the money.
    pub fn is_impossible(&self) -> bool {
        self.payout.as_ref().is_none_or(|payout| payout.progress == Progress::Failed)
    }

    /// Returns the amount that the merchant does not keep.
    pub fn returned(&self) -> Amount {
        if self.is_impossible() { Amount::ZERO } else { self.plan.gross }
    }

    pub fn status(&self) -> RefundStatus {
        match &self.payout {
            Some(payout) if payout.progress.is_confirmed() => RefundStatus::Confirmed,
            _ if self.is_impossible() => RefundStatus::NonRefundable,
            _ => RefundStatus::Pending,
        }
    }
}
