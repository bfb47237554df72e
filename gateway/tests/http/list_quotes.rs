//! `GET /api/v1/payments/{paymentId}/quotes`: what a payer was shown.

use axum::http::StatusCode;
use checkout_core::decimal;
use checkout_domain::business::settings::Settings;
use serde_json::{Value, json};

use super::World;
use crate::fixture::create_business;

#[tokio::test]
async fn every_amount_that_a_payer_was_shown_is_listed() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({"clientPaymentId": "order-1"}), "ETH", "ETH").await;
    let payment = format!("/api/v1/payments/{id}");
    let path = format!("{payment}/quotes");
    let first = world.payment(&id).await;
    world.advance(60).await;
    let body = json!({"depositCurrency": "XRP", "network": "XRP"});
    world.patch(&payment, &session, &body).await;
    let second = world.payment(&id).await;
    let expected = |payment: &Value| {
        let mut quote = json!({
            "currency": payment["depositCurrency"], "network": payment["expectedNetwork"], "address": payment["walletAddress"],
            "amount": payment["expectedDepositAmount"], "displayCurrency": payment["displayCurrency"],
            "displayAmount": payment["expectedDisplayAmount"], "shownAt": payment["paymentRequestedAt"],
        });
        if let Some(tag) = payment.get("destinationTag") {
            quote["destinationTag"] = tag.clone();
        }
        quote
    };
    let mut answer = world.get(&path, &world.token).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
    let quotes = answer.json.as_array_mut().unwrap();
    for quote in quotes.iter_mut() {
        let rate = quote.as_object_mut().unwrap().remove("rate").unwrap();
        assert!(decimal::parse(rate.as_str().unwrap(), 12).is_ok(), "{rate}");
    }
    assert_eq!(answer.json, json!([expected(&second), expected(&first)]), "newest first");
    assert_eq!(world.get(&path, &session).await.status, StatusCode::NOT_FOUND, "not for the payer");

    let other = Settings { name: Some("Other".to_owned()), ..Settings::default() };
    let (_, foreign) = create_business(&world.app, other).await;
    assert_eq!(world.get(&path, &foreign).await.status, StatusCode::NOT_FOUND);
    let unasked = world.create(json!({"clientPaymentId": "order-2"})).await.payment_id();
    assert_eq!(world.get(&format!("/api/v1/payments/{unasked}/quotes"), &world.token).await.json, json!([]));
}
