//! The lost gateway sent a refund to an address that somebody named after the backup. In the restored database it waits for an
//! address again, and another one is named.

use checkout_core::{Currency, Network};
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::payout::hold::HoldDecision;
use checkout_domain::withdrawal::rules::RuleChanges;
use serde_json::json;

use super::World;
use super::claims::{ETHER, from_contract, part};
use super::merchant_refund_stage::{BTC, paid, refunding_excess, world};

const OTHER_ETHER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const OTHER_BTC: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

impl World {
    async fn check_held(&self, lost: &str) {
        self.run().await;
        let sent = self.sent().await;
        assert_eq!(sent.len(), 1, "it was sent before, to another address: {sent:?}");
        let reasons = self.reasons().await;
        assert!(reasons.len() == 1 && reasons[0].as_ref().unwrap().ends_with(lost), "{reasons:?}");
    }
}

/// It may be approved long after the payer asked for it.
#[tokio::test]
async fn a_refund_that_waited_for_an_address_is_not_sent_to_two() {
    for days in [0, 31] {
        let world = World::with(Settings { name: Some("Fair".to_owned()), ..refunding_excess() }).await;
        let payer = from_contract(&world).await;
        let lost =
            world.refunded_by_the_lost_gateway((Currency::Eth, Network::Eth), "0.1", OTHER_ETHER).await;
        world.restored().await;
        let asked = world.ask(&payer, ETHER).await;
        world.advance(days * 86_400).await;
        world.approve(&asked).await;
        world.check_held(&lost).await;
        assert!(world.decide_payout(HoldDecision::Sent(lost.clone())).await);
        world.run().await;
        assert_eq!(world.sent().await.len(), 1);
        let listed = world.get("/api/v1/refunds", &world.token).await.json;
        let refund = &listed[0];
        assert_eq!((&refund["status"], &refund["transactionId"]), (&json!("CONFIRMED"), &json!(lost)));
    }
}

/// A limit of the business approves it, so that nobody else looks at it.
#[tokio::test]
async fn a_deposit_that_was_given_back_after_the_backup_is_not_given_back_again() {
    let world = world().await;
    let claim_limit = Some(Some("1000".parse().unwrap()));
    world.rules(RuleChanges { claim_limit, ..RuleChanges::default() }).await;
    let payer = part(&world).await;
    let lost = world.refunded_by_the_lost_gateway((Currency::Btc, Network::Btc), "0.0009", OTHER_BTC).await;
    world.restored().await;
    let claim = world.claimed(&payer).await;
    let answer = world.claim(&payer, &claim, json!({"address": BTC})).await;
    assert_eq!(answer.json["status"], "APPROVED", "{}", answer.json);
    world.check_held(&lost).await;
    assert!(world.decide_payout(HoldDecision::Release).await);
    world.run().await;
    assert_eq!(world.sent().await.len(), 2, "an operator decided");
}

/// The merchant does not find the refund any more, and asks for another one.
#[tokio::test]
async fn a_refund_that_the_merchant_makes_again_is_held_whatever_its_address_and_amount() {
    let world = world().await;
    let id = paid(&world).await;
    let lost = world.refunded_by_the_lost_gateway((Currency::Btc, Network::Btc), "0.001", OTHER_BTC).await;
    world.restored().await;
    world.refunded(&id, json!({"amount": "0.0005", "address": BTC})).await;
    world.check_held(&lost).await;
}

#[tokio::test]
async fn a_payment_of_the_backup_is_one_also_if_the_clock_of_the_lost_gateway_was_ahead() {
    let world = world().await;
    let id = paid(&world).await;
    let lost = world.refunded_by_the_lost_gateway((Currency::Btc, Network::Btc), "0.001", OTHER_BTC).await;
    world.database.prepare(world.app.clock.now() - 60, 0).await.unwrap();
    world.refunded(&id, json!({"amount": "0.0005", "address": BTC})).await;
    world.check_held(&lost).await;
}

#[tokio::test]
async fn a_refund_of_a_payment_that_the_lost_gateway_did_not_know_is_sent() {
    let world = world().await;
    world.refunded_by_the_lost_gateway((Currency::Btc, Network::Btc), "0.001", OTHER_BTC).await;
    world.restored().await;
    world.advance(1).await;
    let id = paid(&world).await;
    world.refunded(&id, json!({"amount": "0.0005", "address": BTC})).await;
    world.run().await;
    assert_eq!((world.sent().await.len(), world.reasons().await.len()), (2, 0));
}

/// It was more than the automatic refunds of a day, and an operator lets it go to its sender, as before the restore.
#[tokio::test]
async fn a_refund_that_waited_for_an_approval_is_not_sent_twice() {
    for days in [0, 31] {
        let world = World::with(Settings { name: Some("Fair".to_owned()), ..refunding_excess() }).await;
        let world = world.with_app(|app| app.policy.refunds_per_day = 0);
        let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
        world.pay(&id, "0.00266667").await;
        world.mine("BTC").await;
        world.run().await;
        let deposit = world.payment(&id).await["deposits"][0].clone();
        assert_eq!(deposit["refund"]["waitingFor"], "APPROVAL", "{deposit:#}");
        let sender = deposit["fromAddress"].as_str().unwrap();
        let lost = world.refunded_by_the_lost_gateway((Currency::Btc, Network::Btc), "0.00097", sender).await;
        world.restored().await;
        world.advance(days * 86_400).await;
        world.approve(&json!({"claimId": deposit["id"]})).await;
        world.advance(60).await;
        world.check_held(&lost).await;
    }
}

/// One send of the lost gateway holds all refunds of before it. Which one it sent is known of the others, too, however late.
#[tokio::test]
async fn the_decision_about_one_refund_lets_the_others_go() {
    for (is_other_lost, sent, held) in [(false, 3, 0), (true, 2, 2)] {
        let world = world().await;
        let mut payments = Vec::new();
        for order in ["one", "two", "three"] {
            payments.push(world.deposit(order, "100.00").await);
        }
        let pair = (Currency::Btc, Network::Btc);
        let lost = world.refunded_by_the_lost_gateway(pair, "0.001", OTHER_BTC).await;
        if is_other_lost {
            world.refunded_by_the_lost_gateway(pair, "0.0009", OTHER_BTC).await;
        }
        world.restored().await;
        for (number, payment) in payments.iter().enumerate() {
            let fields = json!({"clientRefundId": format!("r-{number}"), "amount": "0.0005", "address": BTC});
            world.refunded(payment, fields).await;
        }
        world.run().await;
        assert_eq!(world.reasons().await.len(), 3);
        world.advance(31 * 86_400).await;
        assert!(world.decide_payout(HoldDecision::Sent(lost)).await);
        world.run().await;
        let have = (world.sent().await.len(), world.reasons().await.len());
        assert_eq!(have, (sent, held), "the lost gateway sent another one: {is_other_lost}");
    }
}
