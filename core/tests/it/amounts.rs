//! Amounts and conversions over their full range.

use crypto_checkout_core::pair::EVERY_PAIR;
use crypto_checkout_core::{Amount, AmountError, Decimal, decimal};

use crate::natural::Natural;
use crate::random::Random;

const MILLION: usize = 1_000_000;

/// The number of digits of an amount, and of a [`Decimal`].
const AMOUNT_DIGITS: usize = 38;
const DECIMAL_DIGITS: usize = 28;

/// A decimal text in its shortest form, with at most `decimals` places and 38 digits. All lengths are equally
/// likely.
fn decimal_text(random: &mut Random, decimals: usize, text: &mut String) {
    text.clear();
    let digits = 1 + random.below(AMOUNT_DIGITS);
    let places = random.below(decimals.min(digits) + 1);
    let mut digit = |text: &mut String, least: usize| {
        text.push(char::from(b"0123456789"[least + random.below(10 - least)]));
    };
    match digits - places {
        0 => text.push('0'),
        1 => digit(text, 0),
        whole => {
            digit(text, 1);
            (1..whole).for_each(|_| digit(text, 0));
        }
    }
    if places > 0 {
        text.push('.');
        (1..places).for_each(|_| digit(text, 0));
        digit(text, 1);
    }
}

#[test]
fn a_million_decimals_survive_a_round_trip() {
    let mut random = Random::new(1);
    let mut text = String::new();
    let (mut whole, mut longest) = (0, 0);
    for _ in 0..MILLION {
        let decimals = random.below(AMOUNT_DIGITS + 1);
        decimal_text(&mut random, decimals, &mut text);
        let decimals = u8::try_from(decimals).unwrap();
        match Amount::parse(&text, decimals) {
            Ok(amount) => assert_eq!(amount.to_text(decimals), text, "{decimals}"),
            // A number that is too long for its unit is only refused if it has too many atoms.
            Err(error) => {
                assert_eq!(error, AmountError::TooLarge, "{text} {decimals}");
                let digits = text.split('.').next().unwrap().len() + usize::from(decimals);
                assert!(digits > AMOUNT_DIGITS, "{text} {decimals}");
                continue;
            }
        }
        if text.len() <= DECIMAL_DIGITS {
            assert_eq!(decimal::parse(&text, 28).unwrap().to_string(), text);
        }
        whole += usize::from(!text.contains('.'));
        longest += usize::from(text.len() >= AMOUNT_DIGITS);
    }
    assert!(whole > MILLION / 50 && longest > MILLION / 200, "{whole} {longest}");
}

/// A malformed text is refused; an accepted one has exactly its written value.
#[test]
fn a_million_broken_decimals_are_refused_or_exact() {
    const ODD: [&str; 16] =
        ["", "0", "00", ".", "..", "+", "-", "e", "E5", " ", "\t", ",", "_", "x", "٣", "\u{200b}"];
    let mut random = Random::new(2);
    let (mut text, mut refused) = (String::new(), 0);
    for _ in 0..MILLION {
        let decimals = random.below(20);
        decimal_text(&mut random, decimals + 2, &mut text);
        let at = random.below(text.len() + 1);
        text.insert_str(at, ODD[random.below(ODD.len())]);
        let decimals = u8::try_from(decimals).unwrap();
        let Ok(amount) = Amount::parse(&text, decimals) else {
            refused += 1;
            continue;
        };
        let exact = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        assert_eq!(amount.to_text(decimals), exact, "{text}");
        assert!(exact.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'), "{text}");
        match decimal::parse(&text, decimals) {
            Ok(value) => assert_eq!(value.to_string(), text),
            Err(error) => {
                assert!(error == AmountError::TooLarge && text.len() > DECIMAL_DIGITS, "{text} {error}");
            }
        }
    }
    assert!((MILLION / 2..MILLION * 9 / 10).contains(&refused), "{refused}");
}

fn random_decimal(random: &mut Random) -> Decimal {
    let scale = u32::try_from(random.below(DECIMAL_DIGITS + 1)).unwrap();
    Decimal::try_from_i128_with_scale(i128::try_from(random.bits(96)).unwrap(), scale).unwrap()
}

fn mantissa(value: Decimal) -> Natural {
    Natural::from(value.mantissa().unsigned_abs())
}

/// Checked with arbitrary-precision products: the quote covers the price, and one step less would not.
#[test]
fn a_quote_is_the_least_that_covers_the_price() {
    let mut random = Random::new(3);
    let mut refused = 0;
    for _ in 0..50_000 {
        let (fiat, rate) = (random_decimal(&mut random), random_decimal(&mut random));
        let decimals = u8::try_from(random.below(19)).unwrap();
        let precision = u8::try_from(random.below(usize::from(decimals) + 1)).unwrap();
        // steps / 10^precision * rate >= fiat, with all scales on the other side.
        let price = mantissa(fiat).times(&Natural::power_of_ten(rate.scale() + u32::from(precision)));
        let worth = |steps: u128| {
            Natural::from(steps).times(&mantissa(rate)).times(&Natural::power_of_ten(fiat.scale()))
        };
        let step = 10_u128.pow(u32::from(decimals - precision));
        match decimal::quote_up(fiat, rate, decimals, precision) {
            Ok(amount) => {
                let steps = amount.atoms() / step;
                assert_eq!(steps * step, amount.atoms(), "{fiat} {rate} {decimals} {precision}");
                assert!(worth(steps) >= price, "{fiat} {rate} {decimals} {precision}");
                assert!(steps == 0 || worth(steps - 1) < price, "{fiat} {rate} {decimals} {precision}");
            }
            Err(AmountError::ZeroRate) => assert!(rate.is_zero()),
            Err(error) => {
                assert_eq!(error, AmountError::TooLarge);
                let most = Amount::MAX.atoms() / step;
                assert!(worth(most) < price, "{fiat} {rate} {decimals} {precision}");
                refused += 1;
            }
        }
    }
    assert!((1_000..40_000).contains(&refused), "{refused}");
}

#[test]
fn a_value_is_the_largest_that_was_received() {
    let mut random = Random::new(4);
    let mut refused = 0;
    for _ in 0..50_000 {
        let amount = Amount::from_atoms(random.bits(126)).unwrap();
        let rate = random_decimal(&mut random);
        let decimals = u8::try_from(random.below(39)).unwrap();
        let places = u32::try_from(random.below(DECIMAL_DIGITS + 1)).unwrap();
        // value / 10^places <= atoms / 10^decimals * rate, with all scales on the other side.
        let product =
            Natural::from(amount.atoms()).times(&mantissa(rate)).times(&Natural::power_of_ten(places));
        let scaled = |value: Natural| value.times(&Natural::power_of_ten(u32::from(decimals) + rate.scale()));
        match decimal::value_down(amount, decimals, rate, places) {
            Ok(value) => {
                assert_eq!(value.scale(), places);
                assert!(scaled(mantissa(value)) <= product, "{amount:?} {decimals} {rate} {places}");
                let next = Natural::from(value.mantissa().unsigned_abs() + 1);
                assert!(scaled(next) > product, "{amount:?} {decimals} {rate} {places}");
            }
            Err(error) => {
                assert_eq!(error, AmountError::TooLarge);
                let most = Natural::from(Decimal::MAX.mantissa().unsigned_abs() + 1);
                assert!(scaled(most) <= product, "{amount:?} {decimals} {rate} {places}");
                refused += 1;
            }
        }
    }
    assert!((1_000..40_000).contains(&refused), "{refused}");
}

#[test]
fn realistic_amounts_are_never_refused() {
    let parse = |text: &str| decimal::parse(text, 28).unwrap();
    let rates =
        ["0.00000001", "0.00012345", "0.92345678", "1", "64321.98", "123456789.12345678", "0.000000000001"];
    for pair in EVERY_PAIR {
        for rate in rates.map(parse) {
            // A trillion in fiat, and the coins that it buys, up to the supply.
            let (price, least) = (parse("1000000000000"), parse("0.01"));
            for price in [price, least] {
                if let Ok(amount) = decimal::quote_up(price, rate, pair.decimals, pair.quote_precision) {
                    let worth = decimal::value_down(amount, pair.decimals, rate, 2).unwrap();
                    assert!(worth >= price, "{pair:?} {rate}");
                } else {
                    assert!(price > least && rate < parse("0.0001"), "{pair:?} {price} {rate}");
                }
            }
            // More than the supply of any token.
            let all = Amount::parse("79000000000", pair.decimals).unwrap();
            decimal::value_down(all, pair.decimals, rate, 2).unwrap();
            decimal::value_down(all, pair.decimals, rate, 8).unwrap();
        }
    }
}

#[test]
fn a_negative_amount_or_rate_is_refused() {
    let (minus, one) = (Decimal::NEGATIVE_ONE, Decimal::ONE);
    assert_eq!(decimal::quote_up(minus, one, 8, 8), Err(AmountError::Sign));
    assert_eq!(decimal::quote_up(one, minus, 8, 8), Err(AmountError::Sign));
    assert_eq!(decimal::value_down(Amount::MAX, 8, minus, 2), Err(AmountError::Sign));
}

/// Includes numbers of places that no currency has.
#[test]
fn no_number_panics() {
    let mut random = Random::new(5);
    let byte = |random: &mut Random| u8::try_from(random.below(256)).unwrap();
    let extremes = [Decimal::MAX, Decimal::MIN, Decimal::ZERO, Decimal::ONE];
    for _ in 0..100_000 {
        let mut value = || match random.below(4) {
            0 => extremes[random.below(extremes.len())],
            _ => random_decimal(&mut random),
        };
        let (fiat, rate) = (value(), value());
        let (decimals, precision) = (byte(&mut random), byte(&mut random));
        let places = u32::try_from(random.bits(32)).unwrap();
        let amount = Amount::from_atoms(random.bits(126)).unwrap();
        let _ = decimal::quote_up(fiat, rate, decimals, precision);
        let _ = decimal::value_down(amount, decimals, rate, places);
        let text = amount.to_text(decimals);
        if usize::from(decimals) < 40 {
            assert_eq!(Amount::parse(&text, decimals), Ok(amount), "{text}");
        }
        let _ = amount.checked_add(Amount::MAX);
        assert_eq!(Amount::MAX.checked_sub(amount).unwrap().checked_add(amount), Ok(Amount::MAX));
    }
}
