//! The adapter against a server that answers as the documentation of TRON shows.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod conformance;
mod deposits;
mod health;
mod payouts;
mod sweep;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use checkout_chain_doubles::TronGrid;
use checkout_chain_tron::api::Api;
use checkout_chain_tron::{Key, Node, Settings, TronChain, account};
use checkout_core::Network;
use checkout_domain::chain::Transfer;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_domain::ports::watched_addresses::WatchedAddresses;
use checkout_domain::ports::{Chain as _, Stored};

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
    chain: TronChain,
}

impl World {
    async fn new() -> Self {
        let server = TronGrid::start().await;
        let chain = TronChain::new(settings(), node(&server), Arc::new(Given), Arc::new(SystemClock));
        Self { server, chain }
    }

    /// Reads from a cursor up to the newest block, and moves it.
    async fn read(&self, cursor: &mut Option<String>) -> Vec<Transfer> {
        let mut all = Vec::new();
        loop {
            let changes = self.chain.changes(cursor.as_deref()).await.unwrap();
            *cursor = Some(changes.cursor);
            all.extend(changes.transfers);
            if !changes.more {
                return all;
            }
        }
    }

    async fn refusal(&self, cursor: Option<&str>) -> String {
        self.chain.changes(cursor).await.unwrap_err().to_string()
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
