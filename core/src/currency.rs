//! The cryptocurrencies: one row each.

use core::fmt;
use core::str::FromStr;

use crate::codes::UnknownCode;
use crate::tables::currencies;
use crate::text_form::text_form;

/// One row of [`EVERY_CURRENCY`].
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
    /// Interface section 2.10 lacks it: off unless the operator configures its network and a business takes it.
    pub opt_in: bool,
}

/// The names of a currency at public feeds of rates.
#[derive(Clone, Copy, Debug)]
pub struct FeedNames {
    /// The id of the coin.
    pub coingecko: &'static str,
    /// The market in EUR.
    pub kraken: &'static str,
}

macro_rules! is_given {
    () => {
        false
    };
    ($word:ident) => {
        true
    };
}

macro_rules! currency {
    (served: {$($variant:ident = $code:literal, $name:literal, $sandbox_eur:literal, $least:literal..$most:literal,
        $coingecko:literal, $kraken:literal $(, $opt_in:ident)?;)+}
        address_only: {$([$feature:literal] $other:ident = $other_code:literal, $other_name:literal;)*}) => {
        /// A supported cryptocurrency, by its code on the wire.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Currency {
            $($variant,)+
            $(#[cfg(feature = $feature)] $other,)*
        }

        const VARIANTS: [Currency; [$($code,)+ $(#[cfg(feature = $feature)] $other_code,)*].len()] =
            [$(Currency::$variant,)+ $(#[cfg(feature = $feature)] Currency::$other,)*];

        static ROWS: &[CurrencySpec] = &[$(
            CurrencySpec {
                currency: Currency::$variant,
                code: $code,
                name: $name,
                sandbox_eur: if cfg!(feature = "page") { "" } else { $sandbox_eur },
                sane_millieur: if cfg!(feature = "page") { (0, 0) } else { ($least, $most) },
                opt_in: is_given!($($opt_in)?),
            },
        )+ $(
            #[cfg(feature = $feature)]
            CurrencySpec {
                currency: Currency::$other,
                code: $other_code,
                name: $other_name,
                sandbox_eur: "0",
                sane_millieur: (0, 0),
                opt_in: true,
            },
        )*];

        static FEED_NAMES: &[FeedNames] = &[$(FeedNames { coingecko: $coingecko, kraken: $kraken }),+];
    };
}

currencies!(currency);

/// The currencies that a gateway can serve, in the order shown to payers.
pub static EVERY_CURRENCY: &[CurrencySpec] = ROWS.split_at(FEED_NAMES.len()).0;

/// The currencies of interface section 2.10.
pub static CURRENCIES: &[CurrencySpec] = EVERY_CURRENCY.split_at(COUNT).0;

const COUNT: usize = {
    let (mut count, mut at) = (0, 0);
    while at < EVERY_CURRENCY.len() {
        if !EVERY_CURRENCY[at].opt_in {
            assert!(count == at, "a currency of the interface comes after one that is opted in");
            count += 1;
        }
        at += 1;
    }
    count
};

impl Currency {
    /// Every currency, in the order of the table.
    pub const ALL: &[Self] = &VARIANTS;

    /// The row of this currency.
    pub fn spec(self) -> &'static CurrencySpec {
        &ROWS[self as usize]
    }

    /// Its names at public feeds of rates; empty for a currency that no gateway serves.
    pub fn feed_names(self) -> &'static FeedNames {
        FEED_NAMES.get(self as usize).unwrap_or(&FeedNames { coingecko: "", kraken: "" })
    }

    /// The name shown to people, such as `Bitcoin`.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// The currency with this code, if a gateway can serve it.
    #[cfg(feature = "gateway")]
    pub fn served(code: &str) -> Option<Self> {
        EVERY_CURRENCY.iter().find(|row| row.code == code).map(|row| row.currency)
    }

    /// The code on the wire, such as `BTC`.
    pub fn code(self) -> &'static str {
        self.spec().code
    }
}

impl FromStr for Currency {
    type Err = UnknownCode;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        let row = ROWS.iter().find(|row| row.code == code);
        row.map(|row| row.currency).ok_or(UnknownCode("currency"))
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

text_form!(Currency, |value| value.code());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_its_code_and_by_its_value() {
        for row in EVERY_CURRENCY {
            assert_eq!(row.code.parse(), Ok(row.currency));
            assert_eq!(row.currency.spec().code, row.code);
        }
    }

    #[test]
    fn codes_are_exact() {
        for text in ["btc", " BTC", "BTC ", "", "XBT", "NOPE"] {
            assert_eq!(text.parse::<Currency>(), Err(UnknownCode("currency")), "{text:?}");
        }
    }
}
