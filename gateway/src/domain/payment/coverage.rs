//! How much of the price the deposits cover.
//!
//! Each quote values the transfers that follow it: an amount of one quote counts as the same share of
//! another.

use checkout_core::money::mul_div;
use checkout_core::{Amount, Decimal};

use super::deposit::Deposit;
use super::{PaymentWithDeposits, Price, Quote};
use crate::domain::chain::Transfer;
use crate::domain::ledger::money::Round;

impl PaymentWithDeposits {
    /// The index in [`PaymentWithDeposits::quotes`] of the quote that values a transfer: the last one shown
    /// for its currency, preferably on its network, if the transfer was seen within that quote's window.
    pub fn quote_for(&self, transfer: &Transfer) -> Option<(u32, &Quote)> {
        let seen_at = transfer.seen_at;
        let shown = (0..).zip(&self.quotes).filter(|(_, quote)| {
            quote.currency == transfer.currency
                && quote.fiat == self.payment.display_currency
                && seen_at < self.payment.quote_end(quote)
        });
        shown.max_by_key(|(place, quote)| {
            (quote.requested_at <= seen_at, quote.network == transfer.output.network, *place)
        })
    }

    /// The quote that valued a deposit.
    pub fn quote_of(&self, deposit: &Deposit) -> Option<&Quote> {
        deposit.quote.and_then(|place| self.quotes.get(usize::try_from(place).ok()?))
    }

    /// The sum covered by the deposits, in atoms of `quote`.
    ///
    /// Deposits cover their quoted amounts. If these fall short at a floating rate, the value at receipt
    /// counts if it is higher, up to the price: a rising rate creates no excess.
    pub fn covered<'a>(&self, quote: &Quote, deposits: impl Iterator<Item = &'a Deposit>) -> Amount {
        let mut cover = Cover::default();
        for deposit in deposits {
            cover.add(self, quote, deposit);
        }
        cover.of(quote)
    }

    /// The amount covered by one deposit by its quote, or by its value without one, in atoms of `quote`.
    pub fn covers(&self, quote: &Quote, deposit: &Deposit) -> Amount {
        if matches!(self.payment.price, Price::Crypto { .. }) && deposit.currency == quote.currency {
            return deposit.rescaled(quote);
        }
        let Some(judge) = self.quote_of(deposit) else { return deposit.value_in(quote) };
        let (amount, whole) = (deposit.rescaled(judge).atoms(), judge.terms.expected.atoms());
        if whole == quote.terms.expected.atoms() {
            return deposit.rescaled(judge);
        }
        let share = mul_div(quote.terms.expected.atoms(), amount, whole, Round::Down);
        share.and_then(|atoms| Amount::from_atoms(atoms).ok()).unwrap_or(Amount::MAX)
    }

    fn covers_at_receipt(&self, quote: &Quote, deposit: &Deposit) -> Amount {
        match self.quote_of(deposit) {
            Some(judge) if deposit.rate == judge.terms.rate => self.covers(quote, deposit),
            _ => deposit.value_in(quote),
        }
    }

    /// A deposit as an amount of the quoted currency: its own amount in that currency, otherwise the amount
    /// that it covers.
    pub fn in_currency_of(&self, quote: &Quote, deposit: &Deposit) -> Amount {
        if deposit.currency == quote.currency {
            return deposit.rescaled(quote);
        }
        self.covers(quote, deposit)
    }
}

/// Deposits that are valued together.
#[derive(Debug, Default)]
pub struct Cover {
    quoted: Amount,
    received: Amount,
}

impl Cover {
    pub fn add(&mut self, record: &PaymentWithDeposits, quote: &Quote, deposit: &Deposit) {
        self.quoted = plus(self.quoted, record.covers(quote, deposit));
        self.received = plus(self.received, record.covers_at_receipt(quote, deposit));
    }

    /// The amount that they cover, in atoms of the quote.
    pub fn of(&self, quote: &Quote) -> Amount {
        let expected = quote.terms.expected;
        if self.quoted >= expected { self.quoted } else { self.quoted.max(self.received.min(expected)) }
    }
}

impl Deposit {
    /// The same number of coins in atoms of a quote.
    pub fn rescaled(&self, quote: &Quote) -> Amount {
        rescale(self.amount, self.pair().decimals, quote.pair().decimals)
    }

    /// Its value at the rate of receipt in units of the quote, rounded down.
    fn value_in(&self, quote: &Quote) -> Amount {
        let decimals = quote.pair().decimals;
        let exact = || {
            let coins = coins(self.amount, self.pair().decimals)?;
            let quoted = coins.checked_mul(self.rate)?.checked_div(quote.terms.rate)?;
            let text = quoted.trunc_with_scale(u32::from(decimals)).normalize().to_string();
            Amount::parse(&text, decimals).ok()
        };
        // Beyond 28 digits (billions of coins) only the magnitude matters.
        exact().unwrap_or_else(|| rescale(self.amount, self.pair().decimals, decimals))
    }
}

fn coins(amount: Amount, decimals: u8) -> Option<Decimal> {
    let atoms = i128::try_from(amount.atoms()).ok()?;
    Decimal::try_from_i128_with_scale(atoms, u32::from(decimals)).ok()
}

pub fn plus(a: Amount, b: Amount) -> Amount {
    a.checked_add(b).unwrap_or(Amount::MAX)
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
