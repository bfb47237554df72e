//! An automatic refund waits for one press of the payer: "Is that your own wallet, and no exchange's?"

use axum::body::Body;
use axum::http::{Request, StatusCode};
use checkout_core::address::Address;
use checkout_core::{Currency, Network};
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::finality::Finality;
use checkout_gateway::service::payouts::pay_out;
use checkout_wire::payment::RefundAddress;
use serde_json::{Value, json};
use url::form_urlencoded;

use super::claims::{ETHER, Payer, quoted};
use super::merchant_refund_stage::BTC;
use super::typed_events::URL;
use super::{World, at_once, metrics};
use crate::fixture::{Look as _, Place};

pub(super) const OTHER: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const EXCHANGE: &str = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";

pub(super) async fn world(by: RefundAddress) -> World {
    in_world(at_once(), by).await
}

pub(super) async fn in_world(finality: Finality, by: RefundAddress) -> World {
    let business = Settings {
        name: Some("Fair".to_owned()),
        refund_excess: Some(true),
        refund_follow_ups: Some(true),
        refund_address: Some(by),
        event_url: Some(URL.to_owned()),
        ..Settings::default()
    };
    World::in_world(Place::chosen(), finality, business).await
}

/// Pays this amount to a payment, with these fields of the transfer.
pub(super) async fn pay(world: &World, payer: &Payer, amount: &str, fields: Value) {
    let payment = world.payment(&payer.id).await;
    let mut body = json!({
        "network": payment["expectedNetwork"], "currency": payment["depositCurrency"],
        "address": payment["walletAddress"], "amount": amount,
    });
    if let Some(tag) = payment.get("destinationTag") {
        body["destinationTag"] = tag.clone();
    }
    world.sandbox("transfers", super::over(body, fields)).await;
    mine(world, payment["expectedNetwork"].as_str().unwrap()).await;
}

pub(super) async fn mine(world: &World, network: &str) {
    world.mine(network).await;
    pay_out::run(&world.app).await.unwrap();
}

/// Twice the price in BTC, from an address that the payer may not own.
pub(super) async fn overpaid(world: &World) -> Payer {
    let payer = quoted(world, "BTC", "BTC").await;
    pay(world, &payer, "0.00333334", json!({"fromAddress": BTC})).await;
    payer
}

pub(super) async fn refund(world: &World, payer: &Payer) -> Value {
    world.payment(&payer.id).await["deposits"][0]["refund"].clone()
}

/// The recipients of everything that was sent, each with its tag.
pub(super) async fn sent(world: &World) -> Vec<String> {
    let rows = world.database.texts(
        "SELECT address || COALESCE('?dt=' || tag, '') FROM sim_transfers
         WHERE transaction_id IN (SELECT transaction_id FROM payouts) AND dropped = 0 ORDER BY revision",
    );
    rows.await.into_iter().map(|row| row[0].clone().unwrap()).collect()
}

/// The press "yes, send it back there".
pub(super) async fn confirm(world: &World, payer: &Payer) -> Value {
    let claim = world.claimed(payer).await;
    let answer = world.claim(payer, &claim, json!({"address": claim["sender"]})).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.json);
    answer.json
}

#[tokio::test]
async fn nothing_goes_back_to_an_exchange_unless_the_payer_says_that_it_is_their_wallet() {
    let world = world(RefundAddress::Payer).await;
    let payer = overpaid(&world).await;
    mine(&world, "BTC").await;
    let waits = refund(&world, &payer).await;
    let wait = ["status", "waitingFor", "waitingReason"].map(|name| waits[name].as_str().unwrap().to_owned());
    assert_eq!(wait, ["PENDING", "ADDRESS", "UNCONFIRMED_SENDER"]);
    let claim = world.claimed(&payer).await;
    assert_eq!((&claim["status"], &claim["sender"]), (&json!("OPEN"), &json!(BTC)), "{claim:#}");
    assert!(sent(&world).await.is_empty());

    let pressed = confirm(&world, &payer).await;
    assert_eq!((&pressed["status"], &pressed["address"]), (&json!("APPROVED"), &json!(BTC)), "{pressed:#}");
    assert!(pressed.get("sender").is_none(), "it was asked once: {pressed:#}");
    mine(&world, "BTC").await;
    mine(&world, "BTC").await;
    assert_eq!(sent(&world).await, [BTC]);
    assert_eq!(refund(&world, &payer).await["status"], "CONFIRMED");
    assert_eq!(world.claimed(&payer).await["status"], "CONFIRMED");
    let events = world.typed_events(&payer.id).await;
    let events = events.iter().map(|event| event["type"].as_str().unwrap());
    let events: Vec<_> = events.filter(|event| event.starts_with("refund.")).collect();
    let expected =
        ["refund.created", "refund.waiting", "refund.addressed", "refund.sent", "refund.confirmed"];
    assert_eq!(events, expected);
}

/// A second press, and another address after it.
#[tokio::test]
async fn the_press_counts_once() {
    let world = world(RefundAddress::Payer).await;
    let payer = overpaid(&world).await;
    let claim = world.claimed(&payer).await;
    confirm(&world, &payer).await;
    let again = world.claim(&payer, &claim, json!({"address": BTC})).await;
    assert_eq!((again.status, &again.json["status"]), (StatusCode::OK, &json!("APPROVED")));
    assert_eq!(world.claim(&payer, &claim, json!({"address": OTHER})).await.status, StatusCode::CONFLICT);
    mine(&world, "BTC").await;
    mine(&world, "BTC").await;
    assert_eq!(sent(&world).await, [BTC]);
}

#[tokio::test]
async fn another_address_waits_for_the_merchant_as_every_claim() {
    let world = world(RefundAddress::Payer).await;
    let payer = overpaid(&world).await;
    let asked = world.ask(&payer, OTHER).await;
    assert!(asked.get("sender").is_none(), "{asked:#}");
    mine(&world, "BTC").await;
    assert!(sent(&world).await.is_empty());
    world.approve(&asked).await;
    mine(&world, "BTC").await;
    mine(&world, "BTC").await;
    assert_eq!(sent(&world).await, [OTHER]);
}

#[tokio::test]
async fn a_business_can_have_refunds_go_to_the_sender_at_once() {
    let world = world(RefundAddress::Sender).await;
    let payer = overpaid(&world).await;
    mine(&world, "BTC").await;
    assert_eq!(sent(&world).await, [BTC]);
    assert!(world.claims(&payer).await.is_empty());
}

/// An exchange's account is the same for all, and its tag tells the customer.
#[tokio::test]
async fn the_address_without_its_tag_is_another_one() {
    let world = world(RefundAddress::Payer).await;
    let payer = quoted(&world, "XRP", "XRP").await;
    let from = Address::parse(Network::Xrp, EXCHANGE).unwrap().with_tag(7).unwrap().to_string();
    pay(&world, &payer, "500", json!({"fromAddress": from})).await;
    let claim = world.claimed(&payer).await;
    assert_eq!(claim["sender"], format!("{EXCHANGE}?dt=7"), "{claim:#}");
    let asked = world.claim(&payer, &claim, json!({"address": EXCHANGE})).await;
    assert_eq!(asked.json["status"], "ASKED", "{}", asked.json);

    let payer = quoted(&world, "XRP", "XRP").await;
    pay(&world, &payer, "500", json!({"fromAddress": from})).await;
    assert_eq!(confirm(&world, &payer).await["status"], "APPROVED");
    mine(&world, "XRP").await;
    assert_eq!(sent(&world).await, [format!("{EXCHANGE}?dt=7")]);
}

/// The payer cannot know it: the network does.
#[tokio::test]
async fn a_contract_is_no_wallet_whatever_the_payer_says() {
    let world = world(RefundAddress::Payer).await;
    let payer = quoted(&world, "ETH", "ETH").await;
    pay(&world, &payer, "0.1", json!({"sender": "CONTRACT"})).await;
    confirm(&world, &payer).await;
    mine(&world, "ETH").await;
    let waits = refund(&world, &payer).await;
    assert_eq!([&waits["waitingFor"], &waits["waitingReason"]], ["ADDRESS", "CONTRACT"], "{waits:#}");
    assert!(sent(&world).await.is_empty());
    let claim = world.claimed(&payer).await;
    assert_eq!((&claim["status"], claim.get("sender")), (&json!("OPEN"), None), "{claim:#}");
    assert_eq!(world.ask(&payer, ETHER).await["status"], "ASKED");
}

#[tokio::test]
async fn nobody_is_asked_about_a_sender_that_the_transaction_does_not_show() {
    let world = world(RefundAddress::Payer).await;
    let payer = quoted(&world, "BTC", "BTC").await;
    pay(&world, &payer, "0.00333334", json!({"sender": "UNKNOWN"})).await;
    assert_eq!(refund(&world, &payer).await["waitingReason"], "UNKNOWN_SENDER");
    assert_eq!(world.claimed(&payer).await.get("sender"), None);
}

/// What was said of the wallet stays said while the amount changes; another deposit is another question.
#[tokio::test]
async fn the_question_is_asked_once_for_each_deposit() {
    let world = in_world(Finality::default(), RefundAddress::Payer).await;
    let payer = quoted(&world, "BTC", "BTC").await;
    let first = world.pay(&payer.id, "0.001").await;
    pay(&world, &payer, "0.002", json!({"fromAddress": BTC})).await;
    assert_eq!(confirm(&world, &payer).await["amount"], "0.00130333");
    world.sandbox("drops", json!({"transactionId": first})).await;
    let claim = world.claimed(&payer).await;
    assert_eq!([&claim["status"], &claim["amount"]], ["APPROVED", "0.00030333"], "{claim:#}");

    pay(&world, &payer, "0.004", json!({"fromAddress": BTC})).await;
    let claims = world.claims(&payer).await;
    let states =
        claims.iter().map(|claim| (claim["status"].as_str().unwrap(), claim.get("sender").is_some()));
    assert_eq!(states.collect::<Vec<_>>(), [("APPROVED", false), ("OPEN", true)], "{claims:#?}");
    for _ in 0..6 {
        mine(&world, "BTC").await;
    }
    assert_eq!(sent(&world).await, [BTC]);
}

/// Only the payer's session presses, and only for what is asked.
#[tokio::test]
async fn somebody_else_cannot_press() {
    let world = world(RefundAddress::Payer).await;
    let (payer, other) = (overpaid(&world).await, overpaid(&world).await);
    let claim = world.claimed(&payer).await;
    let of_other = Payer { id: payer.id.clone(), session: other.session.clone() };
    assert_eq!(world.claim(&of_other, &claim, json!({"address": BTC})).await.status, StatusCode::NOT_FOUND);
    let of_merchant = Payer { id: payer.id.clone(), session: world.token.clone() };
    assert_ne!(world.claim(&of_merchant, &claim, json!({"address": BTC})).await.status, StatusCode::CREATED);
    assert_eq!(world.claim(&other, &claim, json!({"address": BTC})).await.status, StatusCode::NOT_FOUND);
    mine(&world, "BTC").await;
    assert!(sent(&world).await.is_empty());
}

#[tokio::test]
async fn the_page_without_scripts_presses_too() {
    let world = world(RefundAddress::Payer).await;
    let payer = overpaid(&world).await;
    let claim = world.claimed(&payer).await;
    let fields = [("claim", &claim["claimId"]), ("to", &claim["sender"])];
    let fields = fields.map(|(name, value)| (name, value.as_str().unwrap()));
    let body = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(fields)
        .append_pair("tag", "")
        .append_pair("ask", "1")
        .finish();
    let path = format!("/checkout/{}/claim?sessionToken={}", payer.id, payer.session);
    let pressed = world.send(Request::post(path).body(Body::from(body)).unwrap()).await;
    assert_eq!(pressed.status, StatusCode::SEE_OTHER);
    assert_eq!(world.claimed(&payer).await["status"], "APPROVED");
}

/// Refunds that wait for the payer are no work for an operator.
#[tokio::test]
async fn the_question_rings_no_alarm() {
    let world = world(RefundAddress::Payer).await;
    let payer = overpaid(&world).await;
    metrics::check(&metrics::scrape(&world).await, "checkout_refunds_waiting 0");
    world.ask(&payer, OTHER).await;
    metrics::check(&metrics::scrape(&world).await, "checkout_refunds_waiting 1");
}

/// The payer named another address after the backup, and got the money there. The restored gateway asks again.
#[tokio::test]
async fn a_refund_that_the_lost_gateway_sent_elsewhere_does_not_go_back_to_the_sender_too() {
    let world = world(RefundAddress::Payer).await;
    let payer = overpaid(&world).await;
    let lost = world.refunded_by_the_lost_gateway((Currency::Btc, Network::Btc), "0.00163667", OTHER).await;
    world.restored().await;
    confirm(&world, &payer).await;
    for _ in 0..3 {
        mine(&world, "BTC").await;
    }
    assert_eq!(sent(&world).await, [""; 0]);
    let reasons = world.reasons().await;
    assert!(reasons.len() == 1 && reasons[0].as_ref().unwrap().ends_with(&lost), "{reasons:?}");
}
