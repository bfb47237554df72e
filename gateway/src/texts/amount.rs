//! Errors of amounts.

use checkout_core::{Amount, AmountError, Decimal, decimal};

/// The code of an error, and the end of a sentence about its field.
pub type Fault = (&'static str, String);

/// The code and the message for an invalid amount.
pub fn amount_fault(error: AmountError) -> Fault {
    (error.code(), error.to_string())
}

/// An amount of coins above zero.
pub fn positive_amount(text: &str, decimals: u8) -> Result<Amount, Fault> {
    positive(Amount::parse(without_zeros(text, decimals), decimals), |amount| amount.is_zero())
}

/// A decimal above zero.
pub fn positive_decimal(text: &str, decimals: u8) -> Result<Decimal, Fault> {
    positive(decimal::parse(without_zeros(text, decimals), decimals), Decimal::is_zero)
}

fn positive<T>(read: Result<T, AmountError>, is_zero: impl Fn(&T) -> bool) -> Result<T, Fault> {
    let amount = read.map_err(amount_fault)?;
    if is_zero(&amount) { Err(("zero", "must be more than zero".to_owned())) } else { Ok(amount) }
}

/// The text without those zeros at the end of its fraction that are finer than `decimals`: in JPY, `1000.0` is `1000`.
pub fn without_zeros(text: &str, decimals: u8) -> &str {
    let Some((whole, fraction)) = text.split_once('.') else { return text };
    let finer = fraction.get(usize::from(decimals)..).unwrap_or_default();
    if whole.is_empty() || finer.is_empty() || finer.bytes().any(|digit| digit != b'0') {
        return text;
    }
    text[..text.len() - finer.len()].trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_that_are_too_fine_are_cut() {
        let check = |text: &str, decimals, expected: &str| {
            assert_eq!(without_zeros(text, decimals), expected, "{text} {decimals}");
        };
        check("1000.0", 0, "1000");
        check("1000.000", 0, "1000");
        check("1000", 0, "1000");
        check("-5.0", 0, "-5");
        check("19.990", 2, "19.99");
        check("19.90", 2, "19.90");
        check("19.9", 2, "19.9");
        check("100.000", 2, "100.00");
        // What is not that stays, and is refused by its reader.
        for text in ["1000.5", "1000.05", "1000.", ".0", "1.0.0", "1e5", "1.0e5", "1.٠", "1,0", ""] {
            check(text, 0, text);
        }
        check("19.999", 2, "19.999");
        check("1.00é", 2, "1.00é");
    }
}
