use async_trait::async_trait;
use checkout_chain_conformance::accounts::TestAccount as _;
use checkout_chain_conformance::hostile::{self, HostileChain};
use checkout_chain_doubles::hostile::Row;
use checkout_chain_doubles::rippled;
use checkout_domain::ports::Chain;
use serde_json::json;

use super::{OURS, PAYER, World, delivered};

#[async_trait]
impl HostileChain for World {
    async fn open() -> Self {
        Self::new(super::ED25519).await
    }

    fn rows() -> Vec<Row> {
        rippled::hostile::ROWS.to_vec()
    }

    fn chain(&self) -> &dyn Chain {
        &self.watched.chain
    }

    async fn pay(&self, kind: &'static str) -> String {
        let mut tx = json!({"Destination": OURS, "DestinationTag": 495, "Amount": "25000000"});
        let mut meta = delivered(&json!("25000000"));
        match kind {
            "to others" => {
                tx["Account"] = OURS.into();
                tx["Destination"] = PAYER.into();
            }
            "failed" => meta["TransactionResult"] = "tecPATH_DRY".into(),
            "payment" => {}
            kind => tx["TransactionType"] = kind.into(),
        }
        self.server.ledger().put(tx, meta)
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
