//! `GET /api/v1/refunds`, `GET /api/v1/refunds/{id}`, and the decisions about automatic refunds.

use axum::http::{Method, StatusCode};
use checkout_core::decimal;
use checkout_domain::business::settings::Settings;
use checkout_domain::withdrawal::rules::RuleChanges;
use checkout_gateway::service::payouts::pay_out;
use serde_json::{Value, json};

use super::{Answer, World};
use crate::fixture::create_business;

const PATH: &str = "/api/v1/refunds";
const CONTRACT: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const PERSON: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

impl World {
    async fn refunds(&self, query: &str) -> Vec<Value> {
        let answer = self.get(&format!("{PATH}?{query}"), &self.token).await;
        assert_eq!(answer.status, StatusCode::OK, "{query}: {}", answer.json);
        answer.json.as_array().unwrap().clone()
    }

    /// An automatic refund beyond those of a day, of a business that refunds follow-ups.
    pub(super) async fn unapproved_refund(&self) -> String {
        let (id, _) = self.quoted(json!({"clientPaymentId": "again-and-again"}), "LTC", "LTC").await;
        for amount in ["1.33333334", "0.5", "0.5", "0.5", "0.5", "0.5", "0.5"] {
            self.pay(&id, amount).await;
            self.mine("LTC").await;
            pay_out::run(&self.app).await.unwrap();
        }
        let waiting = self.refunds("waitingFor=APPROVAL").await;
        assert_eq!(waiting.len(), 1, "{waiting:?}");
        waiting[0]["refundId"].as_str().unwrap().to_owned()
    }

    async fn decided(&self, id: &str, decision: &str, body: Option<Value>) -> Answer {
        let path = format!("{PATH}/{id}/{decision}");
        if decision == "approve" {
            return self.approved(&path, &self.token).await;
        }
        self.call(Method::POST, &path, Some(&self.token), body.as_ref()).await
    }
}

async fn fair() -> World {
    World::with(Settings {
        name: Some("Fair".to_owned()),
        refund_excess: Some(true),
        refund_follow_ups: Some(true),
        ..Settings::default()
    })
    .await
}

/// Twice its price, from a contract.
async fn waiting_for_an_address(world: &World) -> (String, String) {
    let (id, _) = world.quoted(json!({}), "ETH", "ETH").await;
    let wallet = world.payment(&id).await["walletAddress"].clone();
    let transfer = json!({"network": "ETH", "currency": "ETH", "address": wallet, "amount": "0.2",
        "fromAddress": CONTRACT, "sender": "CONTRACT"});
    world.sandbox("transfers", transfer).await;
    world.mine("ETH").await;
    pay_out::run(&world.app).await.unwrap();
    let listed = world.refunds(&format!("paymentId={id}&waitingFor=ADDRESS")).await;
    (id, listed[0]["refundId"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn automatic_refunds_are_listed_as_their_payment_shows_them() {
    let world = fair().await;
    let (id, refund) = waiting_for_an_address(&world).await;
    let deposit = world.payment(&id).await["deposits"][0].clone();
    let listed = world.refunds("").await[0].clone();
    assert_eq!(listed["depositId"], deposit["id"]);
    for name in
        ["status", "reason", "amount", "fee", "displayAmount", "displayFee", "waitingFor", "waitingReason"]
    {
        assert_eq!(listed[name], deposit["refund"][name], "{name}");
    }
    assert_eq!((&listed["feePaidBy"], listed.get("withdrawalAccount")), (&json!("PAYER"), None));
    let read = world.get(&format!("{PATH}/{refund}"), &world.token).await;
    assert_eq!(read.json, listed);
}

/// The decision of `checkout refunds send`, over HTTP.
#[tokio::test]
async fn an_automatic_refund_gets_its_address() {
    let world = fair().await;
    let (id, refund) = waiting_for_an_address(&world).await;
    let own = world.payment(&id).await["walletAddress"].clone();
    for (address, status) in [
        (json!(own), 400),
        (json!("0x12"), 422),
        (json!(PERSON), 200),
        (json!(PERSON), 200),
        (json!(CONTRACT), 409),
    ] {
        let answer = world.decided(&refund, "address", Some(json!({"address": address}))).await;
        assert_eq!(answer.status.as_u16(), status, "{address}: {}", answer.json);
    }
    for decision in ["approve", "cancel"] {
        assert_eq!(world.decided(&refund, decision, None).await.json["code"], "refund_state", "{decision}");
    }
    pay_out::run(&world.app).await.unwrap();
    world.mine("ETH").await;
    pay_out::run(&world.app).await.unwrap();
    let done = world.refunds("status=CONFIRMED").await;
    assert_eq!((&done[0]["refundId"], &done[0]["address"]), (&json!(refund), &json!(PERSON)));
}

/// A stolen token does not redirect more than it could withdraw.
#[tokio::test]
async fn the_limits_of_withdrawals_hold_for_an_address() {
    let eur = |text| Some(Some(decimal::parse(text, 2).unwrap()));
    let check = async |changes: RuleChanges, address: &str, status: u16, code: &str| {
        let world = fair().await;
        let (_, refund) = waiting_for_an_address(&world).await;
        crate::fixture::change_rules(world.app.store.as_ref(), world.business.id, changes).await.unwrap();
        let answer = world.decided(&refund, "address", Some(json!({"address": address}))).await;
        let codes: Vec<String> = answer.errors().into_iter().map(|(_, code)| code).collect();
        let have = codes.first().map(String::as_str).or(answer.json["code"].as_str()).unwrap_or_default();
        assert_eq!((answer.status.as_u16(), have), (status, code), "{changes:?} {}", answer.json);
    };
    // 0.2 ETH less the price of 100 EUR are 500 EUR.
    let daily = |text| RuleChanges { daily_limit: eur(text), ..RuleChanges::default() };
    check(daily("499.99"), PERSON, 409, "above_limit").await;
    check(daily("600"), PERSON, 200, "").await;
    let approval = |text| RuleChanges { approval_above: eur(text), ..RuleChanges::default() };
    check(approval("499.99"), PERSON, 409, "above_limit").await;
    check(approval("600"), PERSON, 200, "").await;
    let listed = RuleChanges { whitelist_only: Some(true), ..RuleChanges::default() };
    check(listed, PERSON, 422, "not_whitelisted").await;
    check(listed, CONTRACT, 200, "").await;
}

#[tokio::test]
async fn an_automatic_refund_is_approved() {
    let world = fair().await;
    let refund = world.unapproved_refund().await;
    for _ in 0..2 {
        let approved = world.decided(&refund, "approve", None).await;
        assert_eq!(
            (approved.status, approved.json.get("waitingFor")),
            (StatusCode::OK, None),
            "{}",
            approved.json
        );
    }
    pay_out::run(&world.app).await.unwrap();
    world.mine("LTC").await;
    pay_out::run(&world.app).await.unwrap();
    let read = world.get(&format!("{PATH}/{refund}"), &world.token).await.json;
    assert_eq!(read["status"], "CONFIRMED", "{read}");
    let others = world.refunds("limit=1&descending=false").await;
    let answer = world.decided(others[0]["refundId"].as_str().unwrap(), "approve", None).await;
    assert_eq!(answer.json["code"], "refund_state", "it was sent without one");
}

#[tokio::test]
async fn refunds_are_found() {
    let world = fair().await;
    let (eth, automatic) = waiting_for_an_address(&world).await;
    world.advance(100).await;
    world.deposit("float", "1000.00").await;
    let btc = world.deposit("order-2", "100.00").await;
    let path = format!("/api/v1/payments/{btc}/refunds");
    let mut merchants = Vec::new();
    for number in 0..2 {
        let body = json!({"clientRefundId": format!("r {number}"), "amount": "0.0005"});
        let made = world.post(&path, &world.token, &body).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
        merchants.push(made.json["refundId"].as_str().unwrap().to_owned());
    }
    let [first, second] = [&*merchants[0], &*merchants[1]];
    let cancelled = world.decided(first, "cancel", None).await;
    assert_eq!(cancelled.status, StatusCode::OK, "{}", cancelled.json);
    let check = async |query: &str, expected: &[&str]| {
        let ids: Vec<Value> = world.refunds(query).await.iter().map(|one| one["refundId"].clone()).collect();
        assert_eq!(ids, expected, "{query}");
    };
    check("", &[second, first, &automatic]).await;
    check("descending=false", &[&automatic, first, second]).await;
    check("limit=1", &[second]).await;
    check(&format!("after={first}"), &[&automatic]).await;
    check(&format!("before={first}"), &[second]).await;
    check(&format!("paymentId={eth}"), &[&automatic]).await;
    check(&format!("paymentId={btc}"), &[second, first]).await;
    check("clientRefundId=r%200", &[first]).await;
    check("status=CANCELLED", &[first]).await;
    check("status=PENDING", &[second, &automatic]).await;
    check("waitingFor=ADDRESS", &[second, &automatic]).await;
    check("waitingFor=APPROVAL", &[]).await;
    check("currency=ETH", &[&automatic]).await;
    check("network=BTC", &[second, first]).await;
    check("from=1800000100", &[second, first]).await;
    check("to=1800000100", &[&automatic]).await;
    for query in
        ["after=01890000-0000-7000-8000-000000000001", "status=SENT", "paymentId=7", "limit=0", "from=2&to=1"]
    {
        assert_eq!(world.get(&format!("{PATH}?{query}"), &world.token).await.status, 422, "{query}");
    }
    let other = Settings { name: Some("Other".to_owned()), ..Settings::default() };
    let (_, token) = create_business(&world.app, other).await;
    assert_eq!(world.get(PATH, &token).await.json, json!([]));
    for id in [first, &automatic] {
        assert_eq!(world.get(&format!("{PATH}/{id}"), &token).await.status, 404);
    }
}

#[tokio::test]
async fn refunds_as_csv() {
    let world = fair().await;
    let (id, refund) = waiting_for_an_address(&world).await;
    let request = axum::http::Request::get(PATH)
        .header("authorization", format!("Bearer {}", world.token))
        .header("accept", "text/csv")
        .body(axum::body::Body::empty());
    let answer = world.send(request.unwrap()).await;
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    let text = String::from_utf8(answer.bytes).unwrap();
    let mut lines = text.lines();
    assert!(lines.next().unwrap().starts_with("refundId,clientRefundId,paymentId,"), "{text}");
    assert!(
        lines.next().unwrap().starts_with(&format!("{refund},,{id},order-1,{refund},OVERPAYMENT,PENDING,")),
        "{text}"
    );
    assert_eq!(lines.next(), None);
}
