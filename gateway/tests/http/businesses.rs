//! Businesses over HTTP, with an organisation key.

use axum::http::{Method, StatusCode};
use checkout_domain::callback::signature;
use serde_json::{Value, json};

use super::callbacks::deliver;
use super::inbox::Inbox;
use super::{Answer, World, payment_body};

const ALL: &str = "/api/v1/businesses";

async fn world() -> (World, String) {
    let world = World::new().await;
    let key = world.organisation_key().await;
    (world, key)
}

async fn made(world: &World, key: &str, body: Value) -> Value {
    let answer = world.post(ALL, key, &body).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.json);
    answer.json
}

fn path(made: &Value) -> String {
    format!("{ALL}/{}", made["business"]["id"].as_str().unwrap())
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap()
}

#[track_caller]
fn assert_errors(answer: &Answer, expected: &[(&str, &str)]) {
    let expected: Vec<_> =
        expected.iter().map(|(name, code)| (format!("/{name}"), (*code).to_owned())).collect();
    assert_eq!((answer.status.as_u16(), answer.errors()), (422, expected), "{}", answer.json);
}

#[tokio::test]
async fn a_new_business_takes_payments_with_the_token_that_is_shown_once() {
    let (world, key) = world().await;
    let made = made(&world, &key, json!({"name": "Outlet", "theme": "DARK"})).await;
    assert!(text(&made, "token").starts_with("biz_") && text(&made, "callbackSecret").starts_with("whsec_"));
    let business = &made["business"];
    assert_eq!((&business["name"], &business["theme"]), (&json!("Outlet"), &json!("DARK")));
    assert_eq!((&business["disabled"], &business["allowedOrigins"]), (&json!(false), &json!([])));
    let paid = world.post("/api/v1/payments", text(&made, "token"), &payment_body(json!({}))).await;
    assert_eq!(paid.status, StatusCode::CREATED, "{}", paid.json);

    let shown = world.get(&path(&made), &key).await.json;
    assert_eq!(shown, *business, "without its credentials");
    let own = world.get(&path(&made), text(&made, "token")).await.json;
    assert_eq!(own.get("allowedOrigins"), None, "the merchant's token sees what the interface has");
    let listed = world.get(ALL, &key).await.json;
    assert_eq!(listed[0], *business, "newest first");
    assert_eq!(listed[1]["id"], world.business.id.to_string());
    let older = world.get(&format!("{ALL}?after={}", text(business, "id")), &key).await.json;
    assert_eq!(older.as_array().unwrap().len(), 1);
    let strange = format!("{ALL}?after=00000000-0000-0000-0000-000000000000&limit=0");
    assert_errors(
        &world.get(&strange, &key).await,
        &[("after", "unknown_cursor"), ("limit", "out_of_range")],
    );
}

/// Each setting is stored, answered, and stays until it is changed.
#[tokio::test]
async fn every_setting_is_changed_and_removed() {
    let (world, key) = world().await;
    let made = made(&world, &key, json!({"name": "Outlet", "allowedOrigins": ["https://a.example"]})).await;
    let path = path(&made);
    let second = world.organisation_key().await;
    let change = async |body: Value| {
        let answer = world.patch(&path, &key, &body).await;
        assert_eq!(answer.status, StatusCode::OK, "{body}: {}", answer.json);
        assert_eq!(world.get(&path, &key).await.json, answer.json, "{body}");
        answer.json
    };
    for (name, value) in [
        ("name", json!("Kettle Outlet")),
        ("allowedOrigins", json!(["https://b.example", "http://localhost:3000"])),
        ("depositReceivedCallbackUrl", json!("http://127.0.0.1:1/deposits")),
        ("withdrawalCallbackUrl", json!("https://shop.example/withdrawals")),
        ("eventUrl", json!("https://shop.example/events")),
        ("events", json!(["payment.status", "deposit.*"])),
        ("settlementCryptoCurrency", json!("OWN")),
        ("settlementCryptoCurrency", json!("LTC")),
        ("settlementCryptoRatio", json!("0.25")),
        ("overpaymentPolicy", json!("EXCESS_REFUND")),
        ("refundFollowUpDepositsForOneTimePayments", json!(true)),
        ("underpaymentTolerance", json!("0.01")),
        ("instantDepositLimit", json!("250.5")),
        ("supportedDepositCurrencies", json!(["BTC", "XRP"])),
        ("depositPairs", json!(["BTC", "USDC/ETH"])),
        ("supportedDisplayCurrencies", json!(["EUR"])),
        ("theme", json!("AUTO")),
        ("brandColor", json!("#1f4fd8")),
        ("supportUrl", json!("mailto:help@kettle.example?subject={reference}")),
        ("dailyWithdrawalLimit", json!("1000")),
        ("withdrawalApprovalAbove", json!("99.5")),
        ("claimLimit", json!("20")),
        ("maximumNetworkFee", json!("10")),
        ("whitelistOnly", json!(true)),
        ("greenfield", json!(true)),
        ("greenfield", json!(false)),
        ("disabled", json!(true)),
    ] {
        assert_eq!(change(json!({name: value})).await[name], value, "{name}");
    }
    let all = change(json!({})).await;
    assert_eq!(all["supportedDepositCurrencies"], json!(["BTC", "USDC"]), "those of the pairs");
    assert_eq!((&all["brandColor"], &all["instantDepositLimit"]), (&json!("#1f4fd8"), &json!("250.5")));
    for name in [
        "depositReceivedCallbackUrl",
        "withdrawalCallbackUrl",
        "eventUrl",
        "instantDepositLimit",
        "brandColor",
        "supportUrl",
        "dailyWithdrawalLimit",
        "withdrawalApprovalAbove",
        "claimLimit",
        "maximumNetworkFee",
    ] {
        change(json!({name: ""})).await;
        // A limit is removed by two.
        let answer = world.patch(&path, &second, &json!({name: ""})).await;
        assert_eq!(answer.json.get(name), None, "an empty text removes {name}");
    }
    assert_eq!(change(json!({"settlementCryptoCurrency": ""})).await["settlementCryptoCurrency"], "OWN");
    let origins =
        change(json!({"addedOrigins": ["https://c.example"], "removedOrigins": ["https://b.example"]})).await;
    assert_eq!(origins["allowedOrigins"], json!(["http://localhost:3000", "https://c.example"]));
}

/// The rules of the command line, all errors at once, and nothing is changed.
#[tokio::test]
async fn wrong_settings_are_refused_and_change_nothing() {
    let (world, key) = world().await;
    let path = format!("{ALL}/{}", world.business.id);
    let before = world.get(&path, &key).await.json;
    let check = async |body: Value, expected: &[(&str, &str)]| {
        assert_errors(&world.patch(&path, &key, &body).await, expected);
        let named = super::over(json!({"name": "Outlet"}), body);
        assert_errors(&world.post(ALL, &key, &named).await, expected);
    };
    check(json!({"allowedOrigins": ["https://*.shop.example"]}), &[("allowedOrigins", "wildcard")]).await;
    check(json!({"allowedOrigins": ["*"]}), &[("allowedOrigins", "bad_url")]).await;
    check(json!({"allowedOrigins": ["https://a.example/x"]}), &[("allowedOrigins", "not_an_origin")]).await;
    check(json!({"supportUrl": "help"}), &[("supportUrl", "bad_url")]).await;
    check(json!({"depositReceivedCallbackUrl": "nowhere"}), &[("depositReceivedCallbackUrl", "bad_url")])
        .await;
    check(json!({"theme": "PINK"}), &[("theme", "unknown_value")]).await;
    check(json!({"brandColor": "blue"}), &[("brandColor", "bad_color")]).await;
    check(json!({"logo": "AAAA"}), &[("logo", "bad_image")]).await;
    check(json!({"settlementCryptoRatio": "1.1"}), &[("settlementCryptoRatio", "out_of_range")]).await;
    check(json!({"instantDepositLimit": "1.001"}), &[("instantDepositLimit", "too_many_decimals")]).await;
    check(json!({"supportedDepositCurrencies": []}), &[("supportedDepositCurrencies", "empty")]).await;
    check(
        json!({"supportedDepositCurrencies": ["BTC", "XXX"]}),
        &[("supportedDepositCurrencies", "unknown_currency")],
    )
    .await;
    check(json!({"depositPairs": ["BTC/ETH"]}), &[("depositPairs", "unsupported_pair")]).await;
    check(
        json!({"depositPairs": ["BTC"], "supportedDepositCurrencies": ["BTC"]}),
        &[("depositPairs", "conflicting_fields")],
    )
    .await;
    assert_errors(
        &world.patch(&path, &key, &json!({"addedOrigins": ["*"]})).await,
        &[("addedOrigins", "bad_url")],
    );
    let two = json!({"name": "\u{200b}", "whitelistOnly": "yes"});
    assert_errors(
        &world.patch(&path, &key, &two).await,
        &[("name", "empty"), ("whitelistOnly", "wrong_type")],
    );
    assert_errors(&world.post(ALL, &key, &json!({})).await, &[("name", "required")]);
    assert_eq!(world.get(&path, &key).await.json, before);
    assert_eq!(world.get(ALL, &key).await.json.as_array().unwrap().len(), 1);
    let nobody = format!("{ALL}/00000000-0000-0000-0000-000000000000");
    assert_eq!(world.patch(&nobody, &key, &json!({"name": "x"})).await.status, StatusCode::NOT_FOUND);
}

/// Money that is on its way still counts; new orders do not start.
#[tokio::test]
async fn a_disabled_business_starts_nothing_and_finishes_what_it_has() {
    let inbox = Inbox::open();
    let world = super::callbacks::world(&inbox).await;
    let key = world.organisation_key().await;
    let path = format!("{ALL}/{}", world.business.id);
    let (open, session) = world.quoted(json!({"clientPaymentId": "open"}), "BTC", "BTC").await;
    assert_eq!(world.patch(&path, &key, &json!({"disabled": true})).await.json["disabled"], true);

    for token in [&world.token, &key] {
        let body =
            payment_body(json!({"clientPaymentId": "new", "businessId": world.business.id.to_string()}));
        let refused = world.post("/api/v1/payments", token, &body).await;
        assert_eq!((refused.status.as_u16(), &refused.json["code"]), (403, &json!("business_disabled")));
    }
    let refused = world.withdraw(json!({"clientWithdrawalId": "w-1"})).await;
    assert_eq!((refused.status.as_u16(), &refused.json["code"]), (403, &json!("business_disabled")));
    assert_eq!(world.get(&format!("/api/v1/payments/{open}"), &session).await.status, StatusCode::OK);
    world.pay(&open, "0.00166667").await;
    world.mine("BTC").await;
    deliver(&world).await;
    assert_eq!((world.payment(&open).await["status"].clone(), inbox.count()), (json!("DEPOSITED"), 1));

    assert_eq!(world.patch(&path, &key, &json!({"disabled": false})).await.json["disabled"], false);
    assert_eq!(world.create(json!({"clientPaymentId": "new"})).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_rotated_token_replaces_the_old_one_after_the_overlap() {
    let (world, key) = world().await;
    let made = made(&world, &key, json!({"name": "Outlet"})).await;
    let rotate = format!("{}/rotate-token", path(&made));
    let old = text(&made, "token").to_owned();
    let status = async |token: &str| world.get(&path(&made), token).await.status.as_u16();
    let new = world.post(&rotate, &key, &json!({"overlapHours": 1})).await.json;
    let new = text(&new, "token").to_owned();
    assert_eq!((status(&old).await, status(&new).await), (200, 200));
    world.advance(3_600).await;
    assert_eq!((status(&old).await, status(&new).await), (401, 200));
    let reader = world.post(&rotate, &key, &json!({"scopes": ["read"]})).await.json;
    assert_eq!((status(text(&reader, "token")).await, status(&new).await), (200, 200), "others stay");
    let last = world.post(&rotate, &key, &json!({})).await.json;
    assert_eq!(
        (status(&new).await, status(text(&last, "token")).await),
        (401, 200),
        "without overlap at once"
    );
    assert_errors(
        &world.post(&rotate, &key, &json!({"scopes": ["all"]})).await,
        &[("scopes", "unknown_value")],
    );
    let long = json!({"overlapHours": 8_761});
    assert_errors(&world.post(&rotate, &key, &long).await, &[("overlapHours", "out_of_range")]);
}

/// The receiver's view of a rotation: the old secret verifies until the overlap ends. A test is signed in the same way.
#[tokio::test]
async fn a_test_reaches_the_endpoint_signed_with_the_secrets_of_a_rotation() {
    let inbox = Inbox::open();
    let (world, key) = world().await;
    let new = json!({"name": "Outlet", "depositReceivedCallbackUrl": inbox.url});
    let made = made(&world, &key, new).await;
    let test = format!("{}/test-callback", path(&made));
    let rotated =
        world.post(&format!("{}/rotate-secret", path(&made)), &key, &json!({"overlapHours": 1})).await;
    let secrets = [text(&made, "callbackSecret"), text(&rotated.json, "callbackSecret")].map(str::to_owned);
    let verified = async || {
        let answer = world.post(&test, &key, &json!({"event": "depositReceived"})).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.json["httpStatus"]),
            (200, &json!(200)),
            "{}",
            answer.json
        );
        let received = inbox.received().pop().unwrap();
        assert_eq!(received.body, text(&answer.json, "body"));
        assert_eq!(received.header("webhook-id"), text(&answer.json, "id"));
        let body = received.json();
        assert_eq!(body["clientPaymentId"], "test");
        assert_eq!(
            world.get(&format!("/api/v1/payments/{}", text(&body, "paymentId")), &key).await.status,
            404
        );
        let time = received.header("webhook-timestamp").parse().unwrap();
        let header = received.header("webhook-signature").to_owned();
        secrets
            .clone()
            .map(|secret| signature::verify(&secret, text(&answer.json, "id"), time, &received.body, &header))
    };
    assert_eq!(verified().await, [true, true]);
    world.advance(3_601).await;
    assert_eq!(verified().await, [false, true]);
    assert_eq!(world.app.store.callbacks(None, None, 1).await.unwrap().len(), 0, "tests are not stored");
}

#[tokio::test]
async fn a_test_says_why_an_endpoint_does_not_answer() {
    let (world, key) = world().await;
    let gone = json!({"name": "Outlet", "depositReceivedCallbackUrl": "http://127.0.0.1:1/"});
    let made = made(&world, &key, gone).await;
    let test = format!("{}/test-callback", path(&made));
    let answer = world.post(&test, &key, &json!({"event": "depositReceived"})).await.json;
    assert_eq!(answer.get("httpStatus"), None);
    assert!(text(&answer, "error").contains("connection"), "{answer}");
    for (event, code) in [("withdrawalEnded", "no_endpoint"), ("paid", "unknown_value")] {
        assert_errors(&world.post(&test, &key, &json!({"event": event})).await, &[("event", code)]);
    }
}

/// A merchant, or whoever has the merchant's token, changes neither its own business nor another.
#[tokio::test]
async fn a_business_token_manages_nothing() {
    let (world, key) = world().await;
    let own = format!("{ALL}/{}", world.business.id);
    let before = world.get(ALL, &key).await.json;
    for (method, path, body) in [
        (Method::GET, ALL.to_owned(), None),
        (Method::POST, ALL.to_owned(), Some(json!({"name": "Outlet"}))),
        (Method::PATCH, own.clone(), Some(json!({"depositReceivedCallbackUrl": "https://thief.example/"}))),
        (Method::POST, format!("{own}/rotate-token"), Some(json!({}))),
        (Method::POST, format!("{own}/rotate-secret"), Some(json!({}))),
        (Method::POST, format!("{own}/test-callback"), Some(json!({"event": "depositReceived"}))),
    ] {
        let answer = world.call(method, &path, Some(&world.token), body.as_ref()).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(world.get(ALL, &key).await.json, before);
}
