//! `[chains.XRP]`.

use std::path::PathBuf;
use std::sync::Arc;

use checkout_chain_xrp::{Key, MAIN, MAX_FEE, NetworkId, Node, Signer, XrpBroadcaster, XrpChain};
use checkout_core::Network;
use checkout_domain::chain::environment::TestEnvironment;
use checkout_storage::Database;
use serde::Deserialize;

use super::Adapters;
use super::account::Account;

#[derive(Clone)]
pub(crate) struct Source {
    pub(super) account: Account,
    network: NetworkId,
    name: Option<String>,
    max_fee: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    /// URL of the JSON-RPC of rippled or Clio.
    url: String,
    /// Network id; defaults to the main network. 1 is the test network.
    #[serde(default)]
    network_id: NetworkId,
    /// The name of a test network.
    name: Option<String>,
    key_file: Option<PathBuf>,
    passphrase_file: Option<PathBuf>,
    signer_url: Option<String>,
    signer_public_key: Option<String>,
    max_fee_drops: Option<u64>,
    poll_seconds: Option<u64>,
    requests_per_hour: Option<u32>,
    requests_per_day: Option<u32>,
}

impl Source {
    /// Errors are messages for users.
    pub(crate) fn read(section: toml::Table) -> Result<Self, String> {
        let wrong = |why: &str| format!("[chains.XRP] {why}.");
        let section: Section = section.try_into().map_err(|error: toml::de::Error| wrong(error.message()))?;
        Node::new(&section.url, section.network_id).map_err(|why| wrong(&why))?;
        let max_fee = section.max_fee_drops.unwrap_or(MAX_FEE);
        let file = (section.key_file, section.passphrase_file);
        let signer = (section.signer_url, "signer_public_key", section.signer_public_key);
        let requests = (section.poll_seconds, section.requests_per_hour, section.requests_per_day);
        let account = Account::read(Network::Xrp, section.url, file, signer, requests)?;
        Ok(Self { account, network: section.network_id, name: section.name, max_fee })
    }

    /// `None` on the main network. Its test networks use the same addresses.
    pub(crate) fn test_environment(&self) -> Option<TestEnvironment> {
        let name = || match (&self.name, self.network) {
            (Some(name), _) => name.clone(),
            (None, 1) => "testnet".to_owned(),
            (None, id) => format!("network {id}"),
        };
        (self.network != MAIN).then(|| TestEnvironment { name: name(), addresses: None, chain_id: None })
    }

    /// Without a key, the network has no payouts.
    pub(crate) fn adapters(&self, deposits: String, database: &Database) -> Result<Adapters, String> {
        let node =
            Arc::new(Node::new(&self.account.url, self.network)?.with_budget(self.account.requests.budget));
        let chain = Arc::new(XrpChain::new(Arc::clone(&node), deposits));
        let key = |seed: &str| Key::from_seed(seed).map(Signer::from);
        let Some(signer) = self.account.signer(key, Signer::remote)? else { return Ok((chain, None)) };
        tracing::info!(network = "XRP", account = signer.account(), "account for payouts");
        let store = Arc::new(database.clone());
        Ok((chain, Some(Arc::new(XrpBroadcaster::new(node, signer, store, self.max_fee)))))
    }
}
