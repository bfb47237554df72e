//! The cryptocurrencies: one row each.

use core::fmt;
use core::str::FromStr;

use crate::tables::currencies;

/// One row of [`CURRENCIES`].
#[derive(Clone, Copy, Debug)]
pub struct CurrencySpec {
    pub currency: Currency,
    /// The code on the wire, upper case.
    pub code: &'static str,
    /// The name shown to payers.
    pub name: &'static str,
    /// EUR per whole coin in the sandbox: a round figure of realistic size, easy to verify.
    pub sandbox_eur: &'static str,
    /// The least and the most that a whole coin may cost, in thousandths of a euro. A rate outside is an error of its feed.
    pub sane_millieur: (u64, u64),
}

macro_rules! currency {
    ($($variant:ident = $code:literal, $name:literal, $sandbox_eur:literal, $least:literal..$most:literal;)+) => {
        /// A supported cryptocurrency, by its code on the wire.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Currency {
            $($variant,)+
        }

        /// Every currency, in the order shown to payers.
        pub static CURRENCIES: &[CurrencySpec] = &[$(
            CurrencySpec {
                currency: Currency::$variant,
                code: $code,
                name: $name,
                sandbox_eur: $sandbox_eur,
                sane_millieur: ($least, $most),
            },
        )+];
    };
}

currencies!(currency);

impl Currency {
    /// The row of this currency.
    pub fn spec(self) -> &'static CurrencySpec {
        &CURRENCIES[self as usize]
    }

    /// The code on the wire, such as `BTC`.
    pub fn code(self) -> &'static str {
        self.spec().code
    }
}

/// The text is not a supported currency code. Codes are upper case; whitespace is not trimmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownCurrency;

impl fmt::Display for UnknownCurrency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown currency")
    }
}

impl core::error::Error for UnknownCurrency {}

impl FromStr for Currency {
    type Err = UnknownCurrency;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        let row = CURRENCIES.iter().find(|row| row.code == code);
        row.map(|row| row.currency).ok_or(UnknownCurrency)
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_its_code_and_by_its_value() {
        for row in CURRENCIES {
            assert_eq!(row.code.parse(), Ok(row.currency));
            assert_eq!(row.currency.spec().code, row.code);
        }
    }

    #[test]
    fn codes_are_exact() {
        for text in ["btc", " BTC", "BTC ", "", "XBT", "NOPE"] {
            assert_eq!(text.parse::<Currency>(), Err(UnknownCurrency), "{text:?}");
        }
    }
}
