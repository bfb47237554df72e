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
    Pol,
}

/// One row of [`GAS_COINS`].
#[derive(Debug)]
pub struct GasCoinSpec {
    pub coin: GasCoin,
    pub network: Network,
    pub code: &'static str,
    /// The least and the most that a coin may cost, in thousandths of a euro.
    pub sane_millieur: (u64, u64),
    /// The id at CoinGecko.
    pub coingecko: &'static str,
    /// Kraken's market in EUR, if there is one.
    pub kraken: Option<&'static str>,
}

pub static GAS_COINS: [GasCoinSpec; 3] = [
    GasCoinSpec {
        coin: GasCoin::Bnb,
        network: Network::Bsc,
        code: "BNB",
        sane_millieur: (20_000, 20_000_000),
        coingecko: "binancecoin",
        kraken: None,
    },
    GasCoinSpec {
        coin: GasCoin::Trx,
        network: Network::Trx,
        code: "TRX",
        sane_millieur: (10, 10_000),
        coingecko: "tron",
        kraken: Some("TRXEUR"),
    },
    GasCoinSpec {
        coin: GasCoin::Pol,
        network: Network::Polygon,
        code: "POL",
        sane_millieur: (5, 20_000),
        coingecko: "polygon-ecosystem-token",
        kraken: None,
    },
];

impl GasCoin {
    /// `None` for a network whose coin is a supported currency.
    pub fn of(network: Network) -> Option<Self> {
        GAS_COINS.iter().find(|row| row.network == network).map(|row| row.coin)
    }

    pub fn spec(self) -> &'static GasCoinSpec {
        &GAS_COINS[self as usize]
    }

    pub fn code(self) -> &'static str {
        self.spec().code
    }
}

impl Asset {
    /// An asset in a feed of rates.
    pub fn quoted(code: &str) -> Option<Self> {
        let gas = GAS_COINS.iter().find(|row| row.code == code);
        gas.map(|row| Self::Gas(row.coin)).or_else(|| Self::known(code))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gas_coin_has_its_row() {
        for (at, row) in GAS_COINS.iter().enumerate() {
            assert_eq!(row.coin as usize, at, "{row:?}");
            assert_eq!(GasCoin::of(row.network), Some(row.coin));
            assert!(row.network.spec().pairs.iter().all(|pair| pair.contract.is_some()), "{row:?}");
        }
    }
}
