//! `[chains.XLM]`.

use std::path::PathBuf;
use std::sync::Arc;

use checkout_chain_stellar::{Key, MAIN, MAX_FEE, Node, Signer, StellarBroadcaster, StellarChain, TEST};
use checkout_core::Network;
use checkout_domain::chain::environment::TestEnvironment;
use checkout_storage::Database;
use serde::Deserialize;

use super::Adapters;
use super::account::Account;

#[derive(Clone)]
pub(crate) struct Source {
    pub(super) account: Account,
    passphrase: String,
    name: Option<String>,
    max_fee: u32,
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
        let max_fee = section.max_fee_stroops.unwrap_or(MAX_FEE);
        let file = (section.key_file, section.passphrase_file);
        let signer = (section.signer_url, "signer_account", section.signer_account);
        let requests = (section.poll_seconds, section.requests_per_hour, section.requests_per_day);
        let account = Account::read(Network::Xlm, section.url, file, signer, requests)?;
        Ok(Self { account, passphrase, name: section.name, max_fee })
    }

    /// `None` on the main network. Its test networks use the same addresses.
    pub(crate) fn test_environment(&self) -> Option<TestEnvironment> {
        let known = if self.passphrase == TEST { "testnet" } else { &self.passphrase };
        let name = || self.name.clone().unwrap_or_else(|| known.to_owned());
        (self.passphrase != MAIN).then(|| TestEnvironment { name: name(), addresses: None, chain_id: None })
    }

    /// Without a key, the network has no payouts.
    pub(crate) fn adapters(&self, deposits: String, database: &Database) -> Result<Adapters, String> {
        let node = Arc::new(
            Node::new(&self.account.url, &self.passphrase)?.with_budget(self.account.requests.budget),
        );
        let chain = Arc::new(StellarChain::new(Arc::clone(&node), deposits));
        let key = |seed: &str| Key::from_seed(seed).map(Signer::from);
        let Some(signer) = self.account.signer(key, Signer::remote)? else { return Ok((chain, None)) };
        tracing::info!(network = "XLM", account = signer.account(), "account for payouts");
        let store = Arc::new(database.clone());
        Ok((chain, Some(Arc::new(StellarBroadcaster::new(node, signer, store, self.max_fee)))))
    }
}
