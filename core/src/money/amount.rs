//! On-chain amounts: atomic units, with exact decimal text.

use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

use super::digits::{self, AmountError};
use crate::text_form::text_form;

pub use encapsulated::Amount;

mod encapsulated {
    use super::AmountError;

    /// An amount in atomic units (satoshi, wei, drops …), at most [`Amount::MAX`].
    ///
    /// The unit depends on the pair of currency and network, so amounts are parsed and formatted with the
    /// `decimals` of a [`Pair`](crate::Pair).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Amount(u128);

    impl Amount {
        pub const ZERO: Self = Self(0);

        /// 10³⁸ − 1: amounts have at most 38 digits, which is also the width of database columns.
        pub const MAX: Self = Self(99_999_999_999_999_999_999_999_999_999_999_999_999);

        /// Creates an amount from atomic units.
        pub const fn from_atoms(atoms: u128) -> Result<Self, AmountError> {
            if atoms > Self::MAX.0 { Err(AmountError::TooLarge) } else { Ok(Self(atoms)) }
        }

        /// Returns the atomic units.
        pub const fn atoms(self) -> u128 {
            self.0
        }
    }
}

/// The atomic units in digits. [`Amount::to_text`] writes whole coins.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.atoms().fmt(f)
    }
}

impl FromStr for Amount {
    type Err = AmountError;

    /// Reads atomic units.
    fn from_str(atoms: &str) -> Result<Self, Self::Err> {
        Self::parse(atoms, 0)
    }
}

text_form!(Amount, |amount| amount);

impl Amount {
    /// Parses a decimal text of a currency with `decimals` places. Nothing is rounded.
    ///
    /// ```
    /// use crypto_checkout_core::{Amount, AmountError};
    /// assert_eq!(Amount::parse("0.00000090", 8).unwrap().atoms(), 90);
    /// assert_eq!(Amount::parse("0.000000901", 8), Err(AmountError::TooManyDecimals { allowed: 8 }));
    /// ```
    pub fn parse(text: &str, decimals: u8) -> Result<Self, AmountError> {
        let digits = digits::split(text)?;
        let Some(missing) = usize::from(decimals).checked_sub(digits.fraction.len()) else {
            return Err(AmountError::TooManyDecimals { allowed: decimals });
        };
        let atoms = digits::append(0, digits.whole)
            .and_then(|value| digits::append(value, digits.fraction))
            .and_then(|value| match value {
                0 => Some(0),
                value => value.checked_mul(10_u128.checked_pow(u32::try_from(missing).ok()?)?),
            });
        Self::from_atoms(atoms.ok_or(AmountError::TooLarge)?)
    }

    /// Formats the shortest decimal text, without exponent, grouping or trailing zeros.
    ///
    /// ```
    /// use crypto_checkout_core::Amount;
    /// assert_eq!(Amount::from_atoms(90).unwrap().to_text(8), "0.0000009");
    /// ```
    pub fn to_text(self, decimals: u8) -> String {
        let decimals = usize::from(decimals);
        let mut text = self.atoms().to_string();
        if text.len() <= decimals {
            text.insert_str(0, &"0".repeat(decimals + 1 - text.len()));
        }
        text.insert(text.len() - decimals, '.');
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
        text
    }

    pub fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// The sum, or [`AmountError::TooLarge`].
    pub fn checked_add(self, other: Self) -> Result<Self, AmountError> {
        let sum = self.atoms().checked_add(other.atoms());
        Self::from_atoms(sum.ok_or(AmountError::TooLarge)?)
    }

    /// The difference, or `None` if `other` is larger.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        Self::from_atoms(self.atoms().checked_sub(other.atoms())?).ok()
    }

    /// The difference, or zero if `other` is larger.
    #[must_use]
    pub fn saturating_sub(self, other: Self) -> Self {
        self.checked_sub(other).unwrap_or(Self::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, decimals: u8, expected: Result<u128, AmountError>) {
        assert_eq!(Amount::parse(text, decimals).map(Amount::atoms), expected, "{text:?}");
    }

    #[test]
    fn reads_exactly_or_says_what_is_wrong() {
        use AmountError as E;
        check("0", 8, Ok(0));
        check("1", 8, Ok(100_000_000));
        check("0.00000001", 8, Ok(1));
        check("20999999.9769", 8, Ok(2_099_999_997_690_000));
        check("1.500", 6, Ok(1_500_000));
        check("1", 0, Ok(1));
        check("0", 255, Ok(0));
        check("0.00", 39, Ok(0));
        check("1", 39, Err(E::TooLarge));
        check("", 8, Err(E::Empty));
        check("+1", 8, Err(E::Sign));
        check("-1", 8, Err(E::Sign));
        check(" 1", 8, Err(E::Blank));
        check("1\n", 8, Err(E::Blank));
        check("01", 8, Err(E::LeadingZero));
        check("00", 8, Err(E::LeadingZero));
        check(".5", 8, Err(E::BarePoint));
        check("5.", 8, Err(E::BarePoint));
        check(".", 8, Err(E::BarePoint));
        check("1e5", 8, Err(E::Exponent));
        check("1,5", 8, Err(E::Character { at: 1 }));
        check("1_000", 8, Err(E::Character { at: 1 }));
        check("1.2.3", 8, Err(E::Character { at: 3 }));
        check("١", 8, Err(E::Character { at: 0 }));
        check("NaN", 8, Err(E::Character { at: 0 }));
        check("0.000000001", 8, Err(E::TooManyDecimals { allowed: 8 }));
        check("1.0", 0, Err(E::TooManyDecimals { allowed: 0 }));
        check(&"9".repeat(38), 0, Ok(Amount::MAX.atoms()));
        check(&format!("1{}", "0".repeat(38)), 0, Err(E::TooLarge));
        check(&"9".repeat(1_000_000), 8, Err(E::TooLarge));
    }

    #[test]
    fn writes_no_exponent_and_no_padding() {
        let text = |atoms, decimals| Amount::from_atoms(atoms).unwrap().to_text(decimals);
        assert_eq!(text(0, 8), "0");
        assert_eq!(text(90, 8), "0.0000009");
        assert_eq!(text(123_456_789_012_345_678, 18), "0.123456789012345678");
        assert_eq!(text(100, 0), "100");
        assert_eq!(text(1_000_000, 6), "1");
    }

    proptest! {
        #[test]
        fn print_then_parse_is_the_identity(atoms in 0..=Amount::MAX.atoms(), decimals in 0_u8..=18) {
            let amount = Amount::from_atoms(atoms).unwrap();
            prop_assert_eq!(Amount::parse(&amount.to_text(decimals), decimals), Ok(amount));
        }

        #[test]
        fn no_text_panics(text in ".*", decimals: u8) {
            let _ = Amount::parse(&text, decimals);
        }
    }
}
