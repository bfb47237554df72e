//! Configuration of a network.

use std::collections::BTreeMap;
use std::fmt;

use alloy_primitives::Address;
use checkout_core::{Currency, Network, Pair};
use checkout_domain::chain::finality::Finality;
use checkout_domain::chain::waiting::ReplaceAfter;

use crate::confirmed_by::ConfirmedBy;
use crate::networks;
use crate::rpc::MAX_BATCH;

/// The address of a token contract.
pub type Contract = Address;

checkout_domain::words! {
    /// How to detect transfers of the native coin by contracts, which emit no log.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum InternalTransfers {
        /// `debug_traceBlockByHash` with the call tracer: geth, Erigon, Nethermind, Reth, Besu.
        #[default]
        DebugTrace = "debug_trace",
        /// `trace_block`: Erigon, Nethermind, Reth, Besu.
        TraceBlock = "trace_block",
        /// Off: coins that an exchange or a wallet sends through a contract are not credited.
        Off = "off",
    }
}

#[derive(Clone)]
pub struct Settings {
    pub network: Network,
    /// URL of the node's JSON-RPC; it may contain a provider's key.
    pub url: String,
    pub chain_id: u64,
    /// Confirmations after which a transfer is confirmed; its own block counts.
    pub confirmations: u64,
    pub confirmed_by: ConfirmedBy,
    pub internal_transfers: InternalTransfers,
    /// Calls in one request; a provider that refuses so many gets fewer.
    pub max_batch: usize,
    /// Token contracts of a test network; a main network uses those of the pair table.
    pub tokens: BTreeMap<Currency, Address>,
    /// Maximum price of a unit of gas for a payout, in wei.
    pub max_fee_per_gas: u128,
    /// When a payout that is in no block is replaced by one with a higher fee.
    pub replace_after: ReplaceAfter,
    /// Its transfers are no deposits: before a sweep it pays for the gas of deposit addresses.
    pub gas_account: Option<Address>,
    pub finality: Finality,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("network", &self.network)
            .field("chain_id", &self.chain_id)
            .finish_non_exhaustive()
    }
}

const GWEI: u128 = 1_000_000_000;

/// Five minutes.
const REPLACE_AFTER: ReplaceAfter = ReplaceAfter::Seconds(300);

impl Settings {
    /// Returns whether this is the main network.
    pub fn new(network: Network, url: String) -> Self {
        Self {
            network,
            url,
            chain_id: network.spec().chain_id().unwrap_or_default(),
            confirmations: 1,
            confirmed_by: networks::row(network).confirmed_by,
            internal_transfers: InternalTransfers::default(),
            max_batch: MAX_BATCH,
            tokens: BTreeMap::new(),
            max_fee_per_gas: networks::row(network).max_fee_gwei * GWEI,
            replace_after: REPLACE_AFTER,
            gas_account: None,
            finality: Finality::default(),
        }
    }

    /// Returns whether the network's coins have value.
    pub fn is_main(&self) -> bool {
        self.network.spec().chain_id() == Some(self.chain_id)
    }

    /// Returns the contract of a token pair; `None` for the native coin and for a token without a contract on
    /// a test network.
    pub fn contract(&self, pair: &Pair) -> Option<Address> {
        let table = pair.contract.filter(|_| self.is_main());
        let contract = self.tokens.get(&pair.currency).copied();
        pair.contract?;
        contract.or_else(|| table?.parse().ok())
    }

    /// Returns the pair of the native coin. The coins of BSC and Polygon are not supported currencies.
    pub fn native(&self) -> Option<&'static Pair> {
        self.network.spec().pairs.iter().find(|pair| pair.contract.is_none())
    }

    /// Returns whether transfers of a pair are detected: those of the native coin, and of tokens with a contract.
    pub fn reads(&self, pair: &Pair) -> bool {
        pair.contract.is_none() || self.contract(pair).is_some()
    }

    /// Returns the watched tokens.
    pub fn token_pairs(&self) -> impl Iterator<Item = (&'static Pair, Address)> {
        self.network
            .spec()
            .pairs
            .iter()
            .filter(|pair| pair.deposit)
            .filter_map(|pair| Some((pair, self.contract(pair)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkout_core::pair;

    #[test]
    fn tokens_of_a_main_network_come_from_the_table() {
        let check = |settings: &Settings, expected: &[(Currency, &str)]| {
            let have: Vec<_> = settings
                .token_pairs()
                .map(|(pair, contract)| (pair.currency, contract.to_checksum(None)))
                .collect();
            let expected: Vec<_> =
                expected.iter().map(|(currency, text)| (*currency, (*text).to_owned())).collect();
            assert_eq!(have, expected, "{settings:?}");
        };
        let main = Settings::new(Network::Eth, "http://localhost".to_owned());
        check(
            &main,
            &[
                (Currency::Usdc, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
                (Currency::Usdt, "0xdAC17F958D2ee523a2206206994597C13D831ec7"),
                (Currency::Link, "0x514910771AF9Ca656af840dff83E8264EcF986CA"),
            ],
        );
        let sepolia = Settings { chain_id: 11_155_111, ..main.clone() };
        check(&sepolia, &[]);
        let own = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
        let tokens = BTreeMap::from([(Currency::Usdt, own.parse().unwrap())]);
        let sepolia = Settings { tokens, ..sepolia };
        check(&sepolia, &[(Currency::Usdt, own)]);
        let reads = |currency| sepolia.reads(pair::find(currency, Network::Eth).unwrap());
        assert!(reads(Currency::Eth) && reads(Currency::Usdt));
        assert!(!reads(Currency::Link), "it has no contract here");
    }

    #[test]
    fn the_native_coin() {
        let native = |network| {
            Settings::new(network, "http://localhost".to_owned()).native().map(|pair| pair.currency)
        };
        assert_eq!(native(Network::Eth), Some(Currency::Eth));
        assert_eq!(native(Network::Bsc), None, "BNB is not a supported currency");
        assert_eq!(native(Network::Polygon), None, "POL is not a supported currency");
        assert_eq!([Network::Base, Network::Arbitrum].map(native), [Some(Currency::Eth); 2]);
    }

    /// <https://chainid.network>.
    #[test]
    fn the_chain_of_each_network() {
        let check = |network, chain_id, confirmed_by| {
            let settings = Settings::new(network, "http://localhost".to_owned());
            assert!(settings.is_main() && !Settings { chain_id: 31_337, ..settings.clone() }.is_main());
            assert_eq!((settings.chain_id, settings.confirmed_by), (chain_id, confirmed_by), "{network}");
        };
        check(Network::Eth, 1, ConfirmedBy::Latest);
        check(Network::Bsc, 56, ConfirmedBy::Latest);
        check(Network::Polygon, 137, ConfirmedBy::Finalized);
        check(Network::Base, 8_453, ConfirmedBy::Safe);
        check(Network::Arbitrum, 42_161, ConfirmedBy::Safe);
    }
}
