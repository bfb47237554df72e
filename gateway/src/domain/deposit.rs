//! One on-chain output that pays to one of our addresses.

use checkout_core::wire::RateType;
use checkout_core::{Amount, Currency, Decimal, Network, Pair, pair};
use uuid::Uuid;

use super::payment::{Payment, Price, Quote};
use super::refund::Refund;
use super::screening::Screening;
use super::withdrawal::AddressOwner;

/// What a chain says of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputState {
    /// Seen, and it can still vanish.
    Unconfirmed,
    /// In the best chain with enough confirmations.
    Confirmed,
    /// Gone: double-spent, or left behind by a reorganisation.
    Vanished,
}

/// The key of an output: credited exactly once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OutputId {
    pub network: Network,
    pub transaction: String,
    pub index: u32,
}

/// A transfer as a chain reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    pub output: OutputId,
    pub currency: Currency,
    pub amount: Amount,
    /// In the normal form of the core.
    pub to: String,
    pub tag: Option<String>,
    pub from: String,
    /// In the network's own coin.
    pub fee: String,
    /// UNIX second of first sight.
    pub seen_at: u64,
    pub state: OutputState,
    /// It signals that the sender may replace it, or another transfer spends the same: first sight proves nothing.
    pub replaceable: bool,
}

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
    /// It counts at first sight: on a chain of instant deposits, and the double-spend check was passed.
    pub instant: bool,
    /// Display currency per whole coin, as counted when received.
    pub rate: Decimal,
    /// EUR per whole coin.
    pub uniform_rate: Decimal,
    /// FIXED when the quoted rate held.
    pub rate_type: RateType,
    pub display_amount: Decimal,
    pub uniform_amount: Decimal,
    /// The place of its first sight among the events of the payment.
    pub seen_seq: u32,
    /// The place at which it was confirmed and cleared; `None` before.
    pub confirmed_seq: Option<u32>,
    pub screening: Screening,
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

    /// The deposit as an amount of the quoted currency: itself where that is what came, else by worth.
    pub fn in_currency_of(&self, quote: &Quote) -> Amount {
        if self.currency == quote.currency {
            return rescale(self.amount, self.pair().decimals, quote.pair().decimals);
        }
        self.by_worth(quote)
    }

    /// What the deposit covers of the quote.
    ///
    /// A price in the display currency is covered by worth: a deposit that came at another rate than the
    /// quoted one covers more or less than its amount. A price in crypto is covered by the amount.
    pub fn covers(&self, payment: &Payment, quote: &Quote) -> Amount {
        let by_amount = match payment.price {
            Price::Display(_) => self.rate == quote.terms.rate,
            Price::Crypto { .. } => true,
        };
        if self.currency == quote.currency && by_amount {
            return self.in_currency_of(quote);
        }
        self.by_worth(quote)
    }

    /// Its worth at the rate of receipt in units of the quote, rounded down.
    fn by_worth(&self, quote: &Quote) -> Amount {
        let decimals = quote.pair().decimals;
        let exact = || {
            let coins = coins(self.amount, self.pair().decimals)?;
            let quoted = coins.checked_mul(self.rate)?.checked_div(quote.terms.rate)?;
            let text = quoted.trunc_with_scale(u32::from(decimals)).normalize().to_string();
            Amount::parse(&text, decimals).ok()
        };
        // Beyond 28 digits (billions of coins) only the size of the sum matters.
        exact().unwrap_or_else(|| rescale(self.amount, self.pair().decimals, decimals))
    }
}

fn coins(amount: Amount, decimals: u8) -> Option<Decimal> {
    let atoms = i128::try_from(amount.atoms()).ok()?;
    Decimal::try_from_i128_with_scale(atoms, u32::from(decimals)).ok()
}

/// The same number of coins in other atoms, rounded down.
pub fn rescale(amount: Amount, from: u8, to: u8) -> Amount {
    let power = 10_u128.pow(u32::from(from.abs_diff(to)));
    let atoms = if from > to { Some(amount.atoms() / power) } else { amount.atoms().checked_mul(power) };
    atoms.and_then(|atoms| Amount::from_atoms(atoms).ok()).unwrap_or(Amount::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_coins_in_other_atoms() {
        let check = |atoms, from, to, expected| {
            assert_eq!(rescale(Amount::from_atoms(atoms).unwrap(), from, to).atoms(), expected);
        };
        check(1_500_000, 6, 18, 1_500_000_000_000_000_000);
        check(1_500_000_999_999_999_999, 18, 6, 1_500_000);
        check(7, 8, 8, 7);
        check(0, 6, 18, 0);
        check(u128::from(u64::MAX) * 1_000_000_000_000, 6, 18, Amount::MAX.atoms());
    }
}
