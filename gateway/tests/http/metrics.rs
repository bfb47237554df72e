//! The metrics.

use axum::http::StatusCode;
use serde_json::json;

use super::World;
use super::callbacks::{deliver, world as world_with_callbacks};
use super::inbox::{Answer, Inbox};

pub(super) async fn scrape(world: &World) -> String {
    let answer = world.call(axum::http::Method::GET, "/metrics", None, None).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.header("content-type").unwrap().starts_with("text/plain; version=0.0.4"));
    String::from_utf8(answer.bytes).unwrap()
}

#[track_caller]
pub(super) fn check(text: &str, line: &str) {
    assert!(text.lines().any(|have| have == line), "{line} in\n{text}");
}

#[tokio::test]
async fn requests_and_callbacks_are_counted() {
    let inbox = Inbox::open();
    inbox.answer([Answer::Status(500)]);
    let world = world_with_callbacks(&inbox).await;
    let (id, session) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.001").await;
    world.advance(7).await;
    check(&scrape(&world).await, "checkout_callbacks_late_seconds 7");
    deliver(&world).await;
    let text = scrape(&world).await;
    check(&text, "checkout_callbacks_pending 1");
    check(&text, "checkout_callbacks_late_seconds 0");
    check(&text, "checkout_callback_attempts_total{outcome=\"refused\"} 1");
    check(
        &text,
        "checkout_http_requests_total{method=\"PATCH\",route=\"/api/v1/payments/{paymentId}\",status=\"200\"} 1",
    );
    world.advance(10).await;
    deliver(&world).await;
    world.call(axum::http::Method::GET, "/no/such/path", None, None).await;
    let made_up = axum::http::Method::from_bytes(b"MADEUP").unwrap();
    world.call(made_up, "/no/such/path", None, None).await;
    let text = scrape(&world).await;
    check(&text, "checkout_http_requests_total{method=\"OTHER\",route=\"none\",status=\"404\"} 1");
    check(&text, "checkout_callbacks_pending 0");
    check(&text, "checkout_callback_attempts_total{outcome=\"delivered\"} 1");
    check(&text, "checkout_http_requests_total{method=\"GET\",route=\"none\",status=\"404\"} 1");
    for secret in [id.as_str(), &session, &world.token, "/no/such/path"] {
        assert!(!text.contains(secret), "{secret} in\n{text}");
    }
}
