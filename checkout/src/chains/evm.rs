//! `[chains.ETH]` and those of the other EVM networks.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use checkout_chain_evm::signer::keystore::Keystore;
use checkout_chain_evm::signer::remote::RemoteSigner;
use checkout_chain_evm::{
    ConfirmedBy, EvmBroadcaster, EvmChain, EvmSweep, InternalTransfers, Node, Settings, Signer,
};
use checkout_core::address::Address;
use checkout_core::{Currency, Network, pair};
use checkout_domain::chain::environment::TestEnvironment;
use checkout_domain::chain::finality::Finality;
use checkout_domain::chain::waiting::ReplaceAfter;
use checkout_domain::ports::Chain;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_domain::ports::watched_addresses::WatchedAddresses;
use checkout_storage::Database;
use serde::Deserialize;

use super::Adapters;
use super::password::password;
use super::requests::Requests;

const GWEI: u128 = 1_000_000_000;

#[derive(Clone)]
pub(crate) struct Source {
    pub(super) settings: Settings,
    /// Of a test network.
    name: Option<String>,
    signer: Option<SignerSettings>,
    pub(super) requests: Requests,
}

/// The key of the payout account.
#[derive(Clone)]
enum SignerSettings {
    Keystore { path: PathBuf, password_file: Option<PathBuf> },
    Remote { url: String, account: String },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    /// URL of the JSON-RPC of the node or provider.
    url: String,
    /// EIP-155 chain id; defaults to the main network.
    chain_id: Option<u64>,
    /// The name of a test network, such as `Sepolia`.
    name: Option<String>,
    confirmed_by: Option<String>,
    internal_transfers: Option<String>,
    max_batch: Option<usize>,
    max_fee_gwei: Option<u32>,
    replace_after_seconds: Option<u64>,
    replace_after_blocks: Option<u64>,
    poll_seconds: Option<u64>,
    requests_per_hour: Option<u32>,
    requests_per_day: Option<u32>,
    keystore: Option<PathBuf>,
    password_file: Option<PathBuf>,
    signer_url: Option<String>,
    signer_account: Option<String>,
    #[serde(default)]
    tokens: BTreeMap<String, String>,
}

impl Source {
    /// Errors are messages for users.
    pub(crate) fn read(
        network: Network,
        section: toml::Table,
        confirmations: Option<u32>,
        finality: &Finality,
    ) -> Result<Self, String> {
        let wrong = |why: String| format!("[chains.{network}] {why}.");
        let section: Section =
            section.try_into().map_err(|error: toml::de::Error| wrong(error.message().to_owned()))?;
        let mut settings = Settings::new(network, section.url);
        settings.finality = finality.clone();
        settings.chain_id = section.chain_id.unwrap_or(settings.chain_id);
        settings.confirmations = confirmations.map_or(settings.confirmations, u64::from);
        if let Some(word) = &section.confirmed_by {
            settings.confirmed_by = ConfirmedBy::known(word).ok_or_else(|| {
                wrong(format!("confirmed_by must be latest, safe or finalized, not {word}"))
            })?;
        }
        if let Some(word) = &section.internal_transfers {
            settings.internal_transfers = InternalTransfers::known(word).ok_or_else(|| {
                wrong(format!("internal_transfers must be debug_trace, trace_block or off, not {word}"))
            })?;
        }
        settings.max_batch = section.max_batch.unwrap_or(settings.max_batch);
        if settings.max_batch == 0 {
            return Err(wrong("max_batch must be at least 1".to_owned()));
        }
        if let Some(gwei) = section.max_fee_gwei {
            settings.max_fee_per_gas = u128::from(gwei) * GWEI;
        }
        let (seconds, blocks) = (section.replace_after_seconds, section.replace_after_blocks);
        settings.replace_after = ReplaceAfter::read(seconds, blocks, settings.replace_after)
            .map_err(|problem| wrong(problem.to_owned()))?;
        for (code, contract) in &section.tokens {
            let (currency, contract) = token(network, code, contract).map_err(wrong)?;
            settings.tokens.insert(currency, contract);
        }
        Node::new(&settings.url, settings.chain_id).map_err(|why| wrong(format!("url: {why}")))?;
        let signer = match (section.keystore, section.signer_url, section.signer_account) {
            (None, None, None) => None,
            (Some(path), None, None) => {
                Some(SignerSettings::Keystore { path, password_file: section.password_file })
            }
            (None, Some(url), Some(account)) => Some(SignerSettings::Remote { url, account }),
            _ => {
                return Err(wrong("set either keystore, or signer_url and signer_account".to_owned()));
            }
        };
        let (hour, day) = (section.requests_per_hour, section.requests_per_day);
        let requests = Requests::read(network, &settings.url, section.poll_seconds, hour, day);
        let requests = requests.map_err(|why| wrong(why.to_owned()))?;
        Ok(Self { settings, name: section.name, signer, requests })
    }

    pub(super) fn chain_id(&self) -> u64 {
        self.settings.chain_id
    }

    /// `None` on the main network. Its test networks use the same addresses.
    pub(crate) fn test_environment(&self) -> Option<TestEnvironment> {
        let name = || self.name.clone().unwrap_or_else(|| format!("chain {}", self.settings.chain_id));
        let chain_id = Some(self.settings.chain_id);
        (!self.settings.is_main()).then(|| TestEnvironment { name: name(), addresses: None, chain_id })
    }

    /// Without a signer, the network has no payouts.
    pub(crate) fn adapters(
        &self,
        gas_account: Option<&str>,
        database: &Database,
    ) -> Result<Adapters, String> {
        let gas_account = gas_account.and_then(|account| account.parse().ok());
        let settings = &Settings { gas_account, ..self.settings.clone() };
        let node = Node::new(&settings.url, settings.chain_id)?.with_budget(self.requests.budget);
        let node = node.with_batches_of(settings.max_batch);
        let node = Arc::new(node);
        let store = Arc::new(database.clone());
        let watched = Arc::clone(&store) as Arc<dyn WatchedAddresses>;
        let chain: Arc<dyn Chain> =
            Arc::new(EvmChain::new(settings.clone(), Arc::clone(&node), watched, Arc::new(SystemClock)));
        let Some(signer) = &self.signer else { return Ok((chain, None)) };
        let signer = self.open(signer)?;
        tracing::info!(network = %settings.network, account = %signer.account(), "account for payouts");
        let broadcaster = EvmBroadcaster::new(settings.clone(), node, signer, store);
        Ok((chain, Some(Arc::new(broadcaster))))
    }

    /// `max_fee`: for a unit of gas, in gwei.
    pub(crate) fn wallet(&self, max_fee: Option<u32>) -> Result<EvmSweep, String> {
        let mut settings = self.settings.clone();
        if let Some(gwei) = max_fee {
            settings.max_fee_per_gas = u128::from(gwei) * GWEI;
        }
        let node = Arc::new(Node::new(&settings.url, settings.chain_id)?);
        Ok(EvmSweep::new(settings, node))
    }

    fn open(&self, signer: &SignerSettings) -> Result<Arc<dyn Signer>, String> {
        let network = self.settings.network;
        Ok(match signer {
            SignerSettings::Keystore { path, password_file } => {
                Arc::new(Keystore::open(path, &password(network, password_file.as_ref())?)?)
            }
            SignerSettings::Remote { url, account } => {
                let wrong = |why: String| format!("[chains.{network}] signer: {why}.");
                let account = account.parse().map_err(|_| wrong(format!("{account} is not an account")))?;
                Arc::new(RemoteSigner::new(url, account).map_err(wrong)?)
            }
        })
    }
}

fn token(
    network: Network,
    code: &str,
    contract: &str,
) -> Result<(Currency, checkout_chain_evm::settings::Contract), String> {
    let currency: Currency =
        code.parse().map_err(|_| format!("tokens names {code}, which is not a currency"))?;
    if pair::find(currency, network).is_none_or(|pair| pair.contract.is_none()) {
        return Err(format!("tokens: {currency} is not a token on {network}"));
    }
    // Parsed as an address, so that a mistyped letter is detected.
    let contract =
        Address::parse(network, contract).map_err(|error| format!("tokens {currency}: {error}"))?;
    let contract = contract.to_string().parse();
    Ok((currency, contract.map_err(|_| format!("tokens {currency}: not a contract address"))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn read(network: Network, text: &str) -> Result<Source, String> {
        Source::read(network, toml::from_str(text).unwrap(), None, &Finality::default())
    }

    #[test]
    fn a_wrong_section_is_explained() {
        let check = |text: &str, said: &str| {
            let text = format!("url = \"http://127.0.0.1:8545\"\n{text}");
            let error = read(Network::Eth, &text).err().unwrap_or_default();
            assert!(error.starts_with("[chains.ETH] ") && error.contains(said), "{text}: {error}");
        };
        check("max_batch = 0", "max_batch must be at least 1");
        check("internal_transfers = \"yes\"", "not yes");
        check("confirmed_by = \"soon\"", "not soon");
        check("confirmation = 2", "confirmation");
        check("replace_after_seconds = 60\nreplace_after_blocks = 5", "set either replace_after_seconds");
        check("signer_url = \"http://127.0.0.1:9000\"", "set either keystore, or signer_url");
        check("[tokens]\nSHIB = \"0x1\"", "SHIB");
        check("[tokens]\nETH = \"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\"", "ETH is not a token on ETH");
        check("[tokens]\nUSDT = \"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD\"", "tokens USDT");
        for wrong in ["url = \"ftp://127.0.0.1\"", "url = \"\"", "chain_id = 1"] {
            assert!(read(Network::Eth, wrong).err().unwrap().contains("url"), "{wrong}");
        }
    }

    #[test]
    fn a_test_network_has_a_name() {
        let check = |network, text: &str, expected: Option<&str>| {
            let source = read(network, &format!("url = \"http://127.0.0.1:8545\"\n{text}")).unwrap();
            assert_eq!(source.test_environment().map(|test| test.name).as_deref(), expected, "{text}");
        };
        check(Network::Eth, "", None);
        check(Network::Eth, "chain_id = 1", None);
        check(Network::Eth, "chain_id = 11155111\nname = \"Sepolia\"", Some("Sepolia"));
        check(Network::Eth, "chain_id = 56", Some("chain 56"));
        check(Network::Bsc, "chain_id = 56", None);
    }
}
