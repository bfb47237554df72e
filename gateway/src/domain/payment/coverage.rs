//! How much of a quote a deposit covers.

use checkout_core::{Amount, Decimal};

use super::deposit::Deposit;
use super::{Payment, Price, Quote};

impl Deposit {
    /// Returns the deposit as an amount of the quoted currency: its own amount in that currency, otherwise converted by
    /// value.
    pub fn in_currency_of(&self, quote: &Quote) -> Amount {
        if self.currency == quote.currency {
            return rescale(self.amount, self.pair().decimals, quote.pair().decimals);
        }
        self.by_worth(quote)
    }

    /// Returns the amount of the quote that the deposit covers.
    ///
    /// A price in the display currency is covered by value: a deposit at another rate than the quoted one covers more
    /// or less than its amount. A price in crypto is covered by amount.
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

    /// Converts the deposit's value at the rate of receipt to units of the quote, rounded down.
    fn by_worth(&self, quote: &Quote) -> Amount {
        let decimals = quote.pair().decimals;
        let exact = || {
            let coins = coins(self.amount, self.pair().decimals)?;
            let quoted = coins.checked_mul(self.rate)?.checked_div(quote.terms.rate)?;
            let text = quoted.trunc_with_scale(u32::from(decimals)).normalize().to_string();
            Amount::parse(&text, decimals).ok()
        };
        // Above 28 digits (billions of coins), only the magnitude matters.
        exact().unwrap_or_else(|| rescale(self.amount, self.pair().decimals, decimals))
    }
}

fn coins(amount: Amount, decimals: u8) -> Option<Decimal> {
    let atoms = i128::try_from(amount.atoms()).ok()?;
    Decimal::try_from_i128_with_scale(atoms, u32::from(decimals)).ok()
}

/// Converts a number of coins to other atoms, rounded down.
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
