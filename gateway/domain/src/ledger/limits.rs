//! Fees and limits of what leaves: withdrawals and refunds.

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

/// Nodes relay no less.
pub fn relayed(pair: &Pair) -> Amount {
    let smallest = pair.network.spec().smallest_transfer;
    Amount::parse(smallest, pair.decimals).expect("every row can be read: tested below")
}

/// The smallest refund, whoever asks for it: nodes relay it, and it is worth more than its fee.
pub fn smallest_refund(pair: &Pair, fee: Amount) -> Amount {
    let above_fee = Amount::from_atoms(fee.atoms() + 1).unwrap_or(Amount::MAX);
    relayed(pair).max(above_fee)
}

/// What is sent of a refund whose fee the payer pays. `None` if it is too small.
pub fn less_fee(gross: Amount, fee: Amount, pair: &Pair) -> Option<Amount> {
    gross.checked_sub(fee).filter(|left| *left >= smallest_refund(pair, fee))
}

/// The limits that apply to a currency on its [usual](pair::usual) networks: the highest fee now, the highest minimum,
/// the fewest decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurrencyLimits {
    pub fee: Money,
    pub minimum: Money,
    pub precision: u8,
}

pub fn of_currency(currency: Currency, fee: impl Fn(&Pair) -> Amount) -> CurrencyLimits {
    let pairs = || pair::usual(currency).filter(|pair| pair.withdrawal);
    let highest = |amount: &dyn Fn(&Pair) -> Amount| {
        let units = pairs().filter_map(|pair| Money::of_amount(amount(pair), pair)).map(|money| money.units);
        Money { asset: Asset::Crypto(currency), units: units.max().unwrap_or(0) }
    };
    CurrencyLimits {
        fee: highest(&fee),
        minimum: highest(&|pair| of(pair).minimum),
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
    use checkout_core::Network;

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
    fn refunds_are_relayed_and_worth_more_than_their_fee() {
        let check = |(currency, network), gross: &str, fee: &str, expected: Option<&str>| {
            let pair = pair::find(currency, network).unwrap();
            let parse = |text| Amount::parse(text, pair.decimals).unwrap();
            let left = less_fee(parse(gross), parse(fee), pair);
            assert_eq!(left, expected.map(parse), "{gross} {currency} less {fee}");
        };
        let (btc, usdt) = ((Currency::Btc, Network::Btc), (Currency::Usdt, Network::Trx));
        check(btc, "0.00006001", "0.00003", Some("0.00003001"));
        check(btc, "0.00006", "0.00003", None);
        check(btc, "0.00000295", "0.00000001", Some("0.00000294"));
        check(btc, "0.00000294", "0.00000001", None);
        check(btc, "0.00002", "0.00003", None);
        check(usdt, "2.000001", "1", Some("1.000001"));
        check(usdt, "2", "1", None);
        check(usdt, "50", "25", None);
        for pair in pair::EVERY_PAIR {
            assert!(smallest_refund(pair, of(pair).fee) < of(pair).minimum, "{pair:?}");
        }
    }

    #[test]
    fn limits_that_apply_to_every_network() {
        let check = |currency, fee, minimum, precision| {
            let limits = of_currency(currency, |pair| of(pair).fee);
            let have = (limits.fee.to_string(), limits.minimum.to_string(), limits.precision);
            assert_eq!(have, (String::from(fee), String::from(minimum), precision));
        };
        check(Currency::Btc, "0.00003", "0.0005", 8);
        check(Currency::Usdt, "1.5", "15", 6);
        check(Currency::Eth, "0.0006", "0.01", 18);
    }
}
