//! The operator's settings of the network.

use std::collections::BTreeMap;
use std::time::Duration;

use alloy_primitives::{Address, B256, b256};
use checkout_core::{Currency, Network, Pair, pair};

use crate::account;

/// Genesis blocks, which identify the main network and the test networks.
pub const MAIN: B256 = b256!("00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc");
pub const SHASTA: B256 = b256!("0000000000000000de1aa88295e1fcf982742f773e0419c5a9c134c994a9059e");
pub const NILE: B256 = b256!("0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc");

const TRX: u64 = 1_000_000;

#[derive(Clone, Debug)]
pub struct Settings {
    /// The id of the network's first block.
    pub genesis: B256,
    /// Token contracts, for networks for tests; the main network has those of the pair table.
    pub tokens: BTreeMap<Currency, Address>,
    /// The most that a payout may burn for energy, in sun.
    pub max_fee: u64,
    /// How often a sweep looks for its blocks. One comes every three seconds.
    pub poll: Duration,
}

impl Default for Settings {
    /// The main network.
    fn default() -> Self {
        Self { genesis: MAIN, tokens: BTreeMap::new(), max_fee: 50 * TRX, poll: Duration::from_secs(3) }
    }
}

impl Settings {
    /// Its money is real.
    pub fn is_main(&self) -> bool {
        self.genesis == MAIN
    }

    /// The contract of a token; `None` for one that is not set up on a network for tests.
    pub fn contract(&self, pair: &Pair) -> Option<Address> {
        let own = self.tokens.get(&pair.currency).copied();
        own.or_else(|| pair.contract.filter(|_| self.is_main()).and_then(account::read))
    }

    /// Whether transfers of a token are detected.
    pub fn reads(&self, pair: &Pair) -> bool {
        self.contract(pair).is_some()
    }

    /// The tokens that are watched: those that the gateway has on TRON.
    pub fn token_pairs(&self) -> impl Iterator<Item = (&'static Pair, Address)> {
        let pairs = pair::PAIRS.iter().filter(|pair| pair.network == Network::Trx && pair.contract.is_some());
        pairs.filter_map(|pair| Some((pair, self.contract(pair)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_the_main_network_come_from_the_table() {
        let check = |settings: &Settings, expected: &[(Currency, &str)]| {
            let pairs = settings.token_pairs();
            let have: Vec<_> =
                pairs.map(|(pair, contract)| (pair.currency, account::to_text(contract))).collect();
            let expected: Vec<_> =
                expected.iter().map(|(currency, text)| (*currency, (*text).to_owned())).collect();
            assert_eq!(have, expected, "{settings:?}");
        };
        let usdt = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
        let main = Settings::default();
        check(&main, &[(Currency::Usdc, "TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8"), (Currency::Usdt, usdt)]);
        let nile = Settings { genesis: NILE, ..main };
        check(&nile, &[]);
        let own = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf";
        let tokens = BTreeMap::from([(Currency::Usdt, account::read(own).unwrap())]);
        let nile = Settings { tokens, ..nile };
        check(&nile, &[(Currency::Usdt, own)]);
        let reads = |currency| nile.reads(pair::find(currency, Network::Trx).unwrap());
        assert!(reads(Currency::Usdt) && !reads(Currency::Usdc));
    }

    /// A coin of the network would need the transfers that are no contract calls.
    #[test]
    fn every_currency_on_tron_is_a_token() {
        for pair in pair::PAIRS.iter().filter(|pair| pair.network == Network::Trx) {
            assert!(pair.contract.is_some(), "{pair:?}");
        }
    }
}
