//! Tests the adapter against a server that follows rippled's documentation.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod conformance;
mod deposits;
mod health;
mod payouts;

use std::ops::Deref;
use std::sync::Arc;

use checkout_chain_conformance::Watched;
use checkout_chain_conformance::accounts::TestAccount;
use checkout_chain_doubles::{Fault, Rippled};
use checkout_chain_xrp::{MAIN, Node, XrpChain};
use serde_json::{Value, json};

/// The account that receives deposits, and one that sends them.
const OURS: &str = "rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH";
const PAYER: &str = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";

struct World {
    server: Rippled,
    watched: Watched<XrpChain>,
}

impl Deref for World {
    type Target = Watched<XrpChain>;

    fn deref(&self) -> &Self::Target {
        &self.watched
    }
}

impl World {
    async fn new() -> Self {
        let server = Rippled::start().await;
        server.ledger().fund(OURS, 100_000_000);
        let chain = XrpChain::new(node(&server.url), OURS.to_owned());
        Self { server, watched: Watched { chain } }
    }
}

impl TestAccount for World {
    type Chain = XrpChain;

    const OURS: &'static str = OURS;
    const PAYER: &'static str = PAYER;

    fn watched(&self) -> &Watched<XrpChain> {
        self
    }

    fn pay(&self, tag: u32, drops: u64) -> String {
        let drops = json!(drops.to_string());
        let tx = json!({"Destination": OURS, "DestinationTag": tag, "Amount": drops});
        self.server.ledger().put(tx, delivered(&drops))
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

fn delivered(amount: &Value) -> Value {
    json!({"delivered_amount": amount})
}
