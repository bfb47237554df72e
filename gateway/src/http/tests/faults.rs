//! Faults of the gateway itself.

use std::sync::Arc;

use axum::http::StatusCode;
use checkout_core::Decimal;
use serde_json::json;

use super::World;
use crate::domain::asset::Asset;
use crate::ports::{NoRate, Rates};

struct Broken;

impl Rates for Broken {
    fn rate(&self, _: Asset, _: Asset) -> Result<Decimal, NoRate> {
        panic!("a fault in the middle of a change");
    }
}

struct Stale;

impl Rates for Stale {
    fn rate(&self, _: Asset, _: Asset) -> Result<Decimal, NoRate> {
        Err(NoRate)
    }
}

/// The same world with other rates.
fn with_rates(world: &mut World, rates: Arc<dyn Rates>) {
    let app = crate::service::App { rates, sandbox: None, ..(*world.app).clone() };
    world.router = crate::http::router(Arc::new(app));
}

#[tokio::test]
async fn a_panic_ends_its_request_and_nothing_else() {
    let mut world = World::new().await;
    let created = world.create(json!({})).await;
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let sound = world.router.clone();
    with_rates(&mut world, Arc::new(Broken));
    for _ in 0..3 {
        let answer = world.patch(&path, &created.session_token(), &json!({"depositCurrency": "BTC"})).await;
        assert_eq!(
            (answer.status, &answer.json["code"]),
            (StatusCode::INTERNAL_SERVER_ERROR, &json!("internal"))
        );
        assert!(!answer.json.to_string().contains("middle of a change"), "no inside view: {}", answer.json);
    }
    world.router = sound;
    let answer = world.patch(&path, &created.session_token(), &json!({"depositCurrency": "BTC"})).await;
    assert_eq!(answer.json["paymentInfo"]["status"], "PENDING");
}

#[tokio::test]
async fn without_a_fresh_rate_nothing_is_quoted_but_what_comes_in_is_counted() {
    let mut world = World::new().await;
    let (quoted, _) = world.quoted(json!({"rateType": "FLOATING"}), "BTC", "BTC").await;
    world.pay(&quoted, "0.00166667").await;
    let created = world.create(json!({"clientPaymentId": "order-2"})).await;
    with_rates(&mut world, Arc::new(Stale));
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let answer = world.patch(&path, &created.session_token(), &json!({"depositCurrency": "BTC"})).await;
    assert_eq!((answer.status, &answer.json["code"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("no_rate")));
    assert_eq!(world.payment(&created.payment_id()).await["status"], "NEW");
    let view =
        world.get(&format!("/api/v1/checkout/{}", created.payment_id()), &created.session_token()).await;
    assert!(view.json["options"][0].get("estimatedAmount").is_none());
    let rates = world.get("/api/v1/rates?from=BTC&to=EUR", &world.token).await;
    assert_eq!(rates.status, StatusCode::SERVICE_UNAVAILABLE);
    let crypto = json!({"clientPaymentId": "order-3", "displayAmount": null, "depositCurrency": "BTC", "depositAmount": "1"});
    let created = world.create(crypto).await;
    assert_eq!(created.status, StatusCode::CREATED, "a price in crypto needs no rate yet");
    assert!(created.json["paymentInfo"].get("expectedDisplayAmount").is_none());
}
