//! What it costs to send on a chain, and how much can be withdrawn: one row per pair.

use checkout_core::pair::PAIRS;
use checkout_core::{Amount, Currency, Network, Pair};

use crate::domain::ledger::money::Money;
use crate::domain::rates::asset::Asset;

/// One row of [`ROWS`], in whole coins.
struct Row {
    currency: Currency,
    network: Network,
    /// The cost of the chain, which the recipient of a refund or the merchant bears.
    fee: &'static str,
    minimum: &'static str,
    maximum: &'static str,
}

/// Fees cover the chains on a busy day; a minimum is at least ten of them, except where dust rules and reserves ask
/// for more.
const ROWS: [Row; 14] = [
    row(Currency::Btc, Network::Btc, "0.00003", "0.0005", "50"),
    row(Currency::Bch, Network::Bch, "0.00001", "0.005", "5000"),
    row(Currency::Ltc, Network::Ltc, "0.0001", "0.02", "20000"),
    row(Currency::Eth, Network::Eth, "0.0006", "0.01", "1000"),
    row(Currency::Eth, Network::Bsc, "0.00005", "0.002", "500"),
    row(Currency::Usdc, Network::Eth, "1.5", "15", "1000000"),
    row(Currency::Usdc, Network::Bsc, "0.2", "5", "500000"),
    row(Currency::Usdc, Network::Trx, "1", "10", "500000"),
    row(Currency::Usdt, Network::Eth, "1.5", "15", "1000000"),
    row(Currency::Usdt, Network::Bsc, "0.2", "5", "500000"),
    row(Currency::Usdt, Network::Trx, "1", "10", "1000000"),
    row(Currency::Xrp, Network::Xrp, "0.001", "10", "2000000"),
    row(Currency::Xlm, Network::Xlm, "0.001", "20", "5000000"),
    row(Currency::Link, Network::Eth, "0.1", "1", "50000"),
];

const fn row(
    currency: Currency,
    network: Network,
    fee: &'static str,
    minimum: &'static str,
    maximum: &'static str,
) -> Row {
    Row { currency, network, fee, minimum, maximum }
}

/// The limits of a pair, in its atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub fee: Amount,
    pub minimum: Amount,
    pub maximum: Amount,
}

pub fn of(pair: &Pair) -> Limits {
    let row = ROWS.iter().find(|row| (row.currency, row.network) == (pair.currency, pair.network));
    let row = row.expect("every pair has a row: tested below");
    let amount = |text| Amount::parse(text, pair.decimals).expect("every row can be read: tested below");
    Limits { fee: amount(row.fee), minimum: amount(row.minimum), maximum: amount(row.maximum) }
}

/// What holds for a currency on whichever network: the highest fee, the highest minimum, the fewest decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurrencyLimits {
    pub fee: Money,
    pub minimum: Money,
    pub precision: u8,
}

pub fn of_currency(currency: Currency) -> CurrencyLimits {
    let pairs = || PAIRS.iter().filter(|pair| pair.currency == currency && pair.withdrawal);
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

/// Cuts off what is finer than the step of amounts that we compute.
pub fn cut_to_step(amount: Amount, pair: &Pair) -> Amount {
    let step = 10_u128.pow(u32::from(pair.decimals - pair.quote_precision));
    Amount::from_atoms(amount.atoms() - amount.atoms() % step).unwrap_or(amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_sound_limits() {
        assert_eq!(ROWS.len(), PAIRS.len());
        for pair in &PAIRS {
            let limits = of(pair);
            assert!(limits.fee < limits.minimum && limits.minimum < limits.maximum, "{pair:?} {limits:?}");
            assert!(!limits.fee.is_zero(), "{pair:?}");
            for amount in [limits.fee, limits.minimum, limits.maximum] {
                assert_eq!(cut_to_step(amount, pair), amount, "{pair:?}");
            }
        }
    }

    #[test]
    fn what_holds_on_every_network() {
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
