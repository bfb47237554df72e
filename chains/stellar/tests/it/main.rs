//! Tests the adapter against a server that follows Horizon's documentation.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod conformance;
mod deposits;
mod health;
mod payouts;

use std::ops::Deref;
use std::sync::Arc;

use checkout_chain_conformance::Watched;
use checkout_chain_conformance::accounts::TestAccount;
use checkout_chain_doubles::{Fault, Horizon};
use checkout_chain_stellar::{MAIN, Node, StellarChain};
use checkout_core::Amount;
use serde_json::{Value, json};

/// The account that receives deposits, and one that sends them.
const OURS: &str = "GDAO7QLKQJFKNJN6OYBG6LCXEQD3TXBC2WGXX7J7AN5LGXMKDOHOYQ6M";
const PAYER: &str = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";

struct World {
    server: Horizon,
    watched: Watched<StellarChain>,
}

impl Deref for World {
    type Target = Watched<StellarChain>;

    fn deref(&self) -> &Self::Target {
        &self.watched
    }
}

impl World {
    async fn new() -> Self {
        let server = Horizon::start().await;
        server.ledger().fund(OURS, 100_000_000);
        let chain = StellarChain::new(node(&server.url), OURS.to_owned());
        Self { server, watched: Watched { chain } }
    }
}

impl TestAccount for World {
    type Chain = StellarChain;

    const OURS: &'static str = OURS;
    const PAYER: &'static str = PAYER;

    fn watched(&self) -> &Watched<StellarChain> {
        self
    }

    fn pay(&self, memo: u32, stroops: u64) -> String {
        let amount = Amount::from_atoms(stroops.into()).unwrap().to_text(7);
        let memo = json!({"memo_type": "id", "memo": memo.to_string()});
        self.server.ledger().put(payment(&amount), vec![], memo)
    }

    fn close(&self, ledgers: u32) {
        self.server.ledger().close_many(ledgers);
    }

    fn last(&self) -> u32 {
        self.server.ledger().last
    }

    fn set_last(&self, ledger: u32) {
        self.server.ledger().last = ledger;
    }

    fn set_fault(&self, fault: Fault) {
        self.server.ledger().fault = fault;
    }
}

fn node(url: &str) -> Arc<Node> {
    Arc::new(Node::new(url, MAIN).unwrap())
}

fn payment(amount: &str) -> Value {
    json!({"type": "payment", "type_i": 1, "asset_type": "native", "from": PAYER, "to": OURS, "amount": amount})
}
