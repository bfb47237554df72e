//! `GET /api/v1/deposits`: every deposit of a business, held ones too.

use axum::http::{Method, Request, StatusCode, header};
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::screening::Decision;
use checkout_gateway::service::transfers::screen_deposits::{self, decide};
use serde_json::{Value, json};
use uuid::Uuid;

use super::flagged::BITCOIN;
use super::{START, World};
use crate::fixture::create_business;

const PATH: &str = "/api/v1/deposits";
const DAY: u64 = 86_400;

impl World {
    async fn listed_deposits(&self, query: &str) -> Vec<Value> {
        let answer = self.get(&format!("{PATH}?{query}"), &self.token).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
        answer.json.as_array().unwrap().clone()
    }

    async fn ids(&self, query: &str) -> Vec<String> {
        self.listed_deposits(query)
            .await
            .iter()
            .map(|deposit| deposit["id"].as_str().unwrap().to_owned())
            .collect()
    }

    /// A payment and its deposit.
    async fn with_deposit(&self, order: &str, currency: &str, amount: &str) -> (String, String) {
        let (id, _) = self.quoted(json!({"clientPaymentId": order}), currency, currency).await;
        self.pay(&id, amount).await;
        let deposit = self.payment(&id).await["deposits"][0]["id"].as_str().unwrap().to_owned();
        (id, deposit)
    }
}

#[tokio::test]
async fn deposits_are_found_by_what_is_known_of_them() {
    let world = World::new().await;
    let (first, btc) = world.with_deposit("order-1", "BTC", "0.00166667").await;
    world.mine("BTC").await;
    world.advance(5).await;
    let (second, xrp) = world.with_deposit("order-2", "XRP", "1").await;
    world.mine("XRP").await;
    let again = world.pay(&second, "2").await;
    let newest = world.ids("limit=1").await.remove(0);
    let check = async |query: &str, expected: &[&str]| {
        assert_eq!(world.ids(query).await, expected, "{query}");
    };
    check("", &[&newest, &xrp, &btc]).await;
    check("descending=false", &[&btc, &xrp, &newest]).await;
    check(&format!("after={newest}&limit=1"), &[&xrp]).await;
    check(&format!("before={btc}&limit=1"), &[&xrp]).await;
    check(&format!("paymentId={second}"), &[&newest, &xrp]).await;
    check("status=CONFIRMED", &[&xrp, &btc]).await;
    check("status=UNCONFIRMED", &[&newest]).await;
    check("currency=BTC", &[&btc]).await;
    check("network=XRP", &[&newest, &xrp]).await;
    check("network=XRP&currency=BTC", &[]).await;
    check("held=true", &[]).await;
    check("held=false", &[&newest, &xrp, &btc]).await;
    check(&format!("transactionId={}", again.to_ascii_lowercase()), &[&newest]).await;
    check(&format!("transactionId={again}&network=BTC"), &[]).await;
    check(&format!("from={START}&to={}", START + 5), &[&btc]).await;

    let payment = world.payment(&first).await;
    let mut expected = payment["deposits"][0].clone();
    for (name, value) in [
        ("paymentId", json!(first)),
        ("clientPaymentId", json!("order-1")),
        ("network", json!("BTC")),
        ("refused", json!(false)),
    ] {
        expected[name] = value;
    }
    assert_eq!(world.listed_deposits("currency=BTC").await, [expected], "as in its payment");
}

/// The merchant sees what an operator holds, and why.
#[tokio::test]
async fn held_and_refused_deposits_are_listed() {
    let world = World::new().await;
    world.flag("BTC", BITCOIN, true).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay_from(&id, "0.00166667", BITCOIN).await;
    world.mine("BTC").await;
    let (_, passed) = world.with_deposit("order-2", "LTC", "1").await;
    let held = world.listed_deposits("held=true").await;
    let [deposit] = &*held else { panic!("{held:?}") };
    assert_eq!(
        (&deposit["heldFor"], &deposit["refused"], &deposit["status"]),
        (&json!("SENDER"), &json!(false), &json!("UNCONFIRMED"))
    );
    assert_eq!(world.ids("held=false").await, [passed]);
    let deposit: Uuid = deposit["id"].as_str().unwrap().parse().unwrap();
    for (decision, held, refused) in [(Decision::Refuse, true, true), (Decision::Release, false, false)] {
        decide(&world.database, deposit, decision).await.unwrap();
        screen_deposits::run(&world.app).await.unwrap();
        let found = world.listed_deposits("currency=BTC").await;
        assert_eq!(found[0]["refused"], refused, "{found:?}");
        assert_eq!(
            (found[0].get("heldFor").is_some(), world.ids("held=true").await.len() == 1),
            (held, held)
        );
    }
    assert_eq!(world.listed_deposits("currency=BTC").await[0]["status"], "CONFIRMED");
}

#[tokio::test]
async fn deposits_stay_listed_and_go_when_they_leave_their_chain() {
    let world = World::new().await;
    let (first, one) = world.with_deposit("order-1", "BTC", "0.00166667").await;
    world.mine("BTC").await;
    let before = world.listed_deposits("").await;
    world.advance(30 * DAY).await;
    let (second, two) = world.with_deposit("order-2", "BTC", "0.0001").await;
    assert_eq!(world.ids("").await, [two.clone(), one.clone()]);
    assert_eq!(world.listed_deposits(&format!("after={two}")).await, before, "the same as before");
    let transaction = before[0]["transactionId"].as_str().unwrap();
    assert_eq!(world.ids(&format!("transactionId={transaction}")).await, std::slice::from_ref(&one));
    assert_eq!(
        world.ids("status=CONFIRMED&held=false&currency=BTC&network=BTC").await,
        std::slice::from_ref(&one)
    );
    assert_eq!(world.ids("status=UNCONFIRMED").await, std::slice::from_ref(&two));
    assert_eq!(world.ids(&format!("paymentId={first}")).await, std::slice::from_ref(&one));
    let transaction = world.payment(&second).await["deposits"][0]["transactionId"].clone();
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    assert_eq!(world.ids("").await, [one]);
}

#[tokio::test]
async fn csv_has_all_deposits_with_their_refunds() {
    let world = super::refunds::world().await;
    let (id, _) = world.quoted(json!({"clientPaymentId": "too-much"}), "BTC", "BTC").await;
    world.pay(&id, "0.00266667").await;
    world.mine("BTC").await;
    let (reusable, _) =
        world.quoted(json!({"clientPaymentId": "often", "type": "REUSABLE"}), "LTC", "LTC").await;
    for _ in 0..120 {
        world.pay(&reusable, "1").await;
    }
    let request = Request::get(PATH)
        .header(header::AUTHORIZATION, format!("Bearer {}", world.token))
        .header(header::ACCEPT, "text/csv")
        .body(axum::body::Body::empty());
    let text = String::from_utf8(world.send(request.unwrap()).await.bytes).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 122);
    let last = lines[121];
    assert!(last.contains("too-much") && last.contains(",PENDING,0.00097,"), "{last}");
}

#[tokio::test]
async fn only_the_own_deposits_are_listed() {
    let world = World::new().await;
    let (_, deposit) = world.with_deposit("order-1", "BTC", "0.001").await;
    let other = Settings { name: Some("Other".to_owned()), ..Settings::default() };
    let (_, token) = create_business(&world.app, other).await;
    assert_eq!(world.get(PATH, &token).await.json, json!([]));
    let cursor = world.get(&format!("{PATH}?after={deposit}"), &token).await;
    assert_eq!(cursor.errors(), [("/after".to_owned(), "unknown_cursor".to_owned())]);
    let check = async |query: &str, pointer: &str, code: &str| {
        let answer = world.get(&format!("{PATH}?{query}"), &world.token).await;
        assert_eq!(answer.errors(), [(pointer.to_owned(), code.to_owned())], "{query}");
    };
    check("held=yes", "/held", "wrong_type").await;
    check("status=HELD", "/status", "unknown_value").await;
    check("paymentId=1", "/paymentId", "bad_uuid").await;
    assert_eq!(world.call(Method::GET, PATH, None, None).await.status, StatusCode::UNAUTHORIZED);
}
