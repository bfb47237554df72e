//! An operator releases a refund that was held. Meanwhile its payment changed: what is sent is what it owes now.

use std::collections::BTreeMap;
use std::sync::Arc;

use checkout_domain::chain::payout::hold::HoldDecision;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::broadcaster::Unsent;
use checkout_domain::ports::payouts::PayoutStore as _;
use checkout_gateway::service::App;
use checkout_gateway::service::payouts::pay_out;
use serde_json::{Value, json};

use super::paid_once::faulty;
use super::{World, refunds};

/// An overpaid payment whose refund is held, and the transactions of its deposits: half of the price, and twice as much.
async fn held() -> (World, String, [Value; 2]) {
    let mut world = refunds::world().await;
    // A block brings deposits; payouts are sent by the tests.
    let reader = App { broadcasters: BTreeMap::new(), ..(*world.app).clone() };
    world.router = crate::router(&Arc::new(reader), &world.simulated);
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let first = json!(world.pay(&id, "0.00083333").await);
    world.mine("BTC").await;
    let second = json!(world.pay(&id, "0.00166668").await);
    world.mine("BTC").await;
    let mut tx = world.database.begin().await.unwrap();
    for payout in world.database.open_payouts(None, None).await.unwrap() {
        let held = payout.suspected("the same amount was sent to the same address before: abc").unwrap();
        assert!(tx.save_payout(held).await.unwrap().is_some());
    }
    tx.commit().await.unwrap();
    assert_eq!(world.reasons().await.len(), 1);
    (world, id, [first, second])
}

impl World {
    async fn release(&self) {
        assert!(self.decide_payout(HoldDecision::Release).await);
        for _ in 0..3 {
            self.advance(60).await;
            self.mine("BTC").await;
            self.run().await;
        }
    }
}

#[tokio::test]
async fn a_refund_that_is_released_is_sent() {
    let (world, id, _) = held().await;
    world.release().await;
    let sent = world.sent().await;
    let amounts: Vec<&str> = sent.iter().map(|(_, _, amount)| amount.as_str()).collect();
    assert_eq!(amounts, ["80334"], "{:#}", world.payment(&id).await);
}

/// Its money never arrived.
#[tokio::test]
async fn a_released_refund_of_a_deposit_that_left_its_chain_is_not_sent() {
    let (world, id, [_, second]) = held().await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    world.sandbox("drops", json!({"transactionId": second})).await;
    world.mine("BTC").await;
    world.release().await;
    assert_eq!(world.sent().await, [], "{:#}", world.payment(&id).await);
}

/// The other deposit left its chain: without it, less is too much.
#[tokio::test]
async fn a_released_refund_gives_back_what_is_too_much_now() {
    let (world, id, [first, _]) = held().await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 2})).await;
    world.sandbox("drops", json!({"transactionId": first})).await;
    world.mine("BTC").await;
    world.release().await;
    assert_eq!(world.sent().await, [], "{:#}", world.payment(&id).await);
}

/// It was signed before the deposit left, and never was in a block.
#[tokio::test]
async fn an_expired_refund_of_a_deposit_that_left_its_chain_is_not_signed_again() {
    let mut world = refunds::world().await;
    let reader = App { broadcasters: BTreeMap::new(), ..(*world.app).clone() };
    world.router = crate::router(&Arc::new(reader), &world.simulated);
    let (id, _) = world.quoted(json!({}), "ETH", "ETH").await;
    let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    world.pay(&id, &amount).await;
    world.mine("ETH").await;
    let second = world.pay(&id, &amount).await;
    world.mine("ETH").await;
    let app = faulty(&world, false, |call| match call {
        0 => Some(Unsent::Unavailable("no connection".into())),
        1 => Some(Unsent::Expired("too late".to_owned())),
        _ => None,
    });
    assert_eq!(pay_out::run(&app).await.unwrap(), 0);
    assert_eq!(world.database.pending_payouts().await.unwrap().len(), 1, "it is signed");
    world.sandbox("reorgs", json!({"network": "ETH", "depth": 1})).await;
    world.sandbox("drops", json!({"transactionId": second})).await;
    world.mine("ETH").await;
    for _ in 0..3 {
        world.advance(60).await;
        pay_out::run(&app).await.unwrap();
    }
    assert_eq!(world.sent().await, [], "{:#}", world.payment(&id).await);
}
