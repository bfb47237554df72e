//! The built-in receiver of callbacks.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use checkout_storage::query;
use serde_json::{Value, json};

use super::console::started;

#[tokio::test]
async fn the_inbox_stores_verifies_and_answers_as_configured() {
    let world = started().await;
    let told =
        world.act("/sandbox/inbox/answers", json!({"status": 500, "times": 1, "delaySeconds": 1})).await;
    assert_eq!(told.json, json!({"status": 500, "times": 1, "delaySeconds": 1}));
    assert_eq!(world.look("/sandbox/overview").await["inbox"], told.json);
    let id = world.made("order-1", "BTC", "BTC").await;
    world.send_to(&world.look(&format!("/sandbox/payments/{id}")).await, &json!("0.001")).await;
    world.deliver().await;
    let attempt = world.look("/sandbox/callbacks").await[0]["attempts"][0].clone();
    assert_eq!(attempt["status"], 500);
    assert!(attempt["millis"].as_u64().unwrap() >= 1_000, "it was slow: {attempt}");
    world.advance(10).await;
    world.deliver().await;
    let inbox = world.look("/sandbox/inbox").await;
    let answers: Vec<_> = inbox.as_array().unwrap().iter().map(|delivery| &delivery["answered"]).collect();
    assert_eq!(answers, [204, 500], "then the default");
    let callback = &world.look("/sandbox/callbacks").await[0];
    for delivery in inbox.as_array().unwrap() {
        assert_eq!((&delivery["verdict"], &delivery["webhookId"]), (&json!("VERIFIED"), &callback["id"]));
        assert_eq!((&delivery["body"], &delivery["paymentId"]), (&callback["body"], &json!(id)));
        assert_eq!(
            (&delivery["event"], &delivery["state"], &delivery["attempts"]),
            (&json!("Deposit received"), &json!("DELIVERED"), &json!(2))
        );
        let headers: Vec<_> =
            delivery["headers"].as_array().unwrap().iter().map(|pair| pair[0].as_str().unwrap()).collect();
        for name in ["webhook-id", "webhook-timestamp", "webhook-signature", "content-type"] {
            assert!(headers.contains(&name), "{name}: {headers:?}");
        }
    }
    let older =
        world.look(&format!("/sandbox/inbox?limit=1&before={}", inbox[0]["id"].as_str().unwrap())).await;
    assert_eq!(older[0]["id"], inbox[1]["id"]);

    let resent = world
        .act(&format!("/sandbox/callbacks/{}/resend", callback["id"].as_str().unwrap()), json!({}))
        .await;
    assert_eq!(resent.json, json!({"id": callback["id"]}));
    world.deliver().await;
    assert_eq!(world.look("/sandbox/inbox").await.as_array().unwrap().len(), 3);
    let forgotten = world.call(Method::DELETE, "/sandbox/inbox", None, None).await;
    assert_eq!(forgotten.status, StatusCode::NO_CONTENT);
    assert_eq!(world.look("/sandbox/inbox").await, json!([]));
}

/// Typed events are in the inbox, and with their payment.
#[tokio::test]
async fn the_inbox_shows_typed_events() {
    let world = started().await;
    let key = world.organisation_key().await;
    let own = world.look("/sandbox/overview").await["business"].clone();
    let path = format!("/api/v1/businesses/{}", own["id"].as_str().unwrap());
    let change = json!({"eventUrl": own["depositReceivedCallbackUrl"], "events": ["payment.*", "deposit.*"]});
    let changed = world.patch(&path, &key, &change).await;
    assert_eq!(changed.status, StatusCode::OK, "{}", changed.json);
    let id = world.made("order-1", "BTC", "BTC").await;
    world.send_to(&world.look(&format!("/sandbox/payments/{id}")).await, &json!("0.001")).await;
    world.deliver().await;
    let inbox = world.look("/sandbox/inbox").await;
    let mut titles = Vec::new();
    for delivery in inbox.as_array().unwrap() {
        assert_eq!((&delivery["verdict"], &delivery["paymentId"]), (&json!("VERIFIED"), &json!(id)));
        titles.push(delivery["event"].as_str().unwrap());
    }
    titles.sort_unstable();
    assert_eq!(titles, ["Deposit received", "Deposit seen", "Payment status", "Payment status"]);
    let callbacks = world.look(&format!("/sandbox/payments/{id}")).await["callbacks"].clone();
    assert_eq!(callbacks.as_array().unwrap().len(), 4, "{callbacks}");
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
    assert_eq!((&inbox[2]["body"], &inbox[2]["paymentId"]), (&json!("plain words"), &Value::Null));
}

#[tokio::test]
async fn the_inbox_is_bounded() {
    let world = started().await;
    let most = checkout_simulator::records::MOST_DELIVERIES;
    for _ in 0..most + 3 {
        world.call(Method::POST, "/sandbox/inbox", None, Some(&json!({}))).await;
    }
    let kept = world.simulated.storage.deliveries(None, 2 * most).await.unwrap();
    assert_eq!(kept.len(), usize::try_from(most).unwrap());
}

#[tokio::test]
async fn the_inbox_survives_a_restart() {
    let world = started().await;
    world.made("order-1", "BTC", "BTC").await;
    world.act("/sandbox/inbox/answers", json!({"status": 202, "times": 2})).await;
    world.call(Method::POST, "/sandbox/inbox", None, Some(&json!({"a": 1}))).await;
    let seen = (
        world.look("/sandbox/payments").await,
        world.look("/sandbox/inbox").await,
        world.look("/sandbox/overview").await,
    );
    assert_eq!(seen.2["inbox"], json!({"status": 202, "times": 1, "delaySeconds": 0}));
    let world = world.restart().await;
    let again = (
        world.look("/sandbox/payments").await,
        world.look("/sandbox/inbox").await,
        world.look("/sandbox/overview").await,
    );
    assert_eq!(seen, again);
}
