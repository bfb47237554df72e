//! One on-chain output that pays to one of our addresses.

use checkout_core::wire::RateType;
use checkout_core::{Amount, Currency, Decimal, Pair, pair};
use uuid::Uuid;

use super::hold::Hold;
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
    /// The tag that a refund goes back with.
    pub from_tag: Option<String>,
    pub fee: String,
    pub seen_at: u64,
    pub state: OutputState,
    /// It counts at first sight: on a chain of instant deposits, and the double-spend check was passed.
    pub instant: bool,
    /// Display currency per whole coin, as counted when received.
    pub rate: Decimal,
    /// EUR per whole coin.
    pub uniform_rate: Decimal,
    /// FIXED when the quoted rate held.
    pub rate_type: RateType,
    /// The quote that judges it, by its place among those of the payment; `None` judges it by its value.
    pub quote: Option<u32>,
    pub display_amount: Decimal,
    pub uniform_amount: Decimal,
    /// The place of its first sight among the events of the payment.
    pub seen_seq: u32,
    /// The place at which it was confirmed and cleared; `None` before.
    pub confirmed_seq: Option<u32>,
    pub screening: Screening,
    /// Why it is held although its sender is cleared.
    pub hold: Option<Hold>,
    /// Whose address a flagged one came from.
    pub sender: Option<AddressOwner>,
    /// What of it goes back.
    pub refund: Option<Refund>,
}

impl Deposit {
    pub fn pair(&self) -> &'static Pair {
        pair::find(self.currency, self.output.network).expect("only supported pairs are credited")
    }

    /// On a chain, or on its way, and not refused.
    pub fn stands(&self) -> bool {
        self.state != OutputState::Vanished && self.screening != Screening::Refused
    }

    /// On the chain for sure, and its sender is cleared: a flagged one looks as if it were never confirmed.
    pub fn is_confirmed(&self) -> bool {
        self.state == OutputState::Confirmed && self.screening.is_cleared()
    }

    /// On the chain for sure, and kept apart from the merchant's money.
    pub fn is_held(&self) -> bool {
        self.state == OutputState::Confirmed && self.screening.is_held()
    }

    /// It belongs into the `actual*` sums and its callback is due: confirmed, or instant at first sight.
    pub fn counts(&self) -> bool {
        match self.state {
            OutputState::Confirmed => self.screening.is_cleared(),
            OutputState::Unconfirmed => self.instant && self.screening.is_cleared(),
            OutputState::Vanished => false,
        }
    }
}
