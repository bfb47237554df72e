//! Sends a test of an event to the endpoint of a business, signed like every callback. It is not stored and not sent again.

use std::time::Instant;

use checkout_domain::business::Business;
use checkout_domain::callback::{Outcome, signature};
use checkout_domain::ports::Stored;
use checkout_domain::ports::callbacks::Post;
use checkout_wire::manage_businesses::TestedCallback;
use serde_json::Value;

use crate::events::ListedEvent;
use crate::service::App;

/// The merchant's ids in a test: no order has one.
const CLIENT_ID: &str = "test";

/// Sends it once.
pub async fn send(app: &App, business: &Business, listed: &ListedEvent, url: &str) -> Stored<TestedCallback> {
    let (id, sent_at) = (app.new_id().to_string(), app.clock.outside());
    let body = body(app, business, listed).to_string();
    let secrets = app.store.signing_secrets(business, app.clock.now()).await?;
    let headers = [
        ("webhook-signature", signature::header(secrets.iter().map(String::as_str), &id, sent_at, &body)),
        ("webhook-id", id.clone()),
        ("webhook-timestamp", sent_at.to_string()),
    ];
    let started = Instant::now();
    let posted = app.webhooks.post(Post { url, headers: &headers, body: &body }).await;
    let duration_millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let (http_status, error) = match posted.outcome {
        Outcome::Answered { status } => (Some(status), None),
        Outcome::Unanswered { reason } => (None, Some(reason)),
    };
    Ok(TestedCallback {
        id: id.into(),
        event: listed.about.name.into(),
        url: url.into(),
        body,
        sent_at: sent_at.into(),
        duration_millis,
        http_status,
        error,
    })
}

/// The example of the event with ids that nothing has, so that no shop takes it for one of its orders.
fn body(app: &App, business: &Business, listed: &ListedEvent) -> Value {
    let mut body = listed.example();
    give_ids(app, business, &mut body);
    body
}

fn give_ids(app: &App, business: &Business, body: &mut Value) {
    for (name, value) in body.as_object_mut().into_iter().flatten() {
        match name.as_str() {
            "businessId" => *value = business.id.to_string().into(),
            name if name.starts_with("client") && name.ends_with("Id") => *value = CLIENT_ID.into(),
            "id" | "paymentId" | "depositId" | "withdrawalId" | "withdrawId" | "refundId" => {
                *value = app.new_id().to_string().into();
            }
            "timestamp" => *value = app.clock.now().into(),
            "data" => give_ids(app, business, value),
            "deposits" | "refunds" => {
                for part in value.as_array_mut().into_iter().flatten() {
                    give_ids(app, business, part);
                }
            }
            _ => {}
        }
    }
}
