use async_trait::async_trait;
use checkout_chain_conformance::hostile::{self, HostileChain};
use checkout_chain_doubles::hostile::{Costs, Odd, Row, row};
use checkout_chain_doubles::trongrid;
use checkout_chain_doubles::trongrid::chain::{USDT, log};
use checkout_core::Network;
use checkout_domain::chain::OutputId;
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

/// The id of a block begins with its number.
#[tokio::test]
async fn confirmations_are_counted_to_a_block_that_its_id_confirms() {
    let world = World::new().await;
    let transaction = world.pay("payment").await;
    world.settle().await;
    let output = OutputId { network: Network::Trx, transaction: transaction.clone(), index: 0 };
    let right = world.chain.confirmations(&output).await.unwrap();
    let check = async |odd, expected| {
        world.server.chain().hostile.arm(row("getblock", odd, Costs::Answer), "");
        assert_eq!(world.chain.confirmations(&output).await.ok(), expected, "{odd:?}");
        let found = world.chain.look_up(&transaction).await.ok().flatten();
        assert_eq!(found.map(|found| found.confirmations), expected, "{odd:?}");
        assert_eq!(world.chain.tip().await.is_ok(), expected.is_some(), "{odd:?}");
    };
    check(Odd::Head("/block_header/raw_data/timestamp", "7"), Some(right)).await;
    for number in ["80000000", "7", "0", "-1", "1.5", r#""7""#, "null", "18446744073709551615"] {
        check(Odd::Head("/block_header/raw_data/number", number), None).await;
    }
    let other = r#""0000000004ffffff000000000000000000000000000000000000000000000000""#;
    check(Odd::Head("/blockID", other), None).await;
}
