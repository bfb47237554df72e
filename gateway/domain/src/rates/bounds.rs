//! Plausible rates. A rate out of bounds is treated as an error of the feed until an operator has checked it.

use checkout_core::Decimal;

use super::asset::Asset;

/// The maximum change from the last valid rate: to twice or half of it.
pub const JUMP: u8 = 2;

/// The minimum and maximum price of one unit, in thousandths of a euro.
fn limits(asset: Asset) -> (u64, u64) {
    match asset {
        Asset::Crypto(currency) => currency.spec().sane_millieur,
        Asset::Gas(coin) => coin.sane_millieur,
        Asset::Fiat(fiat) => match fiat.code() {
            "EUR" => (1_000, 1_000),
            "USD" | "CHF" | "GBP" | "CAD" | "AUD" => (300, 3_000),
            "PLN" | "DKK" | "BRL" => (30, 1_000),
            "CZK" | "SEK" | "NOK" => (10, 500),
            "TRY" | "RUB" | "JPY" => (1, 200),
            _ => (1, 10_000),
        },
    }
}

/// Whether `rate` is a plausible price of one `from` in `to`.
pub fn is_sane(from: Asset, to: Asset, rate: Decimal) -> bool {
    let ((low, high), (to_low, to_high)) = (limits(from), limits(to));
    let product = |amount: u64| rate.checked_mul(Decimal::from(amount));
    // low / to_high <= rate <= high / to_low, without a division.
    let high_enough = product(to_high).is_none_or(|value| value >= Decimal::from(low));
    let low_enough = product(to_low).is_some_and(|value| value <= Decimal::from(high));
    high_enough && low_enough
}

/// Whether a rate differs from the last valid one by more than [`JUMP`].
pub fn jumps(last: Decimal, rate: Decimal) -> bool {
    let times = |rate: Decimal| rate.checked_mul(Decimal::from(JUMP));
    times(last).is_some_and(|most| rate > most) || times(rate).is_some_and(|most| last > most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkout_core::currency::EVERY_CURRENCY;
    use checkout_core::decimal;
    use checkout_wire::fiat::FIAT_CURRENCIES;

    #[test]
    fn sane_rates() {
        let check = |from: &str, to: &str, rate: &str, expected: bool| {
            let asset = |code| Asset::known(code).unwrap();
            let rate = decimal::parse(rate, 24).unwrap();
            assert_eq!(is_sane(asset(from), asset(to), rate), expected, "{from} {to} {rate}");
        };
        check("BTC", "EUR", "60000", true);
        check("BTC", "EUR", "600", false);
        check("BTC", "EUR", "60000000", false);
        check("BTC", "JPY", "9600000", true);
        check("BTC", "JPY", "1", false);
        check("USDT", "EUR", "0.92", true);
        check("USDT", "EUR", "0.10", false);
        check("USDT", "USDC", "1", true);
        check("USDT", "USDC", "10", false);
        check("EUR", "BTC", "0.0000166", true);
        check("EUR", "BTC", "0.166", false);
        check("JPY", "BTC", "0.000000104", true);
        check("XLM", "EUR", "0.1", true);
        check("XLM", "EUR", "60000", false);
        check("BTC", "EUR", "7000000000000000000000000000", false);
    }

    /// Every limit leaves a factor of four around the sandbox's prices.
    #[test]
    fn every_currency_has_limits_around_its_price() {
        for row in EVERY_CURRENCY {
            let price = decimal::parse(row.sandbox_eur, 8).unwrap();
            let is_stable = row.code.starts_with("USD");
            for factor in [Decimal::new(25, 2), Decimal::from(4)].into_iter().filter(|_| !is_stable) {
                let eur = Asset::known("EUR").unwrap();
                assert!(is_sane(Asset::Crypto(row.currency), eur, price * factor), "{} {factor}", row.code);
            }
        }
        for (code, _) in FIAT_CURRENCIES {
            assert_ne!(limits(Asset::known(code).unwrap()), (1, 10_000), "{code} has no limits");
        }
    }

    #[test]
    fn jumping_rates() {
        let check = |last: u64, rate: u64, expected| {
            assert_eq!(jumps(Decimal::from(last), Decimal::from(rate)), expected, "{last} {rate}");
        };
        check(60_000, 60_000, false);
        check(60_000, 120_000, false);
        check(60_000, 120_001, true);
        check(60_000, 30_000, false);
        check(60_000, 29_999, true);
        check(60_000, 6, true);
    }
}
