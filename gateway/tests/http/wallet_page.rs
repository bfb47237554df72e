//! `/checkout/{paymentId}/wallet`: for whoever has the link of the payment. What it says is tested with the page (`widget`).

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use serde_json::json;

use super::{World, payment_body};

async fn ask(world: &World, path: &str) -> super::Answer {
    world.send(Request::get(path).body(Body::empty()).unwrap()).await
}

/// What a wallet has signed.
async fn send(world: &World, path: &str, body: &'static str) -> super::Answer {
    world.send(Request::builder().method(Method::POST).uri(path).body(Body::from(body)).unwrap()).await
}

#[tokio::test]
async fn only_the_link_of_the_payment_opens_it() {
    let world = World::new().await;
    let link = |name: &str| payment_body(json!({"clientPaymentId": name}));
    let [one, other] = [link("a"), link("b")];
    let one = world.post("/api/v1/payments", &world.token, &one).await.json;
    let other = world.post("/api/v1/payments", &world.token, &other).await.json;
    let query = |created: &serde_json::Value| {
        created["paymentUrl"].as_str().unwrap().split_once('?').unwrap().1.to_owned()
    };
    let path = format!("/checkout/{}/wallet", one["paymentInfo"]["paymentId"].as_str().unwrap());

    let answer = ask(&world, &format!("{path}?{}&account=0x00", query(&one))).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert!(answer.json["texts"].is_object(), "{}", answer.json);

    for refused in [
        path.clone(),
        format!("{path}?sessionToken="),
        format!("{path}?sessionToken=x.y"),
        format!("{path}?{}", query(&other)),
        format!("{path}?sessionToken={}", world.token),
        format!("/checkout/nonsense/wallet?{}", query(&one)),
        format!("/checkout/00000000-0000-0000-0000-000000000000/wallet?{}", query(&one)),
    ] {
        assert_eq!(ask(&world, &refused).await.status, StatusCode::NOT_FOUND, "{refused}");
        let sent = send(&world, &refused, "unsigned=00&signature=00").await;
        assert_eq!(sent.status, StatusCode::NOT_FOUND, "{refused}");
    }
}

/// Simulated chains take nothing from a wallet. The program with TRON is in `checkout/tests/process/ledgers/payer_wallet.rs`.
#[tokio::test]
async fn the_sandbox_sends_nothing_for_a_wallet() {
    let world = World::new().await;
    let order = payment_body(json!({"clientPaymentId": "a", "depositCurrency": "USDT", "network": "TRX"}));
    let created = world.post("/api/v1/payments", &world.token, &order).await.json;
    let query = created["paymentUrl"].as_str().unwrap().split_once('?').unwrap().1;
    let path = format!("/checkout/{}/wallet?{query}", created["paymentInfo"]["paymentId"].as_str().unwrap());
    for body in ["", "unsigned=00&signature=00", "unsigned=%&signature", "{}"] {
        let answer = send(&world, &path, body).await;
        assert_eq!((answer.status, &answer.json), (StatusCode::OK, &json!({"state": "NOT_SENT"})), "{body}");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
}
