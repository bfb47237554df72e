//! Typed events: which ones the lives of payments, refunds and withdrawals have, in which order.

use checkout_domain::business::settings::Settings;
use checkout_domain::chain::screening::Decision;
use checkout_domain::withdrawal::rules::RuleChanges;
use checkout_gateway::service::payments::expire_payments;
use checkout_gateway::service::payouts::pay_out;
use checkout_gateway::service::transfers::screen_deposits;
use serde_json::{Value, json};

use super::flagged::BITCOIN;
use super::merchant_refund_stage::{BTC, EVM};
use super::{START, World, contract};

/// A URL without a listener, so that callbacks stay in the outbox.
pub(super) const URL: &str = "http://127.0.0.1:9/";

/// On the sanctions list of the US Treasury.
const SANCTIONED: &str = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";

pub(super) fn settings() -> Settings {
    Settings { event_url: Some(URL.to_owned()), ..Settings::default() }
}

pub(super) fn json_of(callback: &Value) -> Value {
    serde_json::from_str(callback["body"].as_str().unwrap()).unwrap()
}

/// The event with what tells it from others of its type.
fn line(body: &Value) -> String {
    let (kind, data) = (body["type"].as_str().unwrap(), &body["data"]);
    let details = match kind.split('.').next().unwrap() {
        "deposit" => [&data["reversedFor"], &data["heldFor"]],
        "refund" => [&data["status"], &data["waitingFor"]],
        _ => [&data["status"], &Value::Null],
    };
    let details = details.into_iter().filter_map(Value::as_str);
    [kind].into_iter().chain(details).collect::<Vec<_>>().join(" ")
}

impl World {
    /// The events of a payment or of a withdrawal in their order, each of which follows the document.
    pub(super) async fn typed_events(&self, subject: &str) -> Vec<Value> {
        let path = format!("/api/v1/callbacks?subjectId={subject}&descending=false&limit=100");
        let listed = self.get(&path, &self.token).await;
        let listed = listed.json.as_array().unwrap().clone();
        let named = |one: &&Value| one["event"].as_str().unwrap().contains('.');
        let mut bodies = Vec::new();
        for callback in listed.iter().filter(named) {
            let body = json_of(callback);
            contract::check_callback(&body);
            assert_eq!((&body["type"], &body["timestamp"]), (&callback["event"], &callback["createdAt"]));
            assert_eq!(body["sequence"], bodies.len() + 1, "{body:#}");
            bodies.push(body);
        }
        bodies
    }

    async fn lines(&self, subject: &str) -> Vec<String> {
        self.typed_events(subject).await.iter().map(line).collect()
    }

    /// The payment shows what its last events say.
    async fn check(&self, payment: &str, expected: &[&str]) {
        let events = self.typed_events(payment).await;
        assert_eq!(events.iter().map(line).collect::<Vec<_>>(), expected);
        let now = self.payment(payment).await;
        let last = events.iter().rfind(|event| event["type"] == "payment.status");
        assert_eq!(last.map_or(&json!("NEW"), |event| &event["data"]["status"]), &now["status"], "{now:#}");
        for deposit in now["deposits"].as_array().unwrap() {
            let is_it = |event: &&Value| event["data"]["id"] == deposit["id"];
            let event = events.iter().rfind(is_it).unwrap();
            assert_eq!(event["data"]["status"], deposit["status"], "{event:#}");
        }
    }
}

const PENDING: &str = "payment.status PENDING";
const AWAITING: &str = "payment.status AWAITING";
const DEPOSITED: &str = "payment.status DEPOSITED";
const OVERPAID: &str = "payment.status OVERPAID";
const EXPIRED: &str = "payment.status EXPIRED";
const SEEN: &str = "deposit.seen";
const CONFIRMED: &str = "deposit.confirmed";
const FINAL: &str = "deposit.final";

#[tokio::test]
async fn a_payment_that_is_paid() {
    let world = World::with(settings()).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.check(&id, &[PENDING]).await;
    world.pay(&id, "0.00166667").await;
    world.check(&id, &[PENDING, SEEN, AWAITING]).await;
    world.mine("BTC").await;
    world.mine("BTC").await;
    let story = [PENDING, SEEN, AWAITING, CONFIRMED, FINAL, DEPOSITED];
    world.check(&id, &story).await;
    world.run().await;
    expire_payments::expire_due(&world.app).await.unwrap();
    world.check(&id, &story).await;
    let events = world.typed_events(&id).await;
    let last = events.last().unwrap();
    assert_eq!(last["data"], world.payment(&id).await, "what the API shows");
    assert_eq!(
        (&last["timestamp"], &last["businessId"]),
        (&json!(START), &json!(world.business.id.to_string()))
    );
    let deposits = world.get(&format!("/api/v1/deposits?paymentId={id}"), &world.token).await;
    assert_eq!(events[3]["data"], deposits.json[0]);
}

#[tokio::test]
async fn a_payment_that_is_paid_late_in_parts() {
    let world = World::with(settings()).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.001").await;
    world.mine("BTC").await;
    world.check(&id, &[PENDING, SEEN, AWAITING, CONFIRMED, FINAL]).await;
    world.advance(1_800).await;
    expire_payments::expire_due(&world.app).await.unwrap();
    expire_payments::expire_due(&world.app).await.unwrap();
    world.check(&id, &[PENDING, SEEN, AWAITING, CONFIRMED, FINAL, EXPIRED]).await;
    world.pay(&id, "0.00066667").await;
    world.mine("BTC").await;
    let events = world.lines(&id).await;
    assert_eq!(events[events.len() - 3..], [CONFIRMED, FINAL, DEPOSITED]);
    // First seen in a block.
    let (id, _) = world.quoted(json!({"clientPaymentId": "2"}), "ETH", "ETH").await;
    world.advance(1_800).await;
    expire_payments::expire_due(&world.app).await.unwrap();
    world.check(&id, &[PENDING, EXPIRED]).await;
}

#[tokio::test]
async fn a_cancelled_payment() {
    let world = World::with(settings()).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    for _ in 0..2 {
        let path = format!("/api/v1/payments/{id}/cancel");
        world.call(axum::http::Method::POST, &path, Some(&world.token), None).await;
    }
    world.check(&id, &[PENDING, EXPIRED]).await;
}

/// The merchant hears that an instant deposit is gone, and that it is back.
#[tokio::test]
async fn an_instant_deposit_that_vanishes() {
    let world = World::with(settings()).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let transaction = world.pay(&id, "0.00166667").await;
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    world.check(&id, &[PENDING, SEEN, AWAITING, "deposit.reversed VANISHED", PENDING]).await;
    let reversed = world.typed_events(&id).await.remove(3);
    assert_eq!(reversed["data"]["status"], "UNCONFIRMED");
    assert_eq!(reversed["data"]["transactionId"], transaction);
}

#[tokio::test]
async fn a_reorganisation_after_the_confirmation() {
    let world = World::with(settings()).await;
    let (id, _) = world.quoted(json!({}), "ETH", "ETH").await;
    world.pay(&id, "0.04").await;
    world.mine("ETH").await;
    let paid = [PENDING, SEEN, AWAITING, CONFIRMED, FINAL, OVERPAID];
    world.check(&id, &paid).await;
    world.sandbox("reorgs", json!({"network": "ETH", "depth": 1})).await;
    let gone = [&paid[..], &["deposit.reversed REORGANISED", AWAITING]].concat();
    world.check(&id, &gone).await;
    world.mine("ETH").await;
    let again = [&gone[..], &[CONFIRMED, FINAL, OVERPAID]].concat();
    world.check(&id, &again).await;
}

#[tokio::test]
async fn a_held_deposit() {
    for (decision, expected) in [
        (Decision::Release, &[CONFIRMED, FINAL, DEPOSITED] as &[&str]),
        (Decision::Refuse, &["deposit.reversed REFUSED SENDER", PENDING]),
    ] {
        let world = World::with(settings()).await;
        world.flag("BTC", BITCOIN, true).await;
        let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
        world.pay_from(&id, "0.00166667", BITCOIN).await;
        world.mine("BTC").await;
        let held = [PENDING, "deposit.held SENDER", AWAITING];
        world.check(&id, &held).await;
        let deposit = world.typed_events(&id).await[1]["data"]["id"].as_str().unwrap().parse().unwrap();
        screen_deposits::decide(&world.database, deposit, decision).await.unwrap();
        screen_deposits::run(&world.app).await.unwrap();
        screen_deposits::run(&world.app).await.unwrap();
        world.check(&id, &[&held[..], expected].concat()).await;
    }
}

#[tokio::test]
async fn an_excess_that_goes_back() {
    let world = World::with(Settings { refund_excess: Some(true), ..settings() }).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00266667").await;
    world.mine("BTC").await;
    world.run().await;
    world.mine("BTC").await;
    world.run().await;
    let story = [
        PENDING,
        SEEN,
        AWAITING,
        CONFIRMED,
        FINAL,
        OVERPAID,
        "refund.created PENDING",
        "refund.sent PENDING",
        "refund.confirmed CONFIRMED",
    ];
    world.check(&id, &story).await;
    let events = world.typed_events(&id).await;
    let deposit = world.payment(&id).await["deposits"][0]["id"].clone();
    let refund = world.get(&format!("/api/v1/refunds/{}", deposit.as_str().unwrap()), &world.token).await;
    assert_eq!(events.last().unwrap()["data"], refund.json);
}

/// A planned refund whose deposit leaves the chain is told to be cancelled.
#[tokio::test]
async fn a_refund_whose_deposit_leaves_the_chain() {
    let world = World::with(Settings { refund_excess: Some(true), ..settings() }).await;
    world.flag("ETH", EVM, false).await;
    let (id, _) = world.quoted(json!({}), "ETH", "ETH").await;
    world.sandbox("fees", json!({"network": "ETH", "fee": "1"})).await;
    world.pay(&id, "0.5").await;
    world.mine("ETH").await;
    let before = world.lines(&id).await;
    assert!(before.iter().any(|line| line == "refund.created PENDING"), "{before:?}");
    world.sandbox("reorgs", json!({"network": "ETH", "depth": 1})).await;
    let after = world.lines(&id).await;
    let news = ["deposit.reversed REORGANISED", AWAITING, "refund.cancelled CANCELLED"];
    assert_eq!(after[before.len()..], news);
}

#[tokio::test]
async fn refunds_of_the_merchant() {
    let world = World::with(settings()).await;
    world.deposit("float", "5000.00").await;
    let (id, _) = world.quoted(json!({"displayAmount": "1000.00"}), "BTC", "BTC").await;
    world.pay(&id, "0.01666667").await;
    world.mine("BTC").await;
    let paid = world.lines(&id).await;
    let check = async |expected: &[&str]| {
        let all = world.lines(&id).await;
        assert_eq!(all[paid.len()..], *expected);
    };
    let first = world.refunded(&id, json!({"displayAmount": "60.00"})).await;
    let mut story = vec!["refund.created PENDING ADDRESS", "refund.waiting PENDING ADDRESS"];
    check(&story).await;
    for _ in 0..2 {
        world.decide_refund(&first, "address", Some(json!({"address": BTC}))).await;
    }
    story.push("refund.addressed PENDING");
    check(&story).await;
    world.run().await;
    world.mine("BTC").await;
    world.run().await;
    story.extend(["refund.sent PENDING", "refund.confirmed CONFIRMED"]);
    check(&story).await;
    let second = world.refunded(&id, json!({"clientRefundId": "r-2", "displayAmount": "60.00"})).await;
    for _ in 0..2 {
        world.decide_refund(&second, "cancel", None).await;
    }
    story.extend([
        "refund.created PENDING ADDRESS",
        "refund.waiting PENDING ADDRESS",
        "refund.cancelled CANCELLED",
    ]);
    check(&story).await;
    let limit = Some(Some(checkout_core::decimal::parse("10", 2).unwrap()));
    world.rules(RuleChanges { approval_above: limit, ..RuleChanges::default() }).await;
    let key = world.organisation_key().await;
    let third =
        world.refunded(&id, json!({"clientRefundId": "r-3", "displayAmount": "60.00", "address": BTC})).await;
    let path = format!("/api/v1/refunds/{}/approve", third["refundId"].as_str().unwrap());
    for _ in 0..2 {
        let approved = world.approved(&path, &key).await;
        assert_eq!(approved.status.as_u16(), 200, "{}", approved.json);
    }
    story.extend([
        "refund.created PENDING APPROVAL",
        "refund.waiting PENDING APPROVAL",
        "refund.approved PENDING",
    ]);
    check(&story).await;
}

/// The part of an unpaid payment that the merchant gives back does not pay it; once the refund is taken back, it does again.
#[tokio::test]
async fn a_refund_of_an_unpaid_payment_changes_its_status() {
    let world = World::with(settings()).await;
    world.deposit("float", "5000.00").await;
    let (id, _) = world.quoted(json!({"displayAmount": "1000.00"}), "BTC", "BTC").await;
    world.pay(&id, "0.008").await;
    world.mine("BTC").await;
    world.advance(1_800).await;
    expire_payments::expire_due(&world.app).await.unwrap();
    let refund = world.refunded(&id, json!({})).await;
    world.pay(&id, "0.00866667").await;
    world.mine("BTC").await;
    assert_eq!(world.payment(&id).await["status"], "EXPIRED");
    world.decide_refund(&refund, "cancel", None).await;
    assert_eq!(world.payment(&id).await["status"], "DEPOSITED");
    let lines = world.lines(&id).await;
    assert_eq!(lines[lines.len() - 2..], [DEPOSITED, "refund.cancelled CANCELLED"]);
    // Of a REUSABLE one.
    let (id, _) = world.quoted(json!({"clientPaymentId": "2", "type": "REUSABLE"}), "ETH", "ETH").await;
    world.pay(&id, "0.03").await;
    world.mine("ETH").await;
    world.refunded(&id, json!({"clientRefundId": "r-2"})).await;
    let lines = world.lines(&id).await;
    let last = lines.iter().rfind(|line| line.starts_with("payment.status")).unwrap();
    let now = world.payment(&id).await;
    assert_eq!(*last, format!("payment.status {}", now["status"].as_str().unwrap()), "{lines:?}");
}

#[tokio::test]
async fn withdrawals() {
    let check = async |fields: Value, reverts: bool, expected: &[&str]| {
        let world = World::with(settings()).await;
        world.deposit("float", "1000.00").await;
        let made = world.withdraw(fields.clone()).await;
        let id = made.json["withdrawId"].as_str().unwrap();
        world.withdraw(fields).await;
        pay_out::run(&world.app).await.unwrap();
        if reverts {
            let transaction = world.typed_events(id).await[1]["data"]["transactionId"].clone();
            world.sandbox("reverts", json!({"transactionId": transaction})).await;
        }
        world.run().await;
        world.mine("ETH").await;
        world.run().await;
        assert_eq!(world.lines(id).await, expected);
        let now = world.get(&format!("/api/v1/withdrawals/{id}"), &world.token).await;
        assert_eq!(world.typed_events(id).await.last().unwrap()["data"], now.json);
    };
    let created = "withdrawal.created NEW";
    let sent = [created, "withdrawal.sent COMPLETED"];
    check(json!({}), false, &[&sent[..], &["withdrawal.confirmed COMPLETED"]].concat()).await;
    check(json!({"recipientAddress": SANCTIONED}), false, &[created, "withdrawal.failed BLOCKED"]).await;
    check(json!({}), true, &[&sent[..], &["withdrawal.reverted FAILED"]].concat()).await;
}

/// A payment with many deposits is added up without reading them; its events show it whole.
#[tokio::test]
async fn a_payment_of_many_deposits() {
    let world = World::with(settings()).await;
    let (id, _) = world.quoted(json!({"type": "REUSABLE"}), "BTC", "BTC").await;
    for _ in 0..30 {
        world.pay(&id, "0.0001").await;
    }
    world.mine("BTC").await;
    let lines = world.lines(&id).await;
    assert_eq!(lines.iter().filter(|line| *line == SEEN).count(), 30);
    assert_eq!(lines.iter().filter(|line| *line == CONFIRMED).count(), 30);
    let events = world.typed_events(&id).await;
    let last = events.iter().rfind(|event| event["type"] == "payment.status").unwrap();
    let now = world.payment(&id).await;
    for name in ["status", "actualDepositAmount", "actualDisplayAmount"] {
        assert_eq!(last["data"][name], now[name], "{lines:?}");
    }
    assert_eq!(last["data"]["deposits"].as_array().unwrap().len(), 20, "the newest");
    let more = last["data"]["depositsUrl"].as_str().unwrap();
    let more = world.get(more, &world.token).await;
    assert_eq!(more.json.as_array().unwrap().len(), 10, "{}", more.json);
}
