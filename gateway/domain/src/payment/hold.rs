//! Reasons for holding a deposit other than its sender.

use checkout_core::Pair;

use super::PaymentWithDeposits;
use crate::business::Business;
use crate::chain::Transfer;
use crate::ledger::money::Money;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The business does not accept the currency, and the address was quoted for another one.
    Currency,
    /// Above the ledger's maximum.
    Amount,
}

impl Hold {
    pub const ALL: [(Self, &str); 2] = [(Self::Currency, "CURRENCY"), (Self::Amount, "AMOUNT")];

    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(known, _)| *known == self).map_or("", |(_, word)| word)
    }

    pub fn known(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == word).map(|(hold, _)| *hold)
    }

    /// Whether a transfer of this pair to a payment is held. A currency that was quoted for the payment stays
    /// accepted.
    pub fn of(
        business: &Business,
        record: &PaymentWithDeposits,
        transfer: &Transfer,
        pair: &Pair,
    ) -> Option<Self> {
        let was_quoted = || record.quotes.iter().any(|quote| quote.currency == transfer.currency);
        let network = transfer.output.network;
        if Money::of_amount(transfer.amount, pair).is_none() {
            Some(Self::Amount)
        } else {
            (!business.accepts_on(transfer.currency, network) && !was_quoted()).then_some(Self::Currency)
        }
    }
}
