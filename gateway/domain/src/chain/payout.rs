//! Payouts: the common part of refunds and withdrawals.

use checkout_core::{Amount, Pair};
use uuid::Uuid;

use crate::ids::BusinessId;

/// The reason for a payout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Of a deposit, automatically.
    Refund,
    Withdrawal,
    /// A refund that the merchant asked for: a withdrawal whose payment is known.
    MerchantRefund,
}

impl Purpose {
    /// Whether it is charged to a balance, with a row of its own among the withdrawals.
    pub fn is_charged(self) -> bool {
        matches!(self, Self::Withdrawal | Self::MerchantRefund)
    }

    /// Whether a payment shows it.
    pub fn has_payment(self) -> bool {
        matches!(self, Self::Refund | Self::MerchantRefund)
    }
}

crate::words! {
    /// The state of a payout. Each step is stored before the next one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Progress {
        /// Reserved, without an address.
        Unaddressed = "UNADDRESSED",
        /// Reserved; no transaction yet.
        Waiting = "WAITING",
        /// The signed bytes are stored; they may be on the chain.
        Signed = "SIGNED",
        /// The network accepted it.
        Sent = "SENT",
        /// In a block that can still leave the chain; then it is `Sent` again.
        Confirmed = "CONFIRMED",
        /// In a final block.
        Final = "FINAL",
        /// Cancelled before it was signed.
        Cancelled = "CANCELLED",
        /// It never was on a chain and never will be.
        Failed = "FAILED",
        /// A final block has it, and it moved nothing.
        Reverted = "REVERTED",
    }
}

impl Progress {
    /// Whether it can no longer be cancelled: it is signed.
    pub fn is_binding(self) -> bool {
        matches!(self, Self::Signed | Self::Sent) || self.is_confirmed()
    }

    pub fn is_confirmed(self) -> bool {
        matches!(self, Self::Confirmed | Self::Final)
    }
}

#[derive(Clone, Debug)]
pub struct Payout {
    pub id: Uuid,
    pub business: BusinessId,
    pub purpose: Purpose,
    pub pair: &'static Pair,
    pub amount: Amount,
    /// In the normal form.
    pub to: String,
    pub tag: Option<String>,
    pub progress: Progress,
    pub signed: Option<Signed>,
    /// A refund to an address that was given, not to the sender of the deposit.
    pub claimed: bool,
    pub created_at: u64,
}

impl Payout {
    /// One that nobody asked for, of nothing, so that the account needs no money: its network says what such a one costs.
    pub fn unaddressed(pair: &'static Pair) -> Self {
        Self {
            id: Uuid::nil(),
            business: BusinessId(Uuid::nil()),
            purpose: Purpose::Withdrawal,
            pair,
            amount: Amount::ZERO,
            to: String::new(),
            tag: None,
            progress: Progress::Unaddressed,
            signed: None,
            claimed: false,
            created_at: 0,
        }
    }
}

/// A transaction that can be broadcast repeatedly and moves money once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    pub transaction_id: String,
    pub bytes: Vec<u8>,
    /// Its sequence number, on chains where accounts number their transactions.
    pub sequence: Option<Sequence>,
}

/// The chain accepts only one transaction per number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The sending account, in normal form.
    pub account: String,
    pub number: u64,
}
