//! A fiat currency or cryptocurrency, as one side of an exchange rate.

use checkout_core::chain::{CHAINS, GasCoin};
use checkout_core::{Currency, Network};

use crate::rates::fiat::Fiat;

/// One side of a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asset {
    Crypto(Currency),
    Fiat(Fiat),
    /// A coin that pays fees only.
    Gas(&'static GasCoin),
}

/// The coins of networks that are no supported currencies.
pub fn gas_coins() -> impl Iterator<Item = &'static GasCoin> {
    CHAINS.iter().filter_map(|chain| chain.gas_coin.as_ref())
}

impl Asset {
    /// An asset in a feed of rates.
    pub fn quoted(code: &str) -> Option<Self> {
        gas_coins().find(|coin| coin.code == code).map(Self::Gas).or_else(|| Self::known(code))
    }

    /// An asset that can be owed.
    pub fn known(code: &str) -> Option<Self> {
        let crypto = Currency::served(code).map(Self::Crypto);
        crypto.or_else(|| code.parse().ok().map(Self::Fiat))
    }

    /// The coin that a network takes its fees in.
    pub fn of_fees(network: Network) -> Self {
        let spec = network.spec();
        let own = || spec.pairs.iter().find(|pair| pair.contract.is_none());
        match &spec.gas_coin {
            Some(coin) => Self::Gas(coin),
            None => own().map_or(Self::Fiat(Fiat::EUR), |pair| Self::Crypto(pair.currency)),
        }
    }

    pub fn code(self) -> &'static str {
        match self {
            Self::Crypto(currency) => currency.code(),
            Self::Fiat(fiat) => fiat.code(),
            Self::Gas(coin) => coin.code,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_has_a_coin_of_its_own_or_one_that_is_a_currency() {
        for chain in CHAINS {
            let is_currency = chain.pairs.iter().any(|pair| pair.contract.is_none());
            assert_eq!(chain.gas_coin.is_none(), is_currency, "{}", chain.name);
            assert!(!matches!(Asset::of_fees(chain.network), Asset::Fiat(_)), "{}", chain.name);
        }
        let codes: Vec<_> = gas_coins().map(|coin| coin.code).collect();
        assert_eq!(codes, ["BNB", "TRX", "POL"]);
        assert_eq!(Asset::quoted("POL").map(Asset::code), Some("POL"));
        assert_eq!(Asset::known("POL"), None);
    }
}
