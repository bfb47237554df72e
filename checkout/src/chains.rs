//! `[chains]` of the configuration file: the source of each network. Each network's adapter defines its
//! section.

mod account;
mod bitcoin;
mod chain_ids;
pub(crate) mod confirmations;
mod evm;
mod key_file;
mod password;
mod payout_key;
mod requests;
mod stellar;
mod tron;
mod xrp;

use std::collections::BTreeMap;
use std::sync::Arc;

use checkout_chain_addresses::DepositKeys;
use checkout_chain_sweep::Wallet;
use checkout_core::Network;
use checkout_core::address::Address;
use checkout_domain::chain::environment::{Environments, TestEnvironment};
use checkout_domain::chain::finality::Finality;
use checkout_domain::chain::polling::{Pace, Polling};
use checkout_domain::payment::confirmations::Confirmations;
use checkout_domain::ports::broadcaster::Broadcaster;
use checkout_domain::ports::chain::Chain;
use checkout_domain::ports::store::Store;
use checkout_storage::Database;

/// The settings of a network's source.
#[derive(Clone)]
pub(crate) enum Source {
    /// A node of the Bitcoin family.
    Bitcoin(Box<bitcoin::Source>),
    /// A node of an EVM network.
    Evm(Box<evm::Source>),
    Stellar(stellar::Source),
    Tron(Box<tron::Source>),
    Xrp(xrp::Source),
}

/// The reader of a network, and its broadcaster if a key or a wallet is configured.
type Adapters = (Arc<dyn Chain>, Option<Arc<dyn Broadcaster>>);

impl Source {
    /// `confirmations`: of every amount.
    fn read(
        network: Network,
        section: toml::Table,
        confirmations: Option<u32>,
        finality: &Finality,
    ) -> Result<Self, String> {
        match network {
            Network::Xlm => stellar::Source::read(section).map(Self::Stellar),
            Network::Xrp => xrp::Source::read(section).map(Self::Xrp),
            Network::Trx => tron::Source::read(section).map(|source| Self::Tron(Box::new(source))),
            evm if evm.spec().chain_id().is_some() => {
                evm::Source::read(network, section, confirmations, finality)
                    .map(|source| Self::Evm(Box::new(source)))
            }
            family => {
                bitcoin::Source::read(family, section, finality).map(|source| Self::Bitcoin(Box::new(source)))
            }
        }
    }

    fn pace(&self) -> Pace {
        match self {
            Self::Bitcoin(source) => source.requests.pace,
            Self::Evm(source) => source.requests.pace,
            Self::Stellar(source) => source.account.requests.pace,
            Self::Tron(source) => source.requests.pace,
            Self::Xrp(source) => source.account.requests.pace,
        }
    }

    /// `None` if it is no EVM network.
    fn chain_id(&self) -> Option<u64> {
        match self {
            Self::Evm(source) => Some(source.chain_id()),
            Self::Bitcoin(_) | Self::Stellar(_) | Self::Tron(_) | Self::Xrp(_) => None,
        }
    }

    fn test_environment(&self) -> Option<TestEnvironment> {
        match self {
            Self::Bitcoin(source) => source.settings.network.test(),
            Self::Evm(source) => source.test_environment(),
            Self::Stellar(source) => source.test_environment(),
            Self::Tron(source) => source.test_environment(),
            Self::Xrp(source) => source.test_environment(),
        }
    }
}

/// The configured networks.
#[derive(Clone, Default)]
pub(crate) struct Sources {
    all: Vec<(Network, Source)>,
    confirmations: Confirmations,
}

/// The adapters of the configured networks.
#[derive(Default)]
pub(crate) struct Connected {
    pub(crate) chains: BTreeMap<Network, Arc<dyn Chain>>,
    pub(crate) broadcasters: BTreeMap<Network, Arc<dyn Broadcaster>>,
    pub(crate) confirmations: Confirmations,
}

impl Sources {
    /// Errors are messages for users.
    pub(crate) fn read(sections: Vec<(Network, toml::Table)>, finality: &Finality) -> Result<Self, String> {
        let mut sources = Self::default();
        for (network, mut section) in sections {
            let rules = confirmations::take(network, &mut section)?;
            let of_all = confirmations::of_all(&rules);
            sources
                .confirmations
                .set(network, rules)
                .map_err(|wrong| format!("[chains.{network}] confirmations: {wrong}."))?;
            sources.all.push((network, Source::read(network, section, of_all, finality)?));
        }
        chain_ids::check(
            sources.all.iter().filter_map(|(network, source)| Some((*network, source.chain_id()?))),
        )?;
        Ok(sources)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The confirmations that deposits need.
    pub(crate) fn confirmations(&self) -> &Confirmations {
        &self.confirmations
    }

    /// How often the configured networks are asked.
    pub(crate) fn polling(&self) -> Polling {
        Polling::with(self.all.iter().map(|(network, source)| (*network, source.pace())))
    }

    /// The configured test networks.
    pub(crate) fn environments(&self) -> Environments {
        let test = |(network, source): &(Network, Source)| Some((*network, source.test_environment()?));
        Environments::with(self.all.iter().filter_map(test))
    }

    /// The wallet for a sweep of a network. Errors are messages for users.
    pub(crate) fn wallet(&self, network: Network, max_fee: Option<u32>) -> Result<Box<dyn Wallet>, String> {
        let source = self.all.iter().find(|(known, _)| *known == network);
        match source.map(|(_, source)| source) {
            None => Err(format!("There is no [chains.{network}].")),
            Some(Source::Evm(source)) => Ok(Box::new(source.wallet(max_fee)?)),
            Some(Source::Tron(source)) => Ok(Box::new(source.wallet(max_fee)?)),
            Some(Source::Bitcoin(_)) => {
                Err(format!("{network} needs no sweep: a transaction spends from many addresses."))
            }
            Some(Source::Stellar(_) | Source::Xrp(_)) => {
                Err(format!("{network} needs no sweep: all deposits are on one account."))
            }
        }
    }

    /// Creates the adapters without connecting to their sources. Errors are messages for users.
    pub(crate) async fn connect(
        &self,
        keys: &[(Network, String)],
        addresses: &Arc<DepositKeys>,
        database: &Database,
    ) -> Result<Connected, String> {
        let mut connected = Connected { confirmations: self.confirmations.clone(), ..Connected::default() };
        for (network, source) in &self.all {
            let network = *network;
            let key = keys.iter().find(|(known, _)| *known == network).map(|(_, key)| key);
            let key =
                key.ok_or_else(|| format!("[chains.{network}] needs a key: [deposit_keys] {network}."))?;
            let (chain, broadcaster) = match source {
                Source::Bitcoin(source) => source.adapters(network, key, addresses, database).await?,
                Source::Evm(source) => {
                    source.adapters(addresses.gas_account(network).as_deref(), database)?
                }
                Source::Tron(source) => source.adapters(database)?,
                Source::Stellar(source) => source.adapters(account(network, key)?, database)?,
                Source::Xrp(source) => source.adapters(account(network, key)?, database)?,
            };
            if broadcaster.is_none() {
                tracing::warn!(%network, "only deposits are taken: nothing is configured that sends payouts");
            }
            connected.chains.insert(network, chain);
            connected.broadcasters.extend(broadcaster.map(|broadcaster| (network, broadcaster)));
        }
        Ok(connected)
    }
}

/// The account that receives all deposits of a network.
fn account(network: Network, key: &str) -> Result<String, String> {
    let address = Address::parse(network, key)
        .map_err(|_| format!("[deposit_keys] {network} is not an account of that network."))?;
    if address.tag().is_some() || address.account() != address {
        return Err(format!(
            "[deposit_keys] {network} must be the account alone, {}: the gateway adds the tags.",
            address.account()
        ));
    }
    Ok(address.to_string())
}

/// Returns the number of a network's addresses given out to payers.
pub(crate) async fn given_out(store: &dyn Store, network: Network) -> Result<u32, String> {
    let failed = |error: checkout_domain::ports::StoreError| format!("The database failed: {}.", error.0);
    // Not committed, so the number is not used up.
    let mut tx = store.begin().await.map_err(failed)?;
    tx.next_index(network).await.map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ConfigFile;

    #[test]
    fn finality_of_the_file_reaches_the_networks() {
        let node = "url = \"http://127.0.0.1:9332\"";
        let text = format!(
            "[finality]\nBTC = 12\nETH = 200\n[chains.ETH]\n{node}\n[chains.BSC]\n{node}
             [chains.BTC]\n{node}\nuser = \"u\"\npassword = \"p\"\n[chains.LTC]\n{node}\nuser = \"u\"\npassword = \"p\""
        );
        let file: ConfigFile = toml::from_str(&text).unwrap();
        let depth = |(network, source): &(Network, Source)| match source {
            Source::Bitcoin(source) => source.settings.finality.depth(*network),
            Source::Evm(source) => source.settings.finality.depth(*network),
            Source::Stellar(_) | Source::Tron(_) | Source::Xrp(_) => panic!("{network} is not in the file"),
        };
        let sources = file.sources().unwrap();
        let depths: BTreeMap<Network, u32> = sources.all.iter().map(|one| (one.0, depth(one))).collect();
        let expected = [(Network::Btc, 12), (Network::Ltc, 24), (Network::Eth, 200), (Network::Bsc, 88)];
        assert_eq!(depths, BTreeMap::from(expected));
    }
}
