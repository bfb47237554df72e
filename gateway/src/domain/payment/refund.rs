//! The refund of one deposit.

use checkout_core::Amount;
use checkout_core::wire::payment::{RefundReason, RefundStatus, RefundType};
use uuid::Uuid;

use crate::domain::chain::payout::Progress;

/// The refund of one deposit as it is stored, in atoms of the deposit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    pub plan: Plan,
    /// The cost of the chain, which the payer bears: `gross` less this is sent.
    pub fee: Amount,
    /// `None` when it cannot be refunded: nothing would be left, or no sender is known. The merchant keeps it.
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

/// What of a deposit goes back, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub kind: RefundType,
    pub reason: RefundReason,
    /// The fee included.
    pub gross: Amount,
}

impl Refund {
    /// It cannot be called back.
    pub fn is_binding(&self) -> bool {
        self.payout.as_ref().is_some_and(|payout| payout.progress.is_binding())
    }

    /// It failed, or could not be sent in the first place: the merchant keeps the money.
    pub fn is_impossible(&self) -> bool {
        self.payout.as_ref().is_none_or(|payout| payout.progress == Progress::Failed)
    }

    /// What does not stay with the merchant.
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
