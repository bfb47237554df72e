//! `[chains.XLM]`.

use std::path::PathBuf;
use std::sync::Arc;

use checkout_chain_stellar::{
    Key, MAIN, Node, PayoutSettings, Signer, StellarBroadcaster, StellarChain, TEST,
};
use checkout_core::Network;
use checkout_domain::chain::environment::TestEnvironment;
use checkout_storage::Database;
use serde::Deserialize;

use super::Adapters;
use super::key_file::KeyFile;
use super::payout_key::PayoutKey;
use super::requests::Requests;

#[derive(Clone)]
pub(crate) struct Source {
    url: String,
    passphrase: String,
    name: Option<String>,
    key: Option<PayoutKey<KeyFile>>,
    payouts: PayoutSettings,
    pub(super) requests: Requests,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    /// URL of Horizon.
    url: String,
    /// Network passphrase; defaults to the main network's.
    network_passphrase: Option<String>,
    /// The name of a test network.
    name: Option<String>,
    key_file: Option<PathBuf>,
    passphrase_file: Option<PathBuf>,
    signer_url: Option<String>,
    signer_account: Option<String>,
    max_fee_stroops: Option<u32>,
    poll_seconds: Option<u64>,
    requests_per_hour: Option<u32>,
    requests_per_day: Option<u32>,
}

impl Source {
    /// Errors are messages for users.
    pub(crate) fn read(section: toml::Table) -> Result<Self, String> {
        let wrong = |why: &str| format!("[chains.XLM] {why}.");
        let section: Section = section.try_into().map_err(|error: toml::de::Error| wrong(error.message()))?;
        let passphrase = section.network_passphrase.unwrap_or_else(|| MAIN.to_owned());
        Node::new(&section.url, &passphrase).map_err(|why| wrong(&why))?;
        let file = KeyFile::read(section.key_file, section.passphrase_file).map_err(wrong)?;
        let names = ("key_file", "signer_account");
        let key = PayoutKey::read(names, file, section.signer_url, section.signer_account);
        let key = key.map_err(|why| wrong(&why))?;
        let mut payouts = PayoutSettings::default();
        payouts.max_fee = section.max_fee_stroops.unwrap_or(payouts.max_fee);
        let (hour, day) = (section.requests_per_hour, section.requests_per_day);
        let requests = Requests::read(Network::Xlm, &section.url, section.poll_seconds, hour, day);
        let requests = requests.map_err(wrong)?;
        Ok(Self { url: section.url, passphrase, name: section.name, key, payouts, requests })
    }

    /// `None` on the main network. Its test networks use the same addresses.
    pub(crate) fn test_environment(&self) -> Option<TestEnvironment> {
        let known = if self.passphrase == TEST { "testnet" } else { &self.passphrase };
        let name = || self.name.clone().unwrap_or_else(|| known.to_owned());
        (self.passphrase != MAIN).then(|| TestEnvironment { name: name(), addresses: None })
    }

    /// Without a key, the network has no payouts.
    pub(crate) fn adapters(&self, deposits: String, database: &Database) -> Result<Adapters, String> {
        let node = Arc::new(Node::new(&self.url, &self.passphrase)?.with_budget(self.requests.budget));
        let chain = Arc::new(StellarChain::new(Arc::clone(&node), deposits));
        let signer = match &self.key {
            None => return Ok((chain, None)),
            Some(PayoutKey::File(file)) => Signer::Key(
                Key::from_seed(&file.open(Network::Xlm)?)
                    .map_err(|why| format!("[chains.XLM] key_file: {why}."))?,
            ),
            Some(PayoutKey::Remote { url, account }) => {
                Signer::remote(url, account).map_err(|why| format!("[chains.XLM] {why}."))?
            }
        };
        tracing::info!(network = "XLM", account = signer.account(), "account for payouts");
        let store = Arc::new(database.clone());
        Ok((chain, Some(Arc::new(StellarBroadcaster::new(node, signer, store, self.payouts)))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Source, String> {
        Source::read(toml::from_str(text).unwrap())
    }

    #[test]
    fn a_wrong_section_is_explained() {
        let check = |text: &str, part: &str| {
            let error = read(text).err().unwrap_or_default();
            assert!(error.starts_with("[chains.XLM] ") && error.contains(part), "{text}: {error}");
        };
        check("", "url");
        check("url = \"ftp://127.0.0.1\"", "http://");
        check("url = \"http://127.0.0.1\"\nurls = 1", "urls");
        check("url = \"http://127.0.0.1\"\npassphrase_file = \"x\"", "without key_file");
        check(
            "url = \"http://127.0.0.1\"\nsigner_url = \"http://127.0.0.1\"",
            "signer_url and signer_account",
        );
    }

    #[test]
    fn a_test_network_has_a_name() {
        let check = |text: &str, expected: Option<&str>| {
            let source = read(&format!("url = \"http://127.0.0.1\"\n{text}")).unwrap();
            assert_eq!(source.test_environment().map(|test| test.name).as_deref(), expected, "{text}");
        };
        check("", None);
        check("name = \"unused\"", None);
        check("network_passphrase = \"Test SDF Network ; September 2015\"", Some("testnet"));
        check("network_passphrase = \"Test SDF Network ; September 2015\"\nname = \"ours\"", Some("ours"));
    }
}
