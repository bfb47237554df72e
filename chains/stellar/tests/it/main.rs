//! Tests the adapter against a server that follows Horizon's documentation.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod conformance;
mod deposits;
mod health;
mod payouts;

use std::ops::Deref;
use std::sync::Arc;

use checkout_chain_conformance::Watched;
use checkout_chain_doubles::Horizon;
use checkout_chain_stellar::{MAIN, Node, StellarChain};
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

    /// A payment to the deposit account in the next ledger.
    fn pay(&self, memo: u32, amount: &str) -> String {
        self.server.ledger().put(
            payment(amount),
            vec![],
            json!({"memo_type": "id", "memo": memo.to_string()}),
        )
    }
}

fn node(url: &str) -> Arc<Node> {
    Arc::new(Node::new(url, MAIN).unwrap())
}

fn payment(amount: &str) -> Value {
    json!({"type": "payment", "type_i": 1, "asset_type": "native", "from": PAYER, "to": OURS, "amount": amount})
}
