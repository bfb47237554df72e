//! A fiat currency or cryptocurrency, as one side of an exchange rate.

use checkout_core::Currency;

use crate::domain::rates::fiat::Fiat;

/// One side of a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asset {
    Crypto(Currency),
    Fiat(Fiat),
}

impl Asset {
    pub fn known(code: &str) -> Option<Self> {
        let crypto = code.parse().ok().map(Self::Crypto);
        crypto.or_else(|| code.parse().ok().map(Self::Fiat))
    }

    pub fn code(self) -> &'static str {
        match self {
            Self::Crypto(currency) => currency.code(),
            Self::Fiat(fiat) => fiat.code(),
        }
    }
}
