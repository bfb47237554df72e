//! The fiat currencies of prices.

use std::fmt;
use std::str::FromStr;

use checkout_core::{AmountError, Decimal, decimal};
use checkout_wire::fiat::FIAT_CURRENCIES;

/// A fiat currency by its ISO 4217 code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fiat(&'static (&'static str, u8));

impl Fiat {
    /// The currency of the `*UniformAmount` fields and of settlements.
    pub const EUR: Self = Self(&FIAT_CURRENCIES[0]);

    /// Every fiat currency, the uniform one first.
    pub fn all() -> impl Iterator<Item = Self> {
        FIAT_CURRENCIES.iter().map(Self)
    }

    pub fn code(self) -> &'static str {
        self.0.0
    }

    pub fn decimals(self) -> u8 {
        self.0.1
    }

    /// Parses an amount with at most the decimals of the minor unit.
    pub fn parse(self, text: &str) -> Result<Decimal, AmountError> {
        decimal::parse(text, self.decimals())
    }

    /// Formats an amount with exactly the decimals of the minor unit, rounding down.
    pub fn text(self, amount: Decimal) -> String {
        let places = u32::from(self.decimals());
        let mut amount = amount.trunc_with_scale(places);
        amount.rescale(places);
        amount.to_string()
    }
}

/// The text is not a supported fiat currency code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFiat;

impl FromStr for Fiat {
    type Err = UnknownFiat;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        FIAT_CURRENCIES.iter().find(|(known, _)| *known == code).map(Self).ok_or(UnknownFiat)
    }
}

impl fmt::Debug for Fiat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_the_decimals_of_the_minor_unit() {
        let check = |code: &str, text: &str, expected: &str| {
            let fiat: Fiat = code.parse().unwrap();
            assert_eq!(fiat.text(decimal::parse(text, 28).unwrap()), expected);
        };
        check("EUR", "20", "20.00");
        check("EUR", "19.9", "19.90");
        check("EUR", "19.999", "19.99");
        check("JPY", "100", "100");
        check("JPY", "99.9", "99");
    }

    #[test]
    fn codes_are_exact_and_unique() {
        for fiat in Fiat::all() {
            assert_eq!(fiat.code().parse(), Ok(fiat));
        }
        for text in ["eur", "", "BTC", "EUR "] {
            assert_eq!(text.parse::<Fiat>(), Err(UnknownFiat), "{text:?}");
        }
    }
}
