//! The simulated chain of the sandbox passes the suite.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use async_trait::async_trait;
use checkout_chain_conformance::TestChain;
use checkout_core::{Amount, Currency, Network, pair};
use checkout_domain::ports::broadcaster::Broadcaster;
use checkout_domain::ports::chain::Chain;
use checkout_gateway::adapters::rule_screening::RuleScreening;
use checkout_gateway::service::App;
use checkout_gateway::service::app::Policy;
use checkout_simulator::Sandbox;
use checkout_simulator::requests::TransferRequest;
use checkout_storage::sqlite;
use uuid::Uuid;

const NETWORK: Network = Network::Ltc;
const NOW: u64 = 1_700_000_000;

struct Simulated {
    sandbox: Sandbox,
    app: App,
    /// With several, each transfer is in a block at once.
    confirmations: u32,
}

#[async_trait]
impl TestChain for Simulated {
    fn chain(&self) -> &dyn Chain {
        self.app.chains[&NETWORK].as_ref()
    }

    fn blocks_when_confirmed(&self) -> u64 {
        self.confirmations.into()
    }

    fn blocks_when_seen(&self) -> u64 {
        u64::from(self.confirmations) - 1
    }

    fn broadcaster(&self) -> Option<&dyn Broadcaster> {
        Some(self.app.broadcasters[&NETWORK].as_ref())
    }

    async fn other_address(&self) -> String {
        NETWORK.spec().example.to_owned()
    }

    async fn deposit_address(&self, index: u32) -> String {
        self.app.addresses.address(NETWORK, index).unwrap()
    }

    async fn send(&self, to: &[(String, &str)]) -> Vec<String> {
        let pair = pair::find(Currency::Ltc, NETWORK).unwrap();
        let mut ids = Vec::new();
        for (address, amount) in to {
            let request = TransferRequest {
                pair,
                address: address.clone(),
                tag: None,
                amount: Amount::parse(amount, pair.decimals).unwrap(),
                from: None,
                from_tag: None,
                replaceable: false,
                transaction: None,
                sender: None,
            };
            let mut random = [0; 32];
            random[..16].copy_from_slice(Uuid::new_v4().as_bytes());
            ids.push(self.sandbox.simulator.send(&request, NOW, random).await.unwrap().unwrap());
        }
        self.mine(self.confirmations - 1).await;
        ids
    }

    async fn mine(&self, blocks: u32) {
        if blocks > 0 {
            self.sandbox.simulator.mine(NETWORK, blocks).await.unwrap();
        }
    }

    async fn reorganise(&self, depth: u32) {
        let more = self.confirmations - 1;
        self.sandbox.simulator.reorganise(NETWORK, depth + more).await.unwrap();
        self.mine(more).await;
    }

    async fn double_spend(&self, id: &str) {
        self.sandbox.simulator.drop_transfer(id).await.unwrap().unwrap();
    }
}

async fn suite(confirmations: u32) {
    let folder = tempfile::tempdir().unwrap();
    let database = sqlite::open(&folder.path().join("sandbox.db")).await.unwrap();
    let sandbox =
        Sandbox { confirmations: BTreeMap::from([(NETWORK, confirmations)]), ..Sandbox::new(&database) };
    let rules = RuleScreening::new(&[]);
    let app = sandbox.app(Policy::default(), rules, Vec::new(), String::new()).await.unwrap();
    checkout_chain_conformance::all(&Simulated { sandbox, app, confirmations }).await;
}

#[tokio::test]
async fn the_simulated_chain_conforms() {
    suite(1).await;
}

#[tokio::test]
async fn the_simulated_chain_conforms_with_two_confirmations() {
    suite(2).await;
}
