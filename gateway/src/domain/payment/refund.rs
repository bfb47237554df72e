//! The refund of one deposit.

use checkout_core::Amount;
use checkout_core::wire::payment::{RefundReason, RefundStatus, RefundType};
use uuid::Uuid;

use crate::domain::chain::payout::Progress;

/// The stored refund of one deposit, in atoms of the deposit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    pub plan: Plan,
    /// The chain fee, which the payer pays: `gross` minus this is sent.
    pub fee: Amount,
    /// `None` if it cannot be refunded: nothing would remain, or the sender is unknown. The merchant keeps
    /// it.
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

/// The refunded part of a deposit, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub kind: RefundType,
    pub reason: RefundReason,
    /// Including the fee.
    pub gross: Amount,
}

impl Refund {
    /// It can no longer be cancelled.
    pub fn is_binding(&self) -> bool {
        self.payout.as_ref().is_some_and(|payout| payout.progress.is_binding())
    }

    /// It failed or was impossible: the merchant keeps the money.
    pub fn is_impossible(&self) -> bool {
        self.payout.as_ref().is_none_or(|payout| payout.progress == Progress::Failed)
    }

    /// The amount that the merchant does not keep.
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
