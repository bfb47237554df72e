//! Payouts: the common part of refunds and withdrawals.

pub mod hold;
pub mod state;
pub mod step;
pub mod why;

use checkout_core::{Amount, Pair};
use uuid::Uuid;

use self::hold::Hold;
use self::state::PayoutState;
use self::why::Why;
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payout {
    pub id: Uuid,
    pub business: BusinessId,
    pub purpose: Purpose,
    pub pair: &'static Pair,
    pub amount: Amount,
    /// In the normal form.
    pub to: String,
    pub tag: Option<String>,
    /// A refund to an address that was given, not to the sender of the deposit.
    pub claimed: bool,
    pub created_at: u64,
    pub state: PayoutState,
    pub hold: Hold,
    /// Why it did not leave when that was tried last.
    pub why: Option<Why>,
    /// How often it was changed. A change of what was read before another change is not stored.
    pub revision: u64,
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
            claimed: false,
            created_at: 0,
            state: PayoutState::Unaddressed,
            hold: Hold::Free,
            why: None,
            revision: 0,
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

#[cfg(test)]
pub(crate) mod fixture {
    use checkout_core::{Currency, Network, pair};

    use super::*;

    /// A withdrawal that waits.
    pub(crate) fn payout() -> Payout {
        let pair = pair::find(Currency::Xrp, Network::Xrp).unwrap();
        Payout {
            id: Uuid::from_u128(1),
            to: "r".to_owned(),
            state: PayoutState::Waiting,
            ..Payout::unaddressed(pair)
        }
    }
}
