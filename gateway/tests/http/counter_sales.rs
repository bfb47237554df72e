//! Sales at a counter: what its secret can do, and nothing else can.

use std::sync::Arc;

use axum::http::{Method, StatusCode};
use checkout_core::{Currency, Decimal};
use checkout_domain::access::rate_limits::RateLimits;
use checkout_domain::business::Business;
use checkout_domain::business::settings::Settings;
use serde_json::{Value, json};
use uuid::Uuid;

use super::golden::check_fields;
use super::merchant_refund_stage::{self, BTC};
use super::rate_limits::{LIMITS, limited_by, quota};
use super::wrong_input::{Faults, check_all};
use super::{Answer, START, World, over};

const PATH: &str = "/api/v1/counter/sales";
const NUMBER: &str = "5e0c3bd8-7c1f-4c43-9a53-111111111111";

fn body(fields: Value) -> Value {
    over(json!({"saleNumber": NUMBER, "displayAmount": "12.50", "locale": "de-DE"}), fields)
}

impl World {
    pub(super) async fn sell(&self, secret: &str, fields: Value) -> Answer {
        self.post(PATH, secret, &body(fields)).await
    }

    /// The buyer chooses and sends this part of the price.
    async fn sends(&self, id: &str, percent: i64) {
        let path = format!("/api/v1/payments/{id}");
        self.patch(&path, &self.token, &json!({"depositCurrency": "BTC"})).await;
        let payment = self.payment(id).await;
        let whole: Decimal = payment["expectedDepositAmount"].as_str().unwrap().parse().unwrap();
        let part = (whole * Decimal::new(percent, 2)).round_dp(8);
        self.pay(id, &part.to_string()).await;
    }
}

fn path(sale: &Value) -> String {
    format!("{PATH}/{}", sale["paymentId"].as_str().unwrap())
}

#[tokio::test]
async fn a_sale_is_a_payment_of_its_counter() {
    let world = World::new().await;
    let (counter, secret) = world.counter(json!({})).await;
    let own = world.get("/api/v1/counter", &secret).await.json;
    check_fields(&own, "OwnCounter", &[]);
    let expected = json!({
        "counterId": counter["counterId"], "businessName": "Kettle & Co", "title": "Market stall", "displayCurrency": "EUR",
        "decimals": 2, "maxAmount": "500.00",
    });
    assert_eq!(own, expected);
    let made = world.sell(&secret, json!({"description": "Two teas"})).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
    check_fields(&made.json, "CounterSale", &["expiresAt", "paymentUrl", "qrCode"]);
    let id = made.json["paymentId"].as_str().unwrap().to_owned();
    for (name, value) in [
        ("status", json!("NEW")),
        ("displayAmount", json!("12.50")),
        ("receivedAmount", json!("0.00")),
        ("covered", json!(false)),
        ("expiresAt", json!(START + 30 * 60)),
    ] {
        assert_eq!(made.json[name], value, "{name}");
    }
    let url = made.json["paymentUrl"].as_str().unwrap();
    assert!(url.starts_with(&format!("http://pay.test/checkout/{id}?sessionToken=")), "{url}");
    let payment = world.payment(&id).await;
    for (name, value) in [
        ("type", json!("ONE_TIME")),
        ("rateType", json!("FIXED")),
        ("locale", json!("de-DE")),
        ("expectedDisplayAmount", json!("12.50")),
        ("description", json!("Two teas")),
        ("metadata", json!({"counter": counter["counterId"]})),
    ] {
        assert_eq!(payment[name], value, "{name}");
    }
    let untold = world.sell(&secret, json!({"saleNumber": Uuid::new_v4().to_string()})).await.json;
    let untold = world.payment(untold["paymentId"].as_str().unwrap()).await;
    assert_eq!(untold["description"], "Market stall");
}

#[tokio::test]
async fn it_follows_what_arrives() {
    let world = World::new().await;
    let (_, secret) = world.counter(json!({})).await;
    let sale = world.sell(&secret, json!({})).await.json;
    let id = sale["paymentId"].as_str().unwrap();
    let seen = async || {
        let seen = world.get(&path(&sale), &secret).await.json;
        let received: Decimal = seen["receivedAmount"].as_str().unwrap().parse().unwrap();
        let received = received.round().to_string();
        (seen["status"].as_str().unwrap().to_owned(), received, seen["covered"] == true)
    };
    assert_eq!(seen().await, ("NEW".to_owned(), "0".to_owned(), false));
    world.sends(id, 40).await;
    let (_, received, covered) = seen().await;
    assert_eq!((&*received, covered), ("5", false), "a part that is not confirmed");
    world.mine("BTC").await;
    world.sends(id, 60).await;
    let (status, received, covered) = seen().await;
    assert!(covered && received != "5", "{received}");
    assert!(world.get(&path(&sale), &secret).await.json.get("paymentUrl").is_none(), "it is all there");
    assert_ne!(status, "DEPOSITED", "it is not paid before it is confirmed");
    world.mine("BTC").await;
    assert_eq!(seen().await.0, "DEPOSITED");
}

/// What the shop gave back, and a coin that it does not take, pay nothing: the buyer's page asks for all of it.
#[tokio::test]
async fn what_does_not_count_has_not_arrived() {
    let world = merchant_refund_stage::world().await;
    let (_, secret) = world.counter(json!({})).await;
    let sale = world.sell(&secret, json!({"displayAmount": "100"})).await.json;
    let id = sale["paymentId"].as_str().unwrap();
    let received = async || world.get(&path(&sale), &secret).await.json["receivedAmount"].clone();
    world.sends(id, 40).await;
    world.mine("BTC").await;
    assert_eq!(received().await, "40.00");
    world.advance(7200).await;
    world.refunded(id, json!({"address": BTC})).await;
    assert_eq!(received().await, "0.00", "it was given back");

    let takes = Settings { deposit_currencies: Some(vec![Currency::Usdc]), ..Settings::default() };
    let world = World::with(takes).await;
    let (_, secret) = world.counter(json!({})).await;
    let sale = world.sell(&secret, json!({})).await.json;
    let id = sale["paymentId"].as_str().unwrap();
    let choice = json!({"depositCurrency": "USDC", "network": "ETH"});
    world.patch(&format!("/api/v1/payments/{id}"), &world.token, &choice).await;
    let address = world.payment(id).await["walletAddress"].clone();
    let foreign = json!({"network": "ETH", "currency": "USDT", "address": address, "amount": "200"});
    world.sandbox("transfers", foreign).await;
    world.mine("ETH").await;
    assert_eq!(world.payment(id).await["deposits"][0]["hold"], "CURRENCY");
    let seen = world.get(&path(&sale), &secret).await.json;
    assert_eq!((&seen["receivedAmount"], &seen["covered"]), (&json!("0.00"), &json!(false)));
    assert_eq!((&sale["held"], &seen["held"]), (&json!(false), &json!(true)), "the buyer sent something");
}

#[tokio::test]
async fn amounts() {
    let world = World::new().await;
    let (_, secret) = world.counter(json!({})).await;
    let cases: Vec<(Value, Faults)> = vec![
        (json!({}), &[("/saleNumber", "required"), ("/displayAmount", "required"), ("/locale", "required")]),
        (body(json!({"displayAmount": "0"})), &[("/displayAmount", "zero")]),
        (body(json!({"displayAmount": "0.00"})), &[("/displayAmount", "zero")]),
        (body(json!({"displayAmount": "-5"})), &[("/displayAmount", "sign")]),
        (body(json!({"displayAmount": "500.01"})), &[("/displayAmount", "out_of_range")]),
        (body(json!({"displayAmount": "1.001"})), &[("/displayAmount", "too_many_decimals")]),
        (body(json!({"saleNumber": "1"})), &[("/saleNumber", "bad_uuid")]),
        (body(json!({"locale": "xx"})), &[("/locale", "unknown_locale")]),
        (body(json!({"description": "\u{200b}"})), &[("/description", "empty")]),
    ];
    check_all(&world, Method::POST, PATH, Some(&secret), cases).await;
    for amount in ["0.01", "500.00"] {
        let fields = json!({"displayAmount": amount, "saleNumber": Uuid::new_v4().to_string()});
        assert_eq!(world.sell(&secret, fields).await.json["displayAmount"], amount);
    }
    let (_, yen) = world.counter(json!({"displayCurrency": "JPY", "maxAmount": 1000})).await;
    assert_eq!(world.get("/api/v1/counter", &yen).await.json["decimals"], 0);
    let answer = world.sell(&yen, json!({"displayAmount": "1.5"})).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(world.sell(&yen, json!({"displayAmount": "1000"})).await.json["displayAmount"], "1000");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twenty_presses_of_one_form_make_one_payment() {
    let world = Arc::new(World::new().await);
    let (_, secret) = world.counter(json!({})).await;
    let presses: Vec<_> = (0..20)
        .map(|_| {
            let (world, secret) = (Arc::clone(&world), secret.clone());
            tokio::spawn(async move { world.sell(&secret, json!({})).await })
        })
        .collect();
    let (mut made, mut ids) = (0, Vec::new());
    for press in presses {
        let answer = press.await.unwrap();
        made += u32::from(answer.status == StatusCode::CREATED);
        ids.push(answer.json["paymentId"].as_str().unwrap().to_owned());
    }
    ids.dedup();
    assert_eq!((made, ids.len(), world.payments().await), (1, 1, 1));
    let other = world.sell(&secret, json!({"displayAmount": "12.51"})).await;
    assert_eq!((other.status.as_u16(), &other.json["code"]), (409, &json!("sale_number_taken")));
    // A reload finds it, also when it is over.
    world.advance(30 * 60 + 1).await;
    let again = world.sell(&secret, json!({})).await;
    assert_eq!((again.status.as_u16(), &again.json["status"]), (200, &json!("EXPIRED")));
    assert_eq!(world.payments().await, 1);
}

#[tokio::test]
async fn cancelled() {
    let world = World::new().await;
    let (_, secret) = world.counter(json!({})).await;
    let cancel = async |sale: &Value| {
        world.call(Method::POST, &format!("{}/cancel", path(sale)), Some(&secret), None).await
    };
    let first = world.sell(&secret, json!({})).await.json;
    let over = cancel(&first).await.json;
    assert_eq!((&over["status"], &over["cancelledAt"]), (&json!("EXPIRED"), &json!(START)));
    assert_eq!((over.get("paymentUrl"), over.get("qrCode")), (None, None), "nothing is to be paid");
    assert_eq!(cancel(&first).await.status, StatusCode::OK, "it is over already");
    let second = world.sell(&secret, json!({"saleNumber": Uuid::new_v4().to_string()})).await.json;
    world.sends(second["paymentId"].as_str().unwrap(), 40).await;
    let refused = cancel(&second).await;
    assert_eq!((refused.status.as_u16(), &refused.json["code"]), (409, &json!("deposit_seen")));
}

#[tokio::test]
async fn only_its_own_secret_opens_a_counter() {
    let world = World::new().await;
    let organisation = world.organisation_key().await;
    let (counter, secret) = world.counter(json!({})).await;
    let (_, other) = world.counter(json!({})).await;
    let sale = world.sell(&secret, json!({})).await.json;
    let created = world.create(json!({})).await;
    let (bought, session) = (created.payment_id(), created.session_token());
    let mut watch = world.watch().await;
    // Sales of the other counter and payments of the shop are not there.
    let of_shop = format!("{PATH}/{bought}");
    for (path, secret) in [(&path(&sale), &other), (&of_shop, &secret), (&format!("{PATH}/1"), &secret)] {
        assert_eq!(world.get(path, secret).await.status, StatusCode::NOT_FOUND, "{path}");
        let cancel = world.call(Method::POST, &format!("{path}/cancel"), Some(secret), None).await;
        assert_eq!(cancel.status, StatusCode::NOT_FOUND, "{path}");
    }
    // No other token, and no other secret.
    let guessed = format!("ctr_{}", "A".repeat(43));
    let hash = "ctr_".to_owned() + &hex::encode([7; 32]);
    for (token, status) in [
        (&world.token, 404),
        (&organisation, 404),
        (&session, 404),
        (&guessed, 401),
        (&hash, 401),
        (&secret[..46].to_owned(), 401),
    ] {
        for (method, path, body) in [
            (Method::GET, "/api/v1/counter", None),
            (Method::POST, PATH, Some(body(json!({"saleNumber": Uuid::new_v4().to_string()})))),
            (Method::GET, &*path(&sale), None),
            (Method::POST, &*format!("{}/cancel", path(&sale)), None),
        ] {
            let answer = world.call(method, path, Some(token), body.as_ref()).await;
            assert_eq!(answer.status.as_u16(), status, "{path} {token}");
        }
    }
    // The secret opens nothing else.
    for path in
        ["/api/v1/payments", "/api/v1/counters", "/api/v1/balances", &*format!("/api/v1/payments/{bought}")]
    {
        assert_eq!(world.get(path, &secret).await.status, StatusCode::UNAUTHORIZED, "{path}");
    }
    let now = watch.now().await;
    watch.assert_same(now, "requests of others");
    world.withdraw_counter(&counter, &world.token).await;
    assert_eq!(world.sell(&secret, json!({})).await.status, StatusCode::UNAUTHORIZED, "a replay, too");
    // What was begun can be paid.
    let id = sale["paymentId"].as_str().unwrap();
    world.sends(id, 100).await;
    world.mine("BTC").await;
    assert_eq!(world.payment(id).await["status"], "DEPOSITED");
}

#[tokio::test]
async fn a_disabled_business_sells_nothing() {
    let world = World::new().await;
    let (_, secret) = world.counter(json!({})).await;
    let mut tx = world.app.store.begin().await.unwrap();
    tx.put_business(&Business { disabled: true, ..world.business.clone() }).await.unwrap();
    tx.commit().await.unwrap();
    let answer = world.sell(&secret, json!({})).await;
    assert_eq!((answer.status.as_u16(), &answer.json["code"]), (403, &json!("business_disabled")));
    assert_eq!(world.payments().await, 0);
}

/// Guesses are few, and do not shut the shop's own phone out; a link that leaked makes few payments.
#[tokio::test]
async fn rate_limits() {
    let limits = RateLimits { session: quota(9), session_changes: quota(4), ..LIMITS };
    let (world, ..) = limited_by(limits).await;
    let (_, secret) = world.counter(json!({})).await;
    let mut guesses = Vec::new();
    for number in 0..5 {
        guesses.push(world.get("/api/v1/counter", &format!("ctr_{number}")).await.status.as_u16());
    }
    assert_eq!(guesses, [401, 401, 429, 429, 429]);
    assert_eq!(world.get("/api/v1/counter", &secret).await.status, StatusCode::OK, "a right one is known");
    let mut sales = Vec::new();
    for _ in 0..6 {
        let fields = json!({"saleNumber": Uuid::new_v4().to_string()});
        sales.push(world.sell(&secret, fields).await.status.as_u16());
    }
    assert_eq!(sales, [201, 201, 201, 201, 429, 429]);
}
