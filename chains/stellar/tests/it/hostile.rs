use async_trait::async_trait;
use checkout_chain_conformance::accounts::TestAccount as _;
use checkout_chain_conformance::hostile::{self, HostileChain};
use checkout_chain_doubles::horizon;
use checkout_chain_doubles::hostile::Row;
use checkout_domain::ports::Chain;
use serde_json::json;

use super::{OURS, PAYER, World, payment};

#[async_trait]
impl HostileChain for World {
    async fn open() -> Self {
        Self::new().await
    }

    fn rows() -> Vec<Row> {
        horizon::hostile::ROWS.to_vec()
    }

    fn chain(&self) -> &dyn Chain {
        &self.watched.chain
    }

    async fn pay(&self, kind: &'static str) -> String {
        let mut operation = payment("2.5");
        let mut memo = json!({"memo_type": "id", "memo": "495"});
        let effect = |kind: &str, account: &str| json!({"type": kind, "account": account, "amount": "2.5", "asset_type": "native"});
        let mut effects = Vec::new();
        match kind {
            "to others" => {
                operation["from"] = OURS.into();
                operation["to"] = PAYER.into();
            }
            "another asset" => operation["asset_type"] = "credit_alphanum4".into(),
            // Horizon leaves these out of its lists, and servers before it may not.
            "failed" => operation["transaction_successful"] = false.into(),
            "payment" => {}
            kind => {
                let change = json!({"type": "transfer", "from": PAYER, "to": OURS, "amount": "2.5", "asset_type": "native"});
                operation = json!({
                    "type": kind, "account": OURS, "funder": PAYER, "starting_balance": "2.5",
                    "asset_balance_changes": [change]
                });
                if kind == "account_merge" {
                    operation["account"] = PAYER.into();
                    operation["into"] = OURS.into();
                    effects = vec![effect("account_debited", PAYER), effect("account_credited", OURS)];
                    memo = json!({});
                }
            }
        }
        self.server.ledger().put(operation, effects, memo)
    }

    async fn settle(&self) {
        self.close(1);
    }

    async fn arm(&self, row: Row, transaction: &str) {
        self.server.ledger().hostile.arm(row, transaction);
    }

    async fn disarm(&self) {
        self.server.ledger().hostile.disarm();
    }
}

#[tokio::test]
async fn hostile_answers() {
    hostile::all::<World>().await;
}
