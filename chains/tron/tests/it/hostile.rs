use async_trait::async_trait;
use checkout_chain_conformance::hostile::{self, HostileChain};
use checkout_chain_doubles::hostile::Row;
use checkout_chain_doubles::trongrid;
use checkout_chain_doubles::trongrid::chain::{USDT, log};
use checkout_domain::ports::Chain;

use super::{OURS, PAYER, World, hex};

#[async_trait]
impl HostileChain for World {
    async fn open() -> Self {
        Self::new().await
    }

    fn rows() -> Vec<Row> {
        trongrid::hostile::ROWS.to_vec()
    }

    fn chain(&self) -> &dyn Chain {
        &self.watched.chain
    }

    async fn pay(&self, kind: &'static str) -> String {
        let (ours, payer) = (hex(OURS), hex(PAYER));
        let logs = match kind {
            "without a log" => vec![],
            "to others" => vec![log(USDT, &ours, &payer, 5)],
            "another token" => vec![log("41ea51342dabbb928ae1e576bd39eff8aaf070a8c6", &payer, &ours, 5)],
            _ => vec![log(USDT, &payer, &ours, 5)],
        };
        self.server.chain().put(&logs, if kind == "failed" { "REVERT" } else { "SUCCESS" })
    }

    async fn settle(&self) {
        self.server.chain().close();
    }

    async fn arm(&self, row: Row, transaction: &str) {
        self.server.chain().hostile.arm(row, transaction);
    }

    async fn disarm(&self) {
        self.server.chain().hostile.disarm();
    }
}

#[tokio::test]
async fn hostile_answers() {
    hostile::all::<World>().await;
}
