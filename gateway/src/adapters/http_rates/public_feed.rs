//! The public APIs.

use serde::Deserialize;

/// A public API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PublicFeed {
    Bitstamp,
    Coinbase,
    /// Asks for a key.
    Coingecko,
    /// Fiat currencies only.
    Ecb,
    Kraken,
}

impl PublicFeed {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Bitstamp => "bitstamp",
            Self::Coinbase => "coinbase",
            Self::Coingecko => "coingecko",
            Self::Ecb => "ecb",
            Self::Kraken => "kraken",
        }
    }
}
