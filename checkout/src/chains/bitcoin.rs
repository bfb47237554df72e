//! `[chains.BTC]`, `[chains.LTC]`, `[chains.BCH]`.

use std::sync::Arc;

use checkout_chain_addresses::DepositKeys;
use checkout_chain_bitcoin::{BitcoinChain, EsploraChain, NodeWallet, Ports, Settings};
use checkout_chain_http::gate::RequestGate;
use checkout_core::Network;
use checkout_domain::chain::finality::Finality;
use checkout_domain::ports::addresses::Addresses;
use checkout_domain::ports::chain::Chain;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_storage::Database;
use serde::Deserialize as _;

use super::requests::Requests;
use super::{Adapters, given_out};

#[derive(Clone)]
pub(crate) struct Source {
    pub(super) settings: Settings,
    pub(super) requests: Requests,
}

impl Source {
    /// Errors are messages for users.
    pub(crate) fn read(network: Network, section: toml::Table, finality: &Finality) -> Result<Self, String> {
        let settings = Settings::deserialize(section)
            .map_err(|error| format!("[chains.{network}]: {}.", error.to_string().trim_end()))?;
        let settings = Settings { finality: finality.clone(), ..settings };
        settings.check(network)?;
        let (poll, url) = (settings.poll_seconds, settings.reader());
        let (hour, day) = (settings.requests_per_hour, settings.requests_per_day);
        let requests = match &settings.esplora {
            Some(url) => Requests::read_by_address(url, poll, hour, day),
            None => Requests::read(network, url, poll, hour, day),
        };
        let requests = requests.map_err(|why| format!("[chains.{network}] {why}."))?;
        Ok(Self { settings, requests })
    }

    /// Without a payout wallet nothing is sent on the network.
    pub(super) async fn adapters(
        &self,
        network: Network,
        key: &str,
        addresses: &Arc<DepositKeys>,
        database: &Database,
    ) -> Result<Adapters, String> {
        let gate = Arc::new(RequestGate::new(self.requests.budget));
        let settings = Settings { gate, ..self.settings.clone() };
        let addresses = Arc::clone(addresses) as Arc<dyn Addresses>;
        let clock = Arc::new(SystemClock);
        let chain: Arc<dyn Chain> = if settings.esplora.is_some() {
            let store = Arc::new(database.clone());
            let ports = Ports { watched: store.clone(), given: store, addresses, clock };
            Arc::new(EsploraChain::new(network, &settings, key, ports)?)
        } else {
            let given = given_out(database, network).await?;
            Arc::new(BitcoinChain::new(network, &settings, key, addresses, given, clock)?)
        };
        let wallet = NodeWallet::new(network, &settings);
        Ok((chain, wallet.map(|wallet| Arc::new(wallet) as _)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkout_chain_http::gate::Budget;
    use checkout_domain::chain::polling::Pace;

    #[test]
    fn how_often_and_how_much_is_asked() {
        let node = "url = \"http://127.0.0.1:9332\"\nuser = \"u\"\npassword = \"p\"";
        let remote = "url = \"https://node.example\"\nuser = \"u\"\npassword = \"p\"";
        let esplora = "esplora = \"https://blockstream.info/api\"";
        let check = |section: &str, keys: &str, expected: Result<(Pace, Option<Budget>), &str>| {
            let table = toml::from_str(&format!("{section}\n{keys}")).unwrap();
            let read = Source::read(Network::Ltc, table, &Finality::default());
            let read = read.map(|source| (source.requests.pace, source.requests.budget));
            match (read, expected) {
                (Err(said), Err(part)) => assert!(said.contains(part), "{said}"),
                (read, expected) => {
                    assert_eq!(read.ok(), expected.ok(), "{section} {keys}");
                }
            }
        };
        let usual = Pace::usual(Network::Ltc);
        check(node, "", Ok((usual, None)));
        check(remote, "", Ok((usual, None)));
        check(node, "poll_seconds = 3", Ok((Pace::every(3), None)));
        check(remote, "requests_per_day = 90000", Ok((usual, Some(Budget::daily(90_000)))));
        check(node, "requests_per_hour = 3600", Ok((usual, Some(Budget::hourly(3_600)))));
        check(esplora, "", Ok((Pace::by_address(), Some(Budget::hourly(700)))));
        check(esplora, "poll_seconds = 5\nrequests_per_hour = 0", Ok((Pace::every(5), None)));
        check(node, "poll_seconds = 121", Err("[chains.LTC] poll_seconds must be at most 120"));
        check(esplora, "requests_per_hour = 1\nrequests_per_day = 1", Err("set either requests_per_hour"));
        check(node, "requests_per_second = 5", Err("requests_per_second is for esplora"));
    }
}
