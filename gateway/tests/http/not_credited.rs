//! Coins that arrive and are not credited: the payer is told who has them, and the operator whose they are.

use std::sync::Arc;

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::found::{FoundTransaction, NotCredited};
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::ports::chain::{Chain, ChainError, Changes};
use checkout_gateway::service::App;
use checkout_gateway::service::transfers::look_up_transaction::look_up;
use checkout_wire::rules::Finding;
use serde_json::json;

use super::World;

/// USDC that a bridge issued, which many wallets show as USDC.
const BRIDGED: &str = "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174";
const OTHERS: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

struct Finds(FoundTransaction);

#[async_trait]
impl Chain for Finds {
    fn network(&self) -> Network {
        Network::Eth
    }

    async fn changes(&self, _: Option<&str>) -> Result<Changes, ChainError> {
        Ok(Changes::new(Vec::new(), "read".to_owned(), false))
    }

    async fn confirmations(&self, _: &OutputId) -> Result<u64, ChainError> {
        Ok(1)
    }

    async fn look_up(&self, _: &str) -> Result<Option<FoundTransaction>, ChainError> {
        Ok(Some(self.0.clone()))
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        Ok(Tip { height: 7, hash: String::new(), time: None })
    }

    async fn health(&self) -> Vec<Check> {
        Vec::new()
    }
}

fn id(number: u8) -> String {
    format!("0x{number:064x}")
}

fn coins(asset: &str, amount: &str, to: &str) -> NotCredited {
    NotCredited { asset: asset.to_owned(), amount: amount.to_owned(), to: to.to_owned() }
}

/// A payment in USDC on ETH, looked up in a transaction like this.
async fn looked_up(world: &World, payment: &str, number: u8, found: FoundTransaction) -> Finding {
    let mut app = App::clone(&world.app);
    app.chains.insert(Network::Eth, Arc::new(Finds(found)));
    let record = world.app.store.payment(payment.parse().unwrap()).await.unwrap().unwrap();
    look_up(&app, &record, &id(number)).await
}

#[tokio::test]
async fn the_payer_is_told_what_arrived_and_the_operator_has_it_listed() {
    let world = World::new().await;
    let (payment, _) = world.quoted(json!({}), "USDC", "ETH").await;
    let ours = world.payment(&payment).await["walletAddress"].as_str().unwrap().to_owned();
    let told =
        |asset: &str, amount: &str| Finding::NotTaken { asset: asset.to_owned(), amount: amount.to_owned() };
    let others = || Finding::NoTransfer;
    let mut listed = 0;
    let mut check =
        async |number, confirmations, not_credited: Vec<NotCredited>, expected: Finding, lists: usize| {
            let found = FoundTransaction { confirmations, not_credited, ..FoundTransaction::default() };
            assert_eq!(looked_up(&world, &payment, number, found).await, expected, "{number}");
            listed += lists;
            assert_eq!(world.app.store.set_aside(20).await.unwrap().len(), listed, "{number}");
        };
    check(1, 9, vec![coins(BRIDGED, "25", &ours)], told(BRIDGED, "25"), 1).await;
    check(1, 9, vec![coins(BRIDGED, "25", &ours)], told(BRIDGED, "25"), 0).await;
    check(2, 0, vec![coins("POL", "1.5", &ours)], told("POL", "1.5"), 0).await;
    check(2, 9, vec![coins("POL", "1.5", &ours)], told("POL", "1.5"), 1).await;
    check(3, 9, vec![coins(BRIDGED, "25", OTHERS)], others(), 0).await;
    // Each payment lists a few: worthless tokens cost nothing to send.
    for number in 10..13 {
        check(number, 9, vec![coins(BRIDGED, "0.1", &ours)], told(BRIDGED, "0.1"), 1).await;
    }
    check(20, 9, vec![coins(BRIDGED, "0.1", &ours)], told(BRIDGED, "0.1"), 0).await;
    let record = &world.app.store.set_aside(1).await.unwrap()[0];
    let arrived = record.coins.clone().unwrap();
    assert_eq!((record.entry.network, record.entry.transaction.as_str()), (Network::Eth, id(1).as_str()));
    assert_eq!(
        (arrived.payment.to_string(), arrived.asset.as_str(), arrived.amount.as_str(), arrived.to),
        (payment.clone(), BRIDGED, "25", ours)
    );
    assert!(
        world.payment(&payment).await["deposits"].as_array().is_none_or(Vec::is_empty),
        "nothing is credited"
    );
}

#[tokio::test]
async fn what_cannot_be_read_completely_is_not_said_to_pay_somebody_else() {
    let world = World::new().await;
    let (payment, _) = world.quoted(json!({}), "USDC", "ETH").await;
    let check = async |number, unclear, expected: Finding| {
        let found = FoundTransaction { confirmations: 9, unclear, ..FoundTransaction::default() };
        assert_eq!(looked_up(&world, &payment, number, found).await, expected, "{number}");
    };
    check(1, true, Finding::Unclear).await;
    check(2, false, Finding::NoTransfer).await;
    let mut tx = world.app.store.begin().await.unwrap();
    let entry = SetAside {
        network: Network::Eth,
        transaction: id(3),
        part: String::new(),
        height: 7,
        block: String::new(),
        why: "it has no receipt".to_owned(),
    };
    tx.set_aside(&[entry], 1).await.unwrap();
    tx.commit().await.unwrap();
    check(3, false, Finding::Unclear).await;
}
