//! Whoever wants to lose a large deposit after one block, and whose large deposit would wait for ever.

use std::sync::Arc;

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::ports::{Chain, ChainError, Changes};

use super::confirmations_by_amount::{change, check, paid, shown, world};

/// Answers nothing about the confirmations of one transaction.
struct OddChain {
    chain: Arc<dyn Chain>,
    odd: String,
}

#[async_trait]
impl Chain for OddChain {
    fn network(&self) -> Network {
        self.chain.network()
    }

    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError> {
        self.chain.changes(cursor).await
    }

    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        if output.transaction == self.odd {
            return Err("the wallet does not have it".to_owned().into());
        }
        self.chain.confirmations(output).await
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        self.chain.tip().await
    }

    async fn health(&self) -> Vec<Check> {
        self.chain.health().await
    }
}

#[tokio::test]
async fn a_deposit_that_its_node_cannot_tell_about_delays_no_other() {
    let mut world = world(Settings::default()).await;
    let (odd, transaction) = paid(&world, "odd", "2000.00", "BTC").await;
    let (other, _) = paid(&world, "other", "2000.00", "BTC").await;
    change(&mut world, |app| {
        let chain = Arc::clone(&app.chains[&Network::Btc]);
        app.chains.insert(Network::Btc, Arc::new(OddChain { chain, odd: transaction }));
    });
    for _ in 0..3 {
        world.mine("BTC").await;
    }
    assert_eq!(world.payment(&odd).await["status"], "AWAITING");
    check(&shown(&world, &other).await, "DEPOSITED", Some((3, 3)), "the other");
}
