//! Amounts as texts, by which a payment is found.

use std::collections::BTreeSet;

use checkout_core::pair::EVERY_PAIR;

use crate::rates::fiat::Fiat;

/// Digits of the longest amount: those of the largest in the smallest unit.
const LONGEST: usize = 60;

/// `0.0123 BTC`: one text for every spelling of a decimal number. `None` if it is none.
pub fn amount_word(number: &str, code: &str) -> Option<String> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    if number.is_empty()
        || number.len() > LONGEST
        || !is_number(whole)
        || !is_number(fraction)
        || fraction.is_empty()
    {
        return None;
    }
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if fraction.is_empty() { format!("{whole} {code}") } else { format!("{whole}.{fraction} {code}") })
}

/// The words of `0.0123 BTC`, or of `0.0123` in every currency. `None` if it is no amount.
pub fn amount_words(text: &str) -> Option<Vec<String>> {
    let (number, code) = text.split_once(' ').unzip();
    let fiat = Fiat::all().map(Fiat::code);
    let all: BTreeSet<&str> = fiat.chain(EVERY_PAIR.iter().map(|pair| pair.currency.code())).collect();
    let words: Option<Vec<String>> = all
        .into_iter()
        .filter(|known| code.is_none_or(|code| code == *known))
        .map(|code| amount_word(number.unwrap_or(text), code))
        .collect();
    words.filter(|words| !words.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_number_is_one_word() {
        let check = |number: &str, expected: Option<&str>| {
            let expected = expected.map(|number| format!("{number} BTC"));
            assert_eq!(amount_word(number, "BTC"), expected, "{number}");
        };
        for (number, expected) in [
            ("0.0123", "0.0123"),
            (".0123", "0.0123"),
            ("00.012300", "0.0123"),
            ("25", "25"),
            ("25.00", "25"),
            ("0", "0"),
            ("0.0", "0"),
            ("100", "100"),
            (
                "123456789012345678901234567890.000000000000000001",
                "123456789012345678901234567890.000000000000000001",
            ),
        ] {
            check(number, Some(expected));
        }
        for number in ["", ".", "1.", "-1", "+1", "1e5", "1,5", "1.2.3", "٣", " 1", "1_0", &"1".repeat(61)] {
            check(number, None);
        }
    }

    #[test]
    fn a_number_without_a_currency_is_meant_in_each() {
        assert_eq!(amount_words("25.00 EUR"), Some(vec!["25 EUR".to_owned()]));
        let words = amount_words("25.00").unwrap_or_default();
        assert!(["25 EUR", "25 JPY", "25 BTC"].iter().all(|word| words.contains(&(*word).to_owned())));
        for text in ["25 eur", "25 XYZ", "25  EUR", " EUR", "EUR", "a EUR", ""] {
            assert_eq!(amount_words(text), None, "{text}");
        }
    }
}
