//! One section `[chains.BTC]`, `[chains.LTC]`, `[chains.BCH]` or `[chains.DOGE]` of the configuration file.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use checkout_chain_http::gate::RequestGate;
use checkout_core::address::TestNetwork;
use checkout_core::{Amount, Network};
use checkout_domain::chain::environment::TestEnvironment;
use checkout_domain::chain::finality::Finality;
use checkout_domain::chain::waiting::ReplaceAfter;
use reqwest::Url;
use serde::Deserialize;

use crate::dialect::Dialect;

/// The network that the node is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Environment {
    #[default]
    Mainnet,
    Testnet,
    Signet,
    Regtest,
}

impl Environment {
    pub(crate) const ALL: [Self; 4] = [Self::Mainnet, Self::Testnet, Self::Signet, Self::Regtest];

    pub fn name(self) -> &'static str {
        match self {
            Self::Mainnet => "mainnet",
            Self::Testnet => "testnet",
            Self::Signet => "signet",
            Self::Regtest => "regtest",
        }
    }

    /// Returns whether `chain` of `getblockchaininfo` is this network. Testnet has several generations.
    pub(crate) fn is_called(self, chain: &str) -> bool {
        match self {
            Self::Mainnet => chain == "main",
            Self::Testnet => chain.starts_with("test"),
            Self::Signet => chain == "signet",
            Self::Regtest => chain == "regtest",
        }
    }

    /// Returns `None` for the main network. Signet shares the addresses of testnet.
    pub fn test(self) -> Option<TestEnvironment> {
        let addresses = match self {
            Self::Mainnet => return None,
            Self::Testnet | Self::Signet => TestNetwork::Testnet,
            Self::Regtest => TestNetwork::Regtest,
        };
        Some(TestEnvironment { name: self.name().to_owned(), addresses: Some(addresses), chain_id: None })
    }
}

/// How to connect to the node and use it.
#[derive(Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// URL of the JSON-RPC, such as `http://127.0.0.1:9332`. Beside `esplora` only for payouts.
    pub url: String,
    /// URL of an Esplora server, such as `https://blockstream.info/api`, which reports deposits instead of the node.
    pub esplora: Option<String>,
    /// How often the node or the Esplora server is asked.
    pub poll_seconds: Option<u64>,
    pub requests_per_hour: Option<u32>,
    pub requests_per_day: Option<u32>,
    /// Limits the requests to the server that reports deposits: the Esplora server, or the node with both of its wallets.
    #[serde(skip)]
    pub gate: Arc<RequestGate>,
    /// The most requests to the Esplora server in a second.
    pub requests_per_second: Option<u32>,
    /// From `rpcauth` or `rpcuser` in the node's configuration.
    pub user: Option<String>,
    pub password: Option<String>,
    /// Alternative to user and password: the cookie file that the node writes at each start.
    pub cookie_file: Option<PathBuf>,
    pub network: Environment,
    /// Watch-only wallet of the node. The gateway creates it; nothing else may use it.
    pub wallet: String,
    /// Wallet of the node that pays withdrawals and refunds. Without it, none are sent.
    pub payout_wallet: Option<String>,
    /// Maximum fee of a payout, in coins per 1,000 virtual bytes.
    pub max_fee_rate: Option<String>,
    /// Fee rate if the node has no estimate.
    pub fallback_fee_rate: Option<String>,
    /// Seconds after which a payout that is in no block is replaced by one with a higher fee; 0: never.
    pub replace_after_seconds: Option<u64>,
    /// The same by the number of blocks that were found meanwhile.
    pub replace_after_blocks: Option<u64>,
    #[serde(skip)]
    pub finality: Finality,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            url: String::new(),
            esplora: None,
            poll_seconds: None,
            requests_per_hour: None,
            requests_per_day: None,
            gate: Arc::default(),
            requests_per_second: None,
            user: None,
            password: None,
            cookie_file: None,
            network: Environment::default(),
            wallet: WALLET.to_owned(),
            payout_wallet: None,
            max_fee_rate: None,
            fallback_fee_rate: None,
            replace_after_seconds: None,
            replace_after_blocks: None,
            finality: Finality::default(),
        }
    }
}

const WALLET: &str = "checkout-deposits";

/// An hour.
const REPLACE_AFTER: u64 = 3_600;

/// Decimal places of all these coins.
pub(crate) const DECIMALS: u8 = 8;

impl Settings {
    /// Errors are sentences for users.
    pub fn check(&self, network: Network) -> Result<(), String> {
        let wrong = |problem: &str| Err(format!("[chains.{network}] {problem}."));
        self.check_esplora(network)?;
        self.check_fee_rates(network)?;
        if self.esplora.is_some() && self.url.is_empty() {
            let node = [&self.user, &self.password, &self.payout_wallet];
            if node.into_iter().any(Option::is_some) || self.cookie_file.is_some() {
                return wrong(
                    "user, password, cookie_file and payout_wallet are of a node, and url is missing",
                );
            }
            return Ok(());
        }
        if self.esplora.is_some() && self.payout_wallet.is_none() {
            return wrong("url is beside esplora only for payouts, and payout_wallet is missing");
        }
        if !is_url(&self.url) {
            return wrong("url must look like http://127.0.0.1:9332");
        }
        if self.url.contains('@') {
            return wrong("url must not hold a password: write user and password");
        }
        match (&self.user, &self.password, &self.cookie_file) {
            (Some(_), Some(_), None) | (None, None, Some(_)) => {}
            _ => return wrong("needs either user and password, or cookie_file"),
        }
        if !Dialect::of(network).has_wallets {
            return if self.wallet == WALLET {
                Ok(())
            } else {
                wrong("wallet must be missing: the node has one wallet, which it opens itself (-wallet)")
            };
        }
        if self.wallet.is_empty() || self.payout_wallet.as_deref() == Some(&self.wallet) {
            return wrong(
                "wallet and payout_wallet must differ: wallet watches deposits, payout_wallet pays",
            );
        }
        Ok(())
    }

    fn check_esplora(&self, network: Network) -> Result<(), String> {
        let wrong = |problem: &str| Err(format!("[chains.{network}] {problem}."));
        let Some(esplora) = &self.esplora else {
            return match self.requests_per_second {
                None => Ok(()),
                Some(_) => wrong("requests_per_second is for esplora; a node has requests_per_hour"),
            };
        };
        if !Dialect::of(network).has_esplora {
            let name = network.spec().name;
            return wrong(&format!("esplora: there are no such servers for {name}; it needs a node: url"));
        }
        if !is_url(esplora) {
            return wrong("esplora must look like https://blockstream.info/api");
        }
        if esplora.contains('@') {
            return wrong("esplora must not hold a password");
        }
        if self.requests_per_second.is_some_and(|count| !(1..=1_000).contains(&count)) {
            return wrong("requests_per_second must be from 1 to 1000");
        }
        Ok(())
    }

    /// The server that reports deposits.
    pub fn reader(&self) -> &str {
        self.esplora.as_deref().unwrap_or(&self.url)
    }

    /// The time between two requests to an Esplora server.
    pub(crate) fn pause(&self) -> Duration {
        Duration::from_secs(1) / self.requests_per_second.unwrap_or(5).max(1)
    }

    fn check_fee_rates(&self, network: Network) -> Result<(), String> {
        let wrong = |problem: &str| Err(format!("[chains.{network}] {problem}."));
        for (key, rate) in
            [("max_fee_rate", &self.max_fee_rate), ("fallback_fee_rate", &self.fallback_fee_rate)]
        {
            let read = rate.as_deref().map(|rate| Amount::parse(rate, DECIMALS));
            if read.is_some_and(|rate| rate.map_or(true, Amount::is_zero)) {
                return wrong(&format!("{key} must be coins per 1,000 virtual bytes, such as \"0.0005\""));
            }
        }
        match self.replace_after(network) {
            Ok(ReplaceAfter::Seconds(_) | ReplaceAfter::Blocks(_))
                if !Dialect::of(network).replaces_payouts =>
            {
                let name = network.spec().name;
                wrong(&format!(
                    "replace_after_seconds and replace_after_blocks must be 0 or missing: payouts on {name} are not replaced"
                ))
            }
            Ok(_) => Ok(()),
            Err(problem) => wrong(problem),
        }
    }

    pub(crate) fn replace_after(&self, network: Network) -> Result<ReplaceAfter, &'static str> {
        let is_replaced = Dialect::of(network).replaces_payouts;
        let usual = if is_replaced { ReplaceAfter::Seconds(REPLACE_AFTER) } else { ReplaceAfter::Never };
        ReplaceAfter::read(self.replace_after_seconds, self.replace_after_blocks, usual)
    }

    /// In atoms per 1,000 virtual bytes.
    pub(crate) fn rates(&self, network: Network) -> (u128, u128) {
        let (most, fallback) = Dialect::of(network).rates;
        let given = |rate: &Option<String>, usual| {
            let read = rate.as_deref().and_then(|rate| Amount::parse(rate, DECIMALS).ok());
            read.map_or(usual, Amount::atoms)
        };
        (given(&self.max_fee_rate, most), given(&self.fallback_fee_rate, fallback))
    }
}

fn is_url(text: &str) -> bool {
    (text.starts_with("http://") || text.starts_with("https://")) && Url::parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_section_is_explained() {
        let settings = Settings {
            url: "http://127.0.0.1:9332".to_owned(),
            user: Some("checkout".to_owned()),
            password: Some("secret".to_owned()),
            max_fee_rate: Some("0.0005".to_owned()),
            ..Settings::default()
        };
        assert_eq!(settings.check(Network::Ltc), Ok(()));
        assert_eq!(settings.rates(Network::Ltc), (50_000, 10_000));
        let check = |change: fn(&mut Settings), expected: &str| {
            let mut changed = settings.clone();
            change(&mut changed);
            let said = changed.check(Network::Ltc).unwrap_err();
            assert!(said.starts_with("[chains.LTC] ") && said.contains(expected), "{said}");
            assert!(!said.contains("secret"));
        };
        check(|s| s.url = "127.0.0.1:9332".to_owned(), "url must look like");
        check(|s| s.url = "http://".to_owned(), "url must look like");
        check(|s| s.url = "http://u:secret@127.0.0.1".to_owned(), "must not hold a password");
        check(|s| s.password = None, "user and password");
        check(|s| s.cookie_file = Some("cookie".into()), "cookie_file");
        let never = Settings { replace_after_seconds: Some(0), ..settings.clone() };
        assert_eq!(settings.replace_after(Network::Btc), Ok(ReplaceAfter::Seconds(3_600)));
        assert_eq!(never.replace_after(Network::Btc), Ok(ReplaceAfter::Never));
        assert_eq!(settings.replace_after(Network::Bch), Ok(ReplaceAfter::Never));
        assert_eq!(never.check(Network::Bch), Ok(()));
        for eager in [(Some(1), None), (None, Some(1))] {
            let mut settings = settings.clone();
            (settings.replace_after_seconds, settings.replace_after_blocks) = eager;
            assert!(settings.check(Network::Bch).unwrap_err().contains("Bitcoin Cash"));
        }
        check(
            |s| (s.replace_after_seconds, s.replace_after_blocks) = (Some(60), Some(6)),
            "set either replace_after_seconds or replace_after_blocks",
        );
        check(|s| s.payout_wallet = Some(s.wallet.clone()), "wallet and payout_wallet must differ");
        check(|s| s.requests_per_second = Some(5), "is for esplora");
        check(|s| s.esplora = Some("https://blockstream.info/api".to_owned()), "payout_wallet is missing");
        check(|s| s.esplora = Some("blockstream.info".to_owned()), "esplora must look like");
        let of = |change: fn(&mut Settings)| {
            let esplora = Some("https://blockstream.info/api".to_owned());
            let (user, password) = (None, None);
            let mut bare = Settings { url: String::new(), esplora, user, password, ..settings.clone() };
            change(&mut bare);
            bare.check(Network::Ltc).map_err(|said| said.trim_start_matches("[chains.LTC] ").to_owned())
        };
        assert_eq!(of(|_| {}), Ok(()));
        assert_eq!(of(|s| s.requests_per_second = Some(2)), Ok(()));
        assert!(of(|s| s.payout_wallet = Some("hot".to_owned())).unwrap_err().contains("url is missing"));
        assert!(of(|s| s.requests_per_second = Some(0)).unwrap_err().contains("from 1 to 1000"));
        let on_bch = Settings { esplora: Some("https://bch.example".to_owned()), ..settings.clone() };
        assert!(on_bch.check(Network::Bch).unwrap_err().contains("no such servers"));
        let doge = Settings { max_fee_rate: None, ..settings.clone() };
        assert_eq!(
            (doge.check(Network::Doge), doge.rates(Network::Doge)),
            (Ok(()), (100_000_000, 1_000_000))
        );
        let pays = Settings { payout_wallet: Some(WALLET.to_owned()), ..doge.clone() };
        assert_eq!(pays.check(Network::Doge), Ok(()), "the one wallet");
        let named = Settings { wallet: "other".to_owned(), ..doge };
        assert!(named.check(Network::Doge).unwrap_err().contains("wallet must be missing"));
        for wrong in ["0", "5 sat", "-1"] {
            let changed = Settings { max_fee_rate: Some(wrong.to_owned()), ..settings.clone() };
            assert!(changed.check(Network::Ltc).unwrap_err().contains("max_fee_rate"), "{wrong}");
        }
    }
}
