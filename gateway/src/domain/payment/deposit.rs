//! A deposit: one on-chain output that pays an address of a payment.

use checkout_core::wire::RateType;
use checkout_core::{Amount, Currency, Decimal, Pair, pair};
use uuid::Uuid;

use super::refund::Refund;
use crate::domain::chain::screening::{AddressOwner, Screening};
use crate::domain::chain::{OutputId, OutputState};

/// A transfer that was credited to a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deposit {
    pub id: Uuid,
    pub output: OutputId,
    pub currency: Currency,
    pub amount: Amount,
    pub to: String,
    pub tag: Option<String>,
    pub from: String,
    pub fee: String,
    pub seen_at: u64,
    pub state: OutputState,
    /// Counts at first sight: the network has instant deposits, and the double-spend check passed.
    pub instant: bool,
    /// Display currency per whole coin, at receipt.
    pub rate: Decimal,
    /// EUR per whole coin.
    pub uniform_rate: Decimal,
    /// FIXED if the quoted rate held.
    pub rate_type: RateType,
    pub display_amount: Decimal,
    pub uniform_amount: Decimal,
    /// Sequence number of the first sight among the events of the payment.
    pub seen_seq: u32,
    /// Sequence number at which the deposit was confirmed and cleared; `None` before.
    pub confirmed_seq: Option<u32>,
    pub screening: Screening,
    /// Owner of the sender's address, if the deposit was flagged.
    pub sender: Option<AddressOwner>,
    /// The refund of this deposit.
    pub refund: Option<Refund>,
}

impl Deposit {
    pub fn pair(&self) -> &'static Pair {
        pair::find(self.currency, self.output.network).expect("only supported pairs are credited")
    }

    /// Returns whether the deposit is on a chain or pending, and not refused.
    pub fn stands(&self) -> bool {
        self.state != OutputState::Vanished && self.screening != Screening::Refused
    }

    /// Returns whether the deposit is confirmed and its sender is cleared. A flagged deposit appears unconfirmed.
    pub fn is_confirmed(&self) -> bool {
        self.state == OutputState::Confirmed && self.screening.is_cleared()
    }

    /// Returns whether the deposit is confirmed and held apart from the merchant's money.
    pub fn is_held(&self) -> bool {
        self.state == OutputState::Confirmed && self.screening.is_held()
    }

    /// Returns whether the deposit is part of the `actual*` sums and its callback is due: confirmed, or instant at
    /// first sight, and with a cleared sender.
    pub fn counts(&self) -> bool {
        match self.state {
            OutputState::Confirmed => self.screening.is_cleared(),
            OutputState::Unconfirmed => self.instant && self.screening.is_cleared(),
            OutputState::Vanished => false,
        }
    }
}
