//! `[chains.TRX]`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use alloy_primitives::B256;
use checkout_chain_tron::api::Api;
use checkout_chain_tron::settings::{MAIN, NILE, SHASTA};
use checkout_chain_tron::{Key, Node, Settings, Signer, TronBroadcaster, TronChain, TronSweep, account};
use checkout_core::address::Address;
use checkout_core::{Currency, Network, pair};
use checkout_domain::chain::environment::TestEnvironment;
use checkout_domain::ports::Chain;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_domain::ports::watched_addresses::WatchedAddresses;
use checkout_storage::Database;
use serde::Deserialize;

use super::Adapters;
use super::password::password;
use super::payout_key::PayoutKey;
use super::requests::Requests;

const SUN: u64 = 1_000_000;

#[derive(Clone)]
pub(crate) struct Source {
    url: String,
    api_key_file: Option<PathBuf>,
    settings: Settings,
    /// Of a network for tests.
    name: Option<String>,
    key: Option<PayoutKey<PathBuf>>,
    password_file: Option<PathBuf>,
    pub(super) requests: Requests,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    /// HTTP interface of java-tron or of a provider.
    url: String,
    api_key_file: Option<PathBuf>,
    /// `main`, `nile`, `shasta`, or the id of the first block.
    network: Option<String>,
    /// The usual name of a test network.
    name: Option<String>,
    poll_seconds: Option<u64>,
    requests_per_hour: Option<u32>,
    requests_per_day: Option<u32>,
    keystore: Option<PathBuf>,
    password_file: Option<PathBuf>,
    signer_url: Option<String>,
    signer_account: Option<String>,
    max_fee_trx: Option<u32>,
    #[serde(default)]
    tokens: BTreeMap<String, String>,
}

impl Source {
    /// Errors are messages for users.
    pub(crate) fn read(section: toml::Table) -> Result<Self, String> {
        let wrong = |why: String| format!("[chains.TRX] {why}.");
        let section: Section =
            section.try_into().map_err(|error: toml::de::Error| wrong(error.message().to_owned()))?;
        let mut settings = Settings::default();
        if let Some(network) = &section.network {
            settings.genesis = genesis(network).ok_or_else(|| {
                wrong(format!("network is main, nile, shasta or the id of the first block, not {network}"))
            })?;
        }
        if let Some(trx) = section.max_fee_trx {
            settings.max_fee = u64::from(trx) * SUN;
        }
        for (code, contract) in &section.tokens {
            let (currency, contract) = token(code, contract).map_err(wrong)?;
            settings.tokens.insert(currency, contract);
        }
        Api::new(&section.url, None).map_err(|why| wrong(format!("url: {why}")))?;
        if section.keystore.is_none() && section.password_file.is_some() {
            return Err(wrong("password_file is there without keystore".to_owned()));
        }
        let (hour, day) = (section.requests_per_hour, section.requests_per_day);
        let requests = Requests::read(Network::Trx, &section.url, section.poll_seconds, hour, day);
        let requests = requests.map_err(|why| wrong(why.to_owned()))?;
        let Section { url, api_key_file, name, keystore, password_file, .. } = section;
        let names = ("keystore", "signer_account");
        let key =
            PayoutKey::read(names, keystore, section.signer_url, section.signer_account).map_err(wrong)?;
        Ok(Self { url, api_key_file, settings, name, key, password_file, requests })
    }

    /// `None` on the main network. The addresses of its test networks look the same.
    pub(crate) fn test_environment(&self) -> Option<TestEnvironment> {
        let known = match self.settings.genesis {
            MAIN => return None,
            NILE => "Nile",
            SHASTA => "Shasta",
            _ => "private network",
        };
        let name = self.name.clone().unwrap_or_else(|| known.to_owned());
        Some(TestEnvironment { name, addresses: None, chain_id: None })
    }

    /// Without a key nothing is sent on the network.
    pub(crate) fn adapters(&self, database: &Database) -> Result<Adapters, String> {
        let node = Arc::new(self.node()?);
        let store = Arc::new(database.clone());
        let watched = Arc::clone(&store) as Arc<dyn WatchedAddresses>;
        let settings = self.settings.clone();
        let chain: Arc<dyn Chain> =
            Arc::new(TronChain::new(settings.clone(), Arc::clone(&node), watched, Arc::new(SystemClock)));
        let signer = match &self.key {
            None => return Ok((chain, None)),
            Some(PayoutKey::File(path)) => {
                Signer::Key(Key::open(path, &password(Network::Trx, self.password_file.as_ref())?)?)
            }
            Some(PayoutKey::Remote { url, account }) => {
                Signer::remote(url, account).map_err(|why| format!("[chains.TRX] {why}."))?
            }
        };
        let account = account::to_text(signer.account());
        tracing::info!(network = "TRX", account, "payouts come from this account");
        Ok((chain, Some(Arc::new(TronBroadcaster::new(settings, node, signer, store)))))
    }

    /// `max_fee`: for the energy of a transfer, in TRX.
    pub(crate) fn wallet(&self, max_fee: Option<u32>) -> Result<TronSweep, String> {
        let mut settings = self.settings.clone();
        if let Some(trx) = max_fee {
            settings.max_fee = u64::from(trx) * SUN;
        }
        Ok(TronSweep::new(settings, Arc::new(self.node()?)))
    }

    fn node(&self) -> Result<Node, String> {
        let key = match &self.api_key_file {
            Some(path) => {
                let text = std::fs::read_to_string(path);
                let wrong = |error| format!("[chains.TRX] api_key_file {}: {error}.", path.display());
                Some(text.map_err(wrong)?.trim().to_owned())
            }
            None => std::env::var("CHECKOUT_TRX_API_KEY").ok(),
        };
        let api = Api::new(&self.url, key.as_deref()).map_err(|why| format!("[chains.TRX] {why}."))?;
        Ok(Node::new(api.with_budget(self.requests.budget), self.settings.genesis))
    }
}

fn genesis(network: &str) -> Option<B256> {
    match network {
        "main" => Some(MAIN),
        "nile" => Some(NILE),
        "shasta" => Some(SHASTA),
        id => id.parse().ok(),
    }
}

fn token(code: &str, contract: &str) -> Result<(Currency, alloy_primitives::Address), String> {
    let currency: Currency =
        code.parse().map_err(|_| format!("tokens names {code}, which is no currency"))?;
    if pair::find(currency, Network::Trx).is_none() {
        return Err(format!("tokens: {currency} is no token on TRX"));
    }
    // By the rules for addresses, so that a mistyped letter is found.
    Address::parse(Network::Trx, contract).map_err(|error| format!("tokens {currency}: {error}"))?;
    let contract = account::read(contract).ok_or_else(|| format!("tokens {currency}: it is no contract"))?;
    Ok((currency, contract))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Source, String> {
        Source::read(toml::from_str(text).unwrap())
    }

    #[test]
    fn a_section_says_what_is_wrong_with_it() {
        let check = |text: &str, part: &str| {
            let error = read(text).err().unwrap_or_default();
            assert!(error.starts_with("[chains.TRX] ") && error.contains(part), "{text}: {error}");
        };
        check("", "url");
        check("url = \"ftp://127.0.0.1\"", "http://");
        check("url = \"http://127.0.0.1\"\nurls = 1", "urls");
        check("url = \"http://127.0.0.1\"\nnetwork = \"test\"", "not test");
        check("url = \"http://127.0.0.1\"\npassword_file = \"x\"", "without keystore");
        check(
            "url = \"http://127.0.0.1\"\nsigner_url = \"http://127.0.0.1\"",
            "signer_url and signer_account",
        );
        check("url = \"http://127.0.0.1\"\n[tokens]\nSHIB = \"T\"", "SHIB");
        check("url = \"http://127.0.0.1\"\n[tokens]\nLINK = \"T\"", "LINK is no token on TRX");
        check(
            "url = \"http://127.0.0.1\"\n[tokens]\nUSDT = \"TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u\"",
            "tokens USDT",
        );
    }

    #[test]
    fn a_network_for_tests_has_a_name() {
        let check = |text: &str, expected: Option<&str>| {
            let source = read(&format!("url = \"http://127.0.0.1\"\n{text}")).unwrap();
            assert_eq!(source.test_environment().map(|test| test.name).as_deref(), expected, "{text}");
        };
        check("", None);
        check("network = \"main\"\nname = \"unused\"", None);
        check("network = \"nile\"", Some("Nile"));
        check("network = \"shasta\"\nname = \"ours\"", Some("ours"));
        check(&format!("network = \"{}\"", "5".repeat(64)), Some("private network"));
    }
}
