//! Fiat amounts and rates: `rust_decimal`, parsed with the same strict grammar as on-chain amounts, and the
//! two conversions between fiat and chain.

use rust_decimal::Decimal;

use super::amount::Amount;
use super::digits::{self, AmountError};
use super::wide::Wide;

/// Parses a fiat amount or a rate with at most `max_decimals` places. Nothing is rounded.
pub fn parse(text: &str, max_decimals: u8) -> Result<Decimal, AmountError> {
    let digits = digits::split(text)?;
    if digits.fraction.len() > usize::from(max_decimals) {
        return Err(AmountError::TooManyDecimals { allowed: max_decimals });
    }
    let mantissa = digits::append(0, digits.whole)
        .and_then(|value| digits::append(value, digits.fraction))
        .and_then(|value| i128::try_from(value).ok())
        .ok_or(AmountError::TooLarge)?;
    let scale = u32::try_from(digits.fraction.len()).map_err(|_| AmountError::TooLarge)?;
    Decimal::try_from_i128_with_scale(mantissa, scale).map_err(|_| AmountError::TooLarge)
}

/// The crypto amount that covers `fiat` at `rate` (fiat per whole coin), **rounded up** to `precision`
/// decimal places, so that the merchant never receives less than the price.
///
/// Fails above [`Amount::MAX`] and for a rate of zero.
///
/// ```
/// use crypto_checkout_core::decimal::{parse, quote_up};
///
/// let (price, rate) = (parse("19.99", 2).unwrap(), parse("60000", 2).unwrap());
/// assert_eq!(quote_up(price, rate, 8, 8).unwrap().to_text(8), "0.00033317");
/// ```
pub fn quote_up(fiat: Decimal, rate: Decimal, decimals: u8, precision: u8) -> Result<Amount, AmountError> {
    let precision = precision.min(decimals);
    let (numerator, denominator) = (Wide::from(unsigned(fiat)?), Wide::from(unsigned(rate)?));
    if rate.is_zero() {
        return Err(AmountError::ZeroRate);
    }
    let (up, down) = (rate.scale() + u32::from(precision), fiat.scale());
    let quotient = numerator
        .times_ten_to(up.saturating_sub(down))
        .zip(denominator.times_ten_to(down.saturating_sub(up)))
        .and_then(|(numerator, denominator)| numerator.divide(denominator));
    let (steps, left_over) = quotient.ok_or(AmountError::TooLarge)?;
    let atoms = steps
        .checked_add(u128::from(left_over))
        .and_then(|steps| steps.checked_mul(10_u128.checked_pow(u32::from(decimals - precision))?));
    Amount::from_atoms(atoms.ok_or(AmountError::TooLarge)?)
}

/// The value of `amount` at `rate` (fiat per whole coin), **rounded down** to `places` decimals, so that no
/// more is credited than was received.
///
/// Fails only if a [`Decimal`] with `places` places cannot hold the value.
///
/// ```
/// use crypto_checkout_core::{Amount, decimal::{parse, value_down}};
///
/// let amount = Amount::parse("79000000000.000000000000000001", 18).unwrap();
/// let worth = value_down(amount, 18, parse("0.92345678", 8).unwrap(), 2).unwrap();
/// assert_eq!(worth.to_string(), "72953085620.00");
/// ```
pub fn value_down(amount: Amount, decimals: u8, rate: Decimal, places: u32) -> Result<Decimal, AmountError> {
    let product = Wide::product(amount.atoms(), unsigned(rate)?);
    let have = u32::from(decimals) + rate.scale();
    let value = match Wide::from(1).times_ten_to(have.saturating_sub(places)) {
        Some(divisor) => {
            product.times_ten_to(places.saturating_sub(have)).and_then(|value| value.divide(divisor))
        }
        // The divisor exceeds any product.
        None => Some((0, true)),
    };
    let (value, _) = value.ok_or(AmountError::TooLarge)?;
    let value = i128::try_from(value).map_err(|_| AmountError::TooLarge)?;
    Decimal::try_from_i128_with_scale(value, places).map_err(|_| AmountError::TooLarge)
}

fn unsigned(value: Decimal) -> Result<u128, AmountError> {
    u128::try_from(value.mantissa()).map_err(|_| AmountError::Sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use proptest::prelude::*;

    fn d(text: &str) -> Decimal {
        parse(text, 28).unwrap()
    }

    #[track_caller]
    fn check_quote(fiat: &str, rate: &str, decimals: u8, precision: u8, expected: &str) {
        let amount = quote_up(d(fiat), d(rate), decimals, precision).unwrap();
        assert_eq!(amount.to_text(decimals), expected);
    }

    #[test]
    fn quotes_round_up() {
        check_quote("100", "50000", 8, 8, "0.002");
        check_quote("10", "3", 8, 8, "3.33333334");
        check_quote("10", "3", 18, 6, "3.333334");
        check_quote("0.01", "60000", 8, 8, "0.00000017");
        check_quote("19.99", "0.9234", 18, 6, "21.648257");
        assert_eq!(quote_up(d("1"), d("0"), 8, 8), Err(AmountError::ZeroRate));
    }

    #[track_caller]
    fn check_value(amount: &str, decimals: u8, rate: &str, expected: &str) {
        let amount = Amount::parse(amount, decimals).unwrap();
        assert_eq!(value_down(amount, decimals, d(rate), 2).unwrap().to_string(), expected);
    }

    #[test]
    fn values_round_down() {
        check_value("0.002", 8, "50000", "100.00");
        check_value("3.33333333", 8, "3", "9.99");
        check_value("1.123456789012345678", 18, "3456.78912345", "3883.55");
        check_value("0", 8, "50000", "0.00");
    }

    #[test]
    fn reads_by_the_strict_grammar() {
        assert_eq!(d("19.99").to_string(), "19.99");
        assert_eq!(parse("19.999", 2), Err(AmountError::TooManyDecimals { allowed: 2 }));
        for text in ["1e5", "+1", "-1", "1_000", ".5", "5.", "", " 1", "007"] {
            assert!(parse(text, 8).is_err(), "{text:?}");
        }
        assert_eq!(parse(&"9".repeat(40), 2), Err(AmountError::TooLarge));
    }

    proptest! {
        #[test]
        fn a_quote_is_worth_at_least_the_price(cents in 1_u64..=10_000_000_000, rate in 1_u64..=100_000_000) {
            let fiat = Decimal::try_from_i128_with_scale(i128::from(cents), 2).unwrap();
            let rate = Decimal::try_from_i128_with_scale(i128::from(rate), 3).unwrap();
            let amount = quote_up(fiat, rate, 8, 8).unwrap();
            prop_assert!(value_down(amount, 8, rate, 2).unwrap() >= fiat);
            let less = Amount::from_atoms(amount.atoms() - 1).unwrap();
            prop_assert!(value_down(less, 8, rate, 11).unwrap() < fiat);
        }
    }
}
