//! Withdrawal fees and limits.

use checkout_core::{Amount, Currency, Pair, pair};

use crate::ledger::money::Money;
use crate::rates::asset::Asset;

/// The limits of a pair, in atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub fee: Amount,
    pub minimum: Amount,
    pub maximum: Amount,
}

pub fn of(pair: &Pair) -> Limits {
    let amount = |text| Amount::parse(text, pair.decimals).expect("every row can be read: tested below");
    let pair_limits = &pair.limits;
    Limits {
        fee: amount(pair_limits.fee),
        minimum: amount(pair_limits.minimum),
        maximum: amount(pair_limits.maximum),
    }
}

/// The upper bound of dust: a thousandth of the smallest withdrawal.
pub fn dust(pair: &Pair) -> Amount {
    Amount::from_atoms(of(pair).minimum.atoms() / 1_000).unwrap_or(Amount::ZERO)
}

/// The limits that apply to a currency on its [usual](pair::usual) networks: the highest fee, the highest minimum, the
/// fewest decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurrencyLimits {
    pub fee: Money,
    pub minimum: Money,
    pub precision: u8,
}

pub fn of_currency(currency: Currency) -> CurrencyLimits {
    let pairs = || pair::usual(currency).filter(|pair| pair.withdrawal);
    let highest = |amount: fn(Limits) -> Amount| {
        let units =
            pairs().filter_map(|pair| Money::of_amount(amount(of(pair)), pair)).map(|money| money.units);
        Money { asset: Asset::Crypto(currency), units: units.max().unwrap_or(0) }
    };
    CurrencyLimits {
        fee: highest(|limits| limits.fee),
        minimum: highest(|limits| limits.minimum),
        precision: pairs().map(|pair| pair.decimals).min().unwrap_or(0),
    }
}

/// Rounds down to the precision of computed amounts.
pub fn cut_to_step(amount: Amount, pair: &Pair) -> Amount {
    let step = 10_u128.pow(u32::from(pair.decimals - pair.quote_precision));
    Amount::from_atoms(amount.atoms() - amount.atoms() % step).unwrap_or(amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_valid_limits() {
        for pair in pair::EVERY_PAIR {
            let limits = of(pair);
            assert!(limits.fee < limits.minimum && limits.minimum < limits.maximum, "{pair:?} {limits:?}");
            assert!(!limits.fee.is_zero(), "{pair:?}");
            for amount in [limits.fee, limits.minimum, limits.maximum] {
                assert_eq!(cut_to_step(amount, pair), amount, "{pair:?}");
            }
        }
    }

    #[test]
    fn limits_that_apply_to_every_network() {
        let check = |currency, fee, minimum, precision| {
            let limits = of_currency(currency);
            let have = (limits.fee.to_string(), limits.minimum.to_string(), limits.precision);
            assert_eq!(have, (String::from(fee), String::from(minimum), precision));
        };
        check(Currency::Btc, "0.00003", "0.0005", 8);
        check(Currency::Usdt, "1.5", "15", 6);
        check(Currency::Eth, "0.0006", "0.01", 18);
    }
}
