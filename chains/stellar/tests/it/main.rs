//! Tests the adapter against a server that follows Horizon's documentation.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod conformance;
mod deposits;
mod health;
mod payouts;

use std::sync::Arc;

use checkout_chain_doubles::Horizon;
use checkout_chain_stellar::{MAIN, Node, StellarChain};
use checkout_domain::chain::Transfer;
use checkout_domain::ports::Chain as _;
use serde_json::{Value, json};

/// The account that receives deposits, and one that sends them.
const OURS: &str = "GDAO7QLKQJFKNJN6OYBG6LCXEQD3TXBC2WGXX7J7AN5LGXMKDOHOYQ6M";
const PAYER: &str = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";

struct World {
    server: Horizon,
    chain: StellarChain,
}

impl World {
    async fn new() -> Self {
        let server = Horizon::start().await;
        server.ledger().fund(OURS, 100_000_000);
        let chain = StellarChain::new(node(&server.url), OURS.to_owned());
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
