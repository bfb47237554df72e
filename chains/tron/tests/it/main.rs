//! The adapter against a server that answers as the documentation of TRON shows.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod conformance;
mod deposits;
mod health;
mod hostile;
mod payouts;
mod rereading;
mod sweep;
mod two_servers;
mod wallet_signing;

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use checkout_chain_conformance::Watched;
use checkout_chain_doubles::TronGrid;
use checkout_chain_tron::api::Api;
use checkout_chain_tron::{Key, Node, Settings, TronChain, account};
use checkout_core::Network;
use checkout_domain::ports::Stored;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_domain::ports::watched_addresses::WatchedAddresses;

/// An address that was given to a payer, and one that was not.
const OURS: &str = "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC";
const PAYER: &str = "TDhuJ9S34RgZpg2a3LPWs6W8WJ9ch66KbH";

/// All addresses but one were given to payers.
struct Given;

#[async_trait]
impl WatchedAddresses for Given {
    async fn ours(&self, network: Network, addresses: &[String]) -> Stored<Vec<String>> {
        assert_eq!(network, Network::Trx);
        Ok(addresses.iter().filter(|address| *address != PAYER).cloned().collect())
    }
}

struct World {
    server: TronGrid,
    watched: Watched<TronChain>,
}

impl Deref for World {
    type Target = Watched<TronChain>;

    fn deref(&self) -> &Self::Target {
        &self.watched
    }
}

impl World {
    async fn new() -> Self {
        let server = TronGrid::start().await;
        let chain = TronChain::new(settings(), node(&server), Arc::new(Given), Arc::new(SystemClock));
        Self { server, watched: Watched { chain } }
    }
}

fn settings() -> Settings {
    Settings { poll: Duration::ZERO, ..Settings::default() }
}

fn node(server: &TronGrid) -> Arc<Node> {
    let api = Api::new(&server.url, None).unwrap().with_pause(Duration::ZERO);
    Arc::new(Node::new(api, settings().genesis))
}

fn key() -> Key {
    Key::from_secret(&[7; 32]).unwrap()
}

/// As servers write it.
fn hex(address: &str) -> String {
    account::to_hex(account::read(address).unwrap())
}
