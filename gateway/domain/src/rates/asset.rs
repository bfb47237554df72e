//! A fiat currency or cryptocurrency, as one side of an exchange rate.

use checkout_core::{Currency, Network};

use crate::rates::fiat::Fiat;

/// One side of a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asset {
    Crypto(Currency),
    Fiat(Fiat),
    /// A coin that pays fees only.
    Gas(GasCoin),
}

/// The coin of a network that is no supported currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GasCoin {
    Bnb,
    Trx,
}

impl GasCoin {
    pub const ALL: [Self; 2] = [Self::Bnb, Self::Trx];

    /// `None` for a network whose coin is a supported currency.
    pub fn of(network: Network) -> Option<Self> {
        match network {
            Network::Bsc => Some(Self::Bnb),
            Network::Trx => Some(Self::Trx),
            _ => None,
        }
    }

    pub fn code(self) -> &'static str {
        match self {
            Self::Bnb => "BNB",
            Self::Trx => "TRX",
        }
    }
}

impl Asset {
    /// An asset in a feed of rates.
    pub fn quoted(code: &str) -> Option<Self> {
        let gas = GasCoin::ALL.into_iter().find(|coin| coin.code() == code);
        gas.map(Self::Gas).or_else(|| Self::known(code))
    }

    /// An asset that can be owed.
    pub fn known(code: &str) -> Option<Self> {
        let crypto = code.parse().ok().map(Self::Crypto);
        crypto.or_else(|| code.parse().ok().map(Self::Fiat))
    }

    pub fn code(self) -> &'static str {
        match self {
            Self::Crypto(currency) => currency.code(),
            Self::Fiat(fiat) => fiat.code(),
            Self::Gas(coin) => coin.code(),
        }
    }
}
