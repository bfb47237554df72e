//! The built-in receiver of callbacks.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use checkout_simulator::storage::deliveries::DELETES;
use checkout_storage::query;
use serde_json::{Value, json};

use super::drawer::started;

#[tokio::test]
async fn the_inbox_stores_verifies_and_answers_as_configured() {
    let world = started().await;
    let told =
        world.act("/sandbox/inbox/answers", json!({"status": 500, "times": 1, "delaySeconds": 1})).await;
    assert_eq!(told.json, json!({"status": 500, "times": 1, "delaySeconds": 1}));
    assert_eq!(world.look("/sandbox/overview").await["inbox"], told.json);
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.001").await;
    world.deliver().await;
    let callbacks = async || world.get("/api/v1/callbacks", &world.token).await.json;
    let attempt = callbacks().await[0]["attempts"][0].clone();
    assert_eq!(attempt["httpStatus"], 500);
    assert!(attempt["durationMillis"].as_u64().unwrap() >= 1_000, "it was slow: {attempt}");
    world.advance(10).await;
    world.deliver().await;
    let inbox = world.look("/sandbox/inbox").await;
    let answers: Vec<_> = inbox.as_array().unwrap().iter().map(|delivery| &delivery["answered"]).collect();
    assert_eq!(answers, [204, 500], "then the default");
    let callback = &callbacks().await[0];
    for delivery in inbox.as_array().unwrap() {
        assert_eq!((&delivery["verdict"], &delivery["webhookId"]), (&json!("VERIFIED"), &callback["id"]));
        assert_eq!((&delivery["body"], &delivery["event"]), (&callback["body"], &json!("Deposit received")));
        let headers: Vec<_> =
            delivery["headers"].as_array().unwrap().iter().map(|pair| pair[0].as_str().unwrap()).collect();
        for name in ["webhook-id", "webhook-timestamp", "webhook-signature", "content-type"] {
            assert!(headers.contains(&name), "{name}: {headers:?}");
        }
    }
    let older =
        world.look(&format!("/sandbox/inbox?limit=1&before={}", inbox[0]["id"].as_str().unwrap())).await;
    assert_eq!(older[0]["id"], inbox[1]["id"]);
}

/// Typed events are in the inbox.
#[tokio::test]
async fn the_inbox_shows_typed_events() {
    let world = started().await;
    let key = world.organisation_key().await;
    let path = format!("/api/v1/businesses/{}", world.business.id);
    let change = json!({"eventUrl": world.business.deposit_callback, "events": ["payment.*", "deposit.*"]});
    let changed = world.patch(&path, &key, &change).await;
    assert_eq!(changed.status, StatusCode::OK, "{}", changed.json);
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.001").await;
    world.deliver().await;
    let inbox = world.look("/sandbox/inbox").await;
    let mut titles = Vec::new();
    for delivery in inbox.as_array().unwrap() {
        assert_eq!(delivery["verdict"], "VERIFIED");
        titles.push(delivery["event"].as_str().unwrap());
    }
    titles.sort_unstable();
    assert_eq!(titles, ["Deposit received", "Deposit seen", "Payment status", "Payment status"]);
}

/// The developer scripted one answer and sees it, also when a delivery could not be stored in between.
#[tokio::test]
async fn an_answer_is_not_used_up_by_a_delivery_that_cannot_be_stored() {
    let world = started().await;
    world.act("/sandbox/inbox/answers", json!({"status": 202, "times": 1})).await;
    let change = async |statement: &'static str| {
        let mut change = world.database.change().await.unwrap();
        query(statement).execute(&mut change).await.unwrap();
        change.commit().await.unwrap();
    };
    let post = async || {
        let request = Request::post("/sandbox/inbox").body(Body::from("{}")).unwrap();
        world.send(request).await.status
    };
    change("ALTER TABLE console_deliveries RENAME TO gone").await;
    assert_eq!(post().await, StatusCode::SERVICE_UNAVAILABLE);
    change("ALTER TABLE gone RENAME TO console_deliveries").await;
    assert_eq!(post().await, StatusCode::ACCEPTED);
    assert_eq!(post().await, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn an_unsigned_delivery_is_stored_and_marked() {
    let world = started().await;
    let post = async |headers: &[(&str, &str)], body: &'static [u8]| {
        let mut request = Request::post("/sandbox/inbox");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        world.send(request.body(Body::from(body)).unwrap()).await.status
    };
    let forged = [("webhook-id", "x"), ("webhook-timestamp", "1800000000"), ("webhook-signature", "v1,AAAA")];
    let no_time = [("webhook-id", "x"), ("webhook-timestamp", "soon"), ("webhook-signature", "v1,AAAA")];
    assert_eq!(post(&[], b"plain words").await, StatusCode::NO_CONTENT);
    world.advance(1).await;
    assert_eq!(post(&forged, b"{}").await, StatusCode::NO_CONTENT);
    world.advance(1).await;
    assert_eq!(post(&no_time, b"{}").await, StatusCode::NO_CONTENT);
    assert_eq!(post(&[], b"\xff").await, StatusCode::BAD_REQUEST);
    let long = vec![b'x'; 65 * 1024].leak();
    assert_eq!(post(&[], long).await, StatusCode::PAYLOAD_TOO_LARGE);
    let inbox = world.look("/sandbox/inbox").await;
    let verdicts: Vec<_> = inbox.as_array().unwrap().iter().map(|delivery| &delivery["verdict"]).collect();
    assert_eq!(verdicts, ["MISSING", "WRONG", "MISSING"]);
    assert_eq!((&inbox[2]["body"], &inbox[2]["event"]), (&json!("plain words"), &Value::Null));
}

#[tokio::test]
async fn the_inbox_is_bounded() {
    let world = started().await;
    let most = checkout_simulator::records::MOST_DELIVERIES;
    for _ in 0..most + 2 * DELETES {
        world.call(Method::POST, "/sandbox/inbox", None, Some(&json!({}))).await;
    }
    let kept = world.simulated.storage.deliveries(None, 2 * most).await.unwrap();
    let kept = u32::try_from(kept.len()).unwrap();
    assert!((most..most + DELETES).contains(&kept), "{kept}");
}

#[tokio::test]
async fn the_inbox_survives_a_restart() {
    let world = started().await;
    world.act("/sandbox/inbox/answers", json!({"status": 202, "times": 2})).await;
    world.call(Method::POST, "/sandbox/inbox", None, Some(&json!({"a": 1}))).await;
    let seen = (world.look("/sandbox/inbox").await, world.look("/sandbox/overview").await);
    assert_eq!(seen.1["inbox"], json!({"status": 202, "times": 1, "delaySeconds": 0}));
    let world = world.restart().await;
    let again = (world.look("/sandbox/inbox").await, world.look("/sandbox/overview").await);
    assert_eq!(seen, again);
}
