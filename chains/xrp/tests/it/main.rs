//! Tests the adapter against a server that follows rippled's documentation.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod conformance;
mod deposits;
mod health;
mod payouts;

use std::sync::Arc;

use checkout_chain_doubles::Rippled;
use checkout_chain_xrp::{MAIN, Node, XrpChain};
use checkout_domain::chain::Transfer;
use checkout_domain::ports::Chain as _;
use serde_json::{Value, json};

/// The account that receives deposits, and one that sends them.
const OURS: &str = "rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH";
const PAYER: &str = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";

struct World {
    server: Rippled,
    chain: XrpChain,
}

impl World {
    async fn new() -> Self {
        let server = Rippled::start().await;
        server.ledger().fund(OURS, 100_000_000);
        let chain = XrpChain::new(node(&server.url), OURS.to_owned());
        Self { server, chain }
    }

    /// Reads from a cursor up to the tip, and advances it.
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

    /// A payment to the deposit account in the next ledger.
    fn pay(&self, tag: u32, drops: &str) -> String {
        let tx = json!({"Destination": OURS, "DestinationTag": tag, "Amount": drops});
        self.server.ledger().put(tx, delivered(&json!(drops)))
    }
}

fn node(url: &str) -> Arc<Node> {
    Arc::new(Node::new(url, MAIN).unwrap())
}

fn delivered(amount: &Value) -> Value {
    json!({"delivered_amount": amount})
}
