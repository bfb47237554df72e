//! Amounts of a pair, as decimal text in whole coins and as atoms.

use checkout_core::{Amount, AmountError, Reason};
use checkout_core::{Pair, Table};

/// An error for JavaScript to throw: a stable code, a line break, and one English sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    UnsupportedPair,
    Amount(AmountError),
    Address(Reason),
}

impl Failure {
    pub(crate) fn to_text(self) -> String {
        match self {
            Self::UnsupportedPair => {
                "unsupported_pair\nthis currency does not exist on this network".to_owned()
            }
            Self::Amount(error) => format!("{}\n{error}", error.code()),
            Self::Address(reason) => format!("{}\n{reason}", reason.code()),
        }
    }
}

impl From<AmountError> for Failure {
    fn from(error: AmountError) -> Self {
        Self::Amount(error)
    }
}

pub(crate) fn pair(row: usize) -> Result<&'static Pair, Failure> {
    Table::All.pairs().get(row).ok_or(Failure::UnsupportedPair)
}

/// Converts a decimal text to atoms.
pub(crate) fn parse(row: usize, text: &str) -> Result<u128, Failure> {
    Ok(Amount::parse(text, pair(row)?.decimals)?.atoms())
}

/// Converts atoms, given as digits, to a decimal text.
pub(crate) fn format(row: usize, digits: &str) -> Result<String, Failure> {
    let decimals = pair(row)?.decimals;
    Ok(Amount::parse(digits, 0)?.to_text(decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_and_text_are_one_amount() {
        let bitcoin = Table::All.pairs().iter().position(|pair| pair.currency.code() == "BTC").unwrap();
        assert_eq!(parse(bitcoin, "0.00000090"), Ok(90));
        assert_eq!(format(bitcoin, "90").as_deref(), Ok("0.0000009"));
        assert_eq!(format(bitcoin, "-90"), Err(Failure::Amount(AmountError::Sign)));
        assert_eq!(format(bitcoin, "9.0"), Err(Failure::Amount(AmountError::TooManyDecimals { allowed: 0 })));
        assert_eq!(format(bitcoin, &u128::MAX.to_string()), Err(Failure::Amount(AmountError::TooLarge)));
        assert_eq!(parse(99, "1"), Err(Failure::UnsupportedPair));
    }

    #[test]
    fn a_failure_is_a_code_and_a_sentence() {
        assert_eq!(Failure::Amount(AmountError::Sign).to_text(), "sign\nan amount has no sign");
        assert_eq!(Failure::Address(Reason::Empty).to_text(), "empty\nthe address is empty");
    }
}
