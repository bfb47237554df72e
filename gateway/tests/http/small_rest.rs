//! A rest that no node relays is none, and a merchant accepts what has arrived: `POST /api/v1/payments/{id}/accept`.

use axum::http::Method;
use checkout_domain::business::settings::Settings;
use checkout_gateway::service::payments::expire_payments;
use serde_json::{Value, json};

use super::claims::{Payer, part, quoted};
use super::merchant_refund_stage::{BTC, check_refused, world};
use super::typed_events::settings;
use super::{Answer, World};
use crate::fixture::create_business;

impl World {
    /// A payment of which a part is confirmed. Returns its id.
    pub(super) async fn partly_paid(&self, order: &str) -> String {
        let (id, _) = self.quoted(json!({"clientPaymentId": order}), "BTC", "BTC").await;
        self.pay(&id, "0.001").await;
        self.mine("BTC").await;
        id
    }

    async fn accept(&self, id: &str, token: &str) -> Answer {
        self.call(Method::POST, &format!("/api/v1/payments/{id}/accept"), Some(token), None).await
    }

    /// The status after the window.
    async fn status_later(&self, id: &str) -> Value {
        self.advance(7_200).await;
        expire_payments::expire_due(&self.app).await.unwrap();
        self.payment(id).await["status"].clone()
    }
}

/// The network, what is sent of 100 EUR, and whether it is paid. BTC relays 294 satoshis, BCH 546, LTC 2,940; ETH and XRP relay
/// every amount.
#[tokio::test]
async fn a_rest_that_no_node_relays_is_paid() {
    let rows: [(&str, &[&str], bool); 12] = [
        ("BTC", &["0.00166374"], true),
        ("BTC", &["0.00166373"], false),
        ("BTC", &["0.001", "0.00066374"], true),
        ("BTC", &["0.001", "0.00066373"], false),
        ("BCH", &["0.285714"], true),
        ("BCH", &["0.28570884"], true),
        ("BCH", &["0.28570883"], false),
        ("LTC", &["1.33330395"], true),
        ("LTC", &["1.33330394"], false),
        ("ETH", &["0.03333333"], true),
        ("ETH", &["0.03333332"], false),
        ("XRP", &["199.999"], false),
    ];
    let mut wrong = Vec::new();
    for (coin, sent, is_paid) in rows {
        let world = World::new().await;
        let (id, _) = world.quoted(json!({"rateType": "FIXED"}), coin, coin).await;
        for amount in sent {
            world.pay(&id, amount).await;
            world.mine(coin).await;
        }
        let (now, later) = (world.payment(&id).await["status"].clone(), world.status_later(&id).await);
        let expected = if is_paid { ["DEPOSITED", "DEPOSITED"] } else { ["AWAITING", "EXPIRED"] };
        if [&now, &later] != expected {
            wrong.push(format!("{sent:?} {coin}: {now} and later {later}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A price in coins, and what the API says of it: that came which came.
#[tokio::test]
async fn a_price_in_coins_has_no_such_rest_either() {
    let world = World::new().await;
    let price = json!({"displayAmount": null, "depositCurrency": "BTC", "network": "BTC", "depositAmount": "0.001",
        "rateType": "FIXED"});
    let (id, _) = world.quoted(price, "BTC", "BTC").await;
    world.pay(&id, "0.00099707").await;
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    let have = ["status", "actualDepositAmount", "expectedDepositAmount"].map(|name| &payment[name]);
    assert_eq!(have, ["DEPOSITED", "0.00099707", "0.001"], "{payment:#}");
}

#[tokio::test]
async fn a_merchant_accepts_a_part_before_and_after_the_window() {
    for is_late in [false, true] {
        let world = World::with(settings()).await;
        let payer = quoted(&world, "BTC", "BTC").await;
        world.pay(&payer.id, "0.001").await;
        world.mine("BTC").await;
        if is_late {
            assert_eq!(world.status_later(&payer.id).await, "EXPIRED");
            assert_eq!(world.claims(&payer).await.len(), 1);
        }
        let before = world.balances().await;
        for _ in 0..2 {
            let accepted = world.accept(&payer.id, &world.token).await;
            assert_eq!(accepted.status, 200, "{}", accepted.json);
            assert_eq!(accepted.json, world.payment(&payer.id).await, "the payment as it is now");
            assert_eq!(accepted.json["status"], "DEPOSITED", "{is_late}");
        }
        assert_eq!(accepted_amounts(&world, &payer.id).await, ["0.001", "0.00166667"]);
        assert_eq!(world.balances().await, before, "it was credited when it came");
        assert_eq!(world.status_later(&payer.id).await, "DEPOSITED");
        assert_eq!(world.claims(&payer).await, [Value::Null; 0], "nothing is left to be asked for");
        let events = world.typed_events(&payer.id).await;
        let last = events.iter().rfind(|event| event["type"] == "payment.status").unwrap();
        assert_eq!(last["data"]["status"], "DEPOSITED");
    }
}

async fn accepted_amounts(world: &World, id: &str) -> [String; 2] {
    let payment = world.payment(id).await;
    ["actualDepositAmount", "expectedDepositAmount"].map(|name| payment[name].as_str().unwrap().to_owned())
}

/// What has not arrived is not accepted: nothing, a transfer in no block, one that is gone.
#[tokio::test]
async fn only_what_has_arrived_is_accepted() {
    let world = World::new().await;
    let created = world.create(json!({"clientPaymentId": "new"})).await.payment_id();
    let chosen = quoted(&world, "BTC", "BTC").await.id;
    let seen = quoted(&world, "BTC", "BTC").await.id;
    world.pay(&seen, "0.001").await;
    let gone = quoted(&world, "BTC", "BTC").await.id;
    let transaction = world.pay(&gone, "0.001").await;
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    for id in [&created, &chosen, &seen, &gone] {
        let before = world.payment(id).await;
        check_refused(&world.accept(id, &world.token).await, 409, "nothing_to_accept");
        assert_eq!(world.payment(id).await, before);
    }
    world.mine("BTC").await;
    assert_eq!(world.accept(&seen, &world.token).await.json["status"], "DEPOSITED");
}

/// The acceptance is of what had arrived, not of anything that comes.
#[tokio::test]
async fn an_accepted_transfer_that_is_gone_pays_nothing() {
    let world = World::new().await;
    let payer = quoted(&world, "BTC", "BTC").await;
    let transaction = world.pay(&payer.id, "0.001").await;
    world.mine("BTC").await;
    assert_eq!(world.accept(&payer.id, &world.token).await.json["status"], "DEPOSITED");
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    assert_ne!(world.payment(&payer.id).await["status"], "DEPOSITED");
    world.pay(&payer.id, "0.0001").await;
    world.mine("BTC").await;
    assert_ne!(world.payment(&payer.id).await["status"], "DEPOSITED", "less came than was accepted");
    world.pay(&payer.id, "0.00156667").await;
    world.mine("BTC").await;
    assert_eq!(world.payment(&payer.id).await["status"], "DEPOSITED", "the price");
}

/// What is first seen after it follows a paid payment. What leaves its block and returns is accepted still.
#[tokio::test]
async fn the_rest_follows_and_a_transfer_that_returns_stays_accepted() {
    let refunding = Settings { refund_follow_ups: Some(true), ..Settings::default() };
    for (follow_ups, refunds) in [(Settings::default(), 0), (refunding, 1)] {
        let world = World::with(follow_ups).await;
        let id = world.partly_paid("order").await;
        let accepted = world.accept(&id, &world.token).await.json;
        assert_eq!(accepted["acceptedAt"], super::START);
        world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
        let without = world.payment(&id).await;
        assert_eq!((&without["status"], &without["acceptedAt"]), (&json!("AWAITING"), &Value::Null));
        world.mine("BTC").await;
        assert_eq!(world.payment(&id).await["status"], "DEPOSITED");
        world.pay(&id, "0.00066667").await;
        world.mine("BTC").await;
        let payment = world.payment(&id).await;
        assert_eq!(payment["status"], "DEPOSITED");
        let deposits = payment["deposits"].as_array().unwrap();
        let back = deposits.iter().filter(|deposit| deposit["refund"].is_object()).count();
        assert_eq!(back, refunds, "{payment:#}");
    }
}

/// A payment of many deposits, whose sums are stored.
#[tokio::test]
async fn the_sums_of_an_accepted_payment_are_not_judged_alone() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    for _ in 0..4 {
        world.pay(&id, "0.0002").await;
        world.mine("BTC").await;
    }
    world.accept(&id, &world.token).await;
    for _ in 0..2 {
        world.pay(&id, "0.0002").await;
        world.mine("BTC").await;
        assert_eq!(world.payment(&id).await["status"], "DEPOSITED");
        expire_payments::expire_due(&world.app).await.unwrap();
        let listed = world.get("/api/v1/payments?status=DEPOSITED", &world.token).await.json;
        assert_eq!(listed[0]["paymentId"], id.as_str(), "as stored");
    }
}

/// What is going back is not accepted as well.
#[tokio::test]
async fn what_was_asked_for_back_is_not_accepted() {
    let world = world().await;
    let payer = part(&world).await;
    let asked = world.ask(&payer, BTC).await;
    check_refused(&world.accept(&payer.id, &world.token).await, 409, "refund_pending");
    let refused = world.decide_claim(&asked, "refuse", json!({})).await;
    assert_eq!(refused.status, 200, "{}", refused.json);
    assert_eq!(world.accept(&payer.id, &world.token).await.json["status"], "DEPOSITED");

    let payer = part(&world).await;
    world.refunded(&payer.id, json!({"address": BTC})).await;
    check_refused(&world.accept(&payer.id, &world.token).await, 409, "refund_pending");
    world.run().await;
    check_refused(&world.accept(&payer.id, &world.token).await, 409, "refund_pending");
    world.mine("BTC").await;
    world.run().await;
    check_refused(&world.accept(&payer.id, &world.token).await, 409, "nothing_to_accept");
}

/// Neither the payer nor another shop.
#[tokio::test]
async fn only_the_merchant_accepts() {
    let world = World::new().await;
    let payer: Payer = quoted(&world, "BTC", "BTC").await;
    world.pay(&payer.id, "0.001").await;
    world.mine("BTC").await;
    let (_, other) = create_business(&world.app, Settings::default()).await;
    for token in [&payer.session, &other] {
        check_refused(&world.accept(&payer.id, token).await, 404, "not_found");
    }
    assert_eq!(world.payment(&payer.id).await["status"], "AWAITING");
    let key = world.organisation_key().await;
    assert_eq!(world.accept(&payer.id, &key).await.json["status"], "DEPOSITED");
}
