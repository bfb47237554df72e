//! A repeated request has the same answer; a different request with the same id is refused.

use crate::fixture::Look as _;
use checkout_domain::business::settings::Settings;
use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::json;

use super::{World, payment_body};

#[tokio::test]
async fn a_replay_returns_the_stored_answer_and_a_working_link() {
    let world = World::new().await;
    let first = world.create(json!({})).await;
    let again = world.create(json!({})).await;
    assert_eq!((first.status, again.status), (StatusCode::CREATED, StatusCode::OK));
    assert_eq!(first.json, again.json);
    let path = format!("/api/v1/payments/{}", again.payment_id());
    assert_eq!(world.get(&path, &again.session_token()).await.status, StatusCode::OK);

    // Requests are compared by meaning, not by text.
    let spelled_out = json!({"type": "ONE_TIME", "displayAmount": 100, "expirationMinutes": 30});
    let same = world.create(spelled_out).await;
    assert_eq!((same.status, same.payment_id()), (StatusCode::OK, first.payment_id()));
}

/// The merchant sets the display currency afterwards, and repeats the first request.
#[tokio::test]
async fn a_replay_returns_the_first_display_currency() {
    let world = World::new().await;
    let fields = json!({"displayCurrency": null});
    let first = world.create(fields.clone()).await;
    let path = format!("/api/v1/payments/{}", first.payment_id());
    let body = json!({"depositCurrency": "BTC", "displayCurrency": "USD"});
    let patched = world.patch(&path, &world.token, &body).await;
    assert_eq!(patched.json["paymentInfo"]["displayCurrency"], "USD", "{}", patched.json);
    assert_eq!(world.create(fields).await.json, first.json);
}

/// A deposit that left its chain can return: its value is in the display currency of its time.
#[tokio::test]
async fn the_display_currency_is_fixed_after_a_transfer() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({"displayCurrency": null}), "BTC", "BTC").await;
    let transaction = world.pay(&id, "0.001").await;
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    let path = format!("/api/v1/payments/{id}");
    let body = json!({"depositCurrency": "BTC", "displayCurrency": "USD"});
    let refused = world.patch(&path, &world.token, &body).await;
    assert_eq!((refused.status.as_u16(), &refused.json["code"]), (409, &json!("deposit_seen")));
    let chosen = world.patch(&path, &world.token, &json!({"depositCurrency": "LTC"})).await;
    assert_eq!(chosen.status, StatusCode::OK, "{}", chosen.json);
    assert_eq!(chosen.json["paymentInfo"]["displayCurrency"], "EUR");
}

#[tokio::test]
async fn another_body_under_the_same_id_is_a_conflict() {
    let world = World::new().await;
    let first = world.create(json!({})).await;
    let mut watch = world.watch().await;
    for fields in [
        json!({"displayAmount": "100.01"}),
        json!({"displayCurrency": "USD"}),
        json!({"locale": "de-DE"}),
        json!({"type": "REUSABLE"}),
        json!({"rateType": "FLOATING"}),
        json!({"expirationMinutes": 31}),
        json!({"redirectUrl": "https://shop.example/"}),
        json!({"depositCurrency": "BTC"}),
    ] {
        let answer = world.create(fields.clone()).await;
        assert_eq!(answer.status, StatusCode::CONFLICT, "{fields}");
        assert_eq!(answer.json["code"], "client_payment_id_taken");
    }
    let now = watch.now().await;
    watch.assert_same(now, "conflicts");
    assert_eq!(world.payment(&first.payment_id()).await, first.json["paymentInfo"]);
}

#[tokio::test]
async fn ids_are_unique_per_merchant() {
    let world = World::new().await;
    let first = world.create(json!({})).await;
    let other = Settings { name: Some("Other".to_owned()), ..Default::default() };
    let (_, token) = crate::fixture::create_business(&world.app, other).await;
    let second = world.post("/api/v1/payments", &token, &payment_body(json!({}))).await;
    assert_eq!(second.status, StatusCode::CREATED);
    assert_ne!(first.payment_id(), second.payment_id());
}

/// A repeated request has its first answer, even after the business settings changed.
#[tokio::test]
async fn a_replay_does_not_depend_on_current_settings() {
    let world = World::new().await;
    let first = world.create(json!({"depositCurrency": "ETH"})).await;
    let mut business = world.business.clone();
    business.deposit_currencies = vec![checkout_core::Currency::Btc];
    let mut tx = world.app.store.begin().await.unwrap();
    tx.put_business(&business).await.unwrap();
    tx.commit().await.unwrap();
    let again = world.create(json!({"depositCurrency": "ETH"})).await;
    assert_eq!((again.status, again.payment_id()), (StatusCode::OK, first.payment_id()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_equal_requests_at_once_make_one_payment() {
    let world = Arc::new(World::new().await);
    let tasks = (0..50).map(|_| {
        let world = Arc::clone(&world);
        tokio::spawn(async move { world.create(json!({})).await })
    });
    let mut created = 0;
    let mut bodies = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        let answer = task.await.unwrap();
        match answer.status {
            StatusCode::CREATED => created += 1,
            status => assert_eq!(status, StatusCode::OK, "{}", answer.json),
        }
        bodies.push(answer.json);
    }
    assert_eq!(created, 1);
    assert!(bodies.iter().all(|body| *body == bodies[0]));
    let count = world.database.count("SELECT COUNT(*) FROM payments").await;
    assert_eq!(count, 1);
}

#[tokio::test]
async fn the_same_choice_again_changes_nothing() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({}), "USDT", "TRX").await;
    let path = format!("/api/v1/payments/{id}");
    let before = world.get(&path, &session).await.json;
    world.advance(60).await;
    let mut watch = world.watch().await;
    for _ in 0..3 {
        let again = world.patch(&path, &session, &json!({"depositCurrency": "USDT", "network": "TRX"})).await;
        assert_eq!(again.json["paymentInfo"], before);
    }
    let now = watch.now().await;
    watch.assert_same(now, "the same choice");
}

#[tokio::test]
async fn repeated_changes_use_one_address_per_network() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({}), "BTC", "BTC").await;
    let path = format!("/api/v1/payments/{id}");
    let choose = async |currency: &str, network: &str| {
        let answer =
            world.patch(&path, &session, &json!({"depositCurrency": currency, "network": network})).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
        answer.json["paymentInfo"]["walletAddress"].as_str().unwrap().to_owned()
    };
    let btc = world.payment(&id).await["walletAddress"].as_str().unwrap().to_owned();
    let eth = choose("ETH", "ETH").await;
    assert_eq!(choose("USDT", "ETH").await, eth, "one account receives every token of its network");
    assert_ne!(choose("USDT", "BSC").await, eth);
    assert_eq!(choose("BTC", "BTC").await, btc);
    let count = world.database.count("SELECT COUNT(*) FROM addresses").await;
    assert_eq!(count, 3);
}
