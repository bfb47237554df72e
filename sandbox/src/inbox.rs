//! The built-in callback receiver: stores deliveries, verifies signatures and returns the configured answer.

use checkout_domain::callback::signature;
use checkout_domain::ports::Stored;
use checkout_gateway::events;
use checkout_gateway::http::requests::id;
use checkout_simulator::World;
use checkout_simulator::records::{Delivery, MOST_DELIVERIES, MockResponse, SignatureCheck};
use serde::Serialize;
use uuid::Uuid;

const MOCK_RESPONSE: &str = "sandbox_inbox_manner";

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryView {
    pub id: String,
    pub received_at: u64,
    pub webhook_id: String,
    /// Pairs of name and value.
    pub headers: Vec<(String, String)>,
    pub body: String,
    pub verdict: &'static str,
    pub answered: u16,
    pub delay_seconds: u64,
    /// The callback's event in words.
    pub event: Option<&'static str>,
}

/// A request to the receiver, as received.
#[derive(Clone, Debug)]
pub struct Arrived {
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Arrived {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Stores a delivery. Returns the answer to send.
pub async fn receive(world: &World, arrived: Arrived) -> Stored<MockResponse> {
    let verdict = verdict(world, &arrived).await?;
    let (id, now) = (world.app.new_id(), world.app.clock.now());
    let mut answer = MockResponse::USUAL;
    let make = |answers: &str| {
        let (mock_response, rest) = read(answers).next();
        answer = mock_response;
        let delivery = Delivery {
            id,
            received_at: now,
            webhook_id: arrived.header("webhook-id").unwrap_or_default().to_owned(),
            // PostgreSQL does not store NUL.
            body: arrived.body.replace('\0', "\u{fffd}"),
            headers: arrived.headers,
            verdict,
            answered: mock_response.status,
            delay_seconds: mock_response.delay_seconds,
        };
        (delivery, text(rest))
    };
    let setting = (MOCK_RESPONSE, text(MockResponse::USUAL));
    world.sandbox.storage.put_delivery((setting.0, &setting.1), MOST_DELIVERIES, make).await?;
    Ok(answer)
}

async fn verdict(world: &World, arrived: &Arrived) -> Stored<SignatureCheck> {
    let headers = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(|name| arrived.header(name));
    let [Some(id), Some(timestamp), Some(signatures)] = headers else { return Ok(SignatureCheck::Missing) };
    let Ok(timestamp) = timestamp.parse() else { return Ok(SignatureCheck::Missing) };
    let Some(secret) = secret(world, id).await? else { return Ok(SignatureCheck::Wrong) };
    let is_right = signature::verify(&secret, id, timestamp, &arrived.body, signatures);
    Ok(if is_right { SignatureCheck::Verified } else { SignatureCheck::Wrong })
}

/// Returns the secret of the callback's business, or of the sandbox's business if the callback is unknown.
async fn secret(world: &World, webhook_id: &str) -> Stored<Option<String>> {
    let callback = match id::parse(webhook_id) {
        Some(id) => world.app.store.callback(id).await?,
        None => None,
    };
    let business = match callback {
        Some((callback, _)) => Some(callback.business),
        None => checkout_simulator::world::business_id(&world.app).await?,
    };
    let Some(business) = business else { return Ok(None) };
    Ok(world.app.store.business(business).await?.map(|business| business.callback_secret))
}

/// Returns the configured answer to the next deliveries.
pub async fn mock_response(world: &World) -> Stored<MockResponse> {
    Ok(world.app.store.setting(MOCK_RESPONSE).await?.map_or(MockResponse::USUAL, |text| read(&text)))
}

pub async fn set_mock_response(world: &World, mock_response: MockResponse) -> Stored<MockResponse> {
    let mock_response = if mock_response.times == 0 { MockResponse::USUAL } else { mock_response };
    let mut tx = world.app.store.begin().await?;
    tx.put_setting(MOCK_RESPONSE, &text(mock_response)).await?;
    tx.commit().await?;
    Ok(mock_response)
}

/// Lists deliveries, newest first.
pub async fn list(world: &World, before: Option<Uuid>, limit: u32) -> Stored<Vec<DeliveryView>> {
    let mut views = Vec::new();
    for delivery in world.sandbox.storage.deliveries(before, limit).await? {
        views.push(view(world, delivery).await?);
    }
    Ok(views)
}

async fn view(world: &World, delivery: Delivery) -> Stored<DeliveryView> {
    let callback = match id::parse(&delivery.webhook_id) {
        Some(id) => world.app.store.callback(id).await?,
        None => None,
    };
    Ok(DeliveryView {
        id: delivery.id.to_string(),
        received_at: delivery.received_at,
        webhook_id: delivery.webhook_id,
        headers: delivery.headers,
        body: delivery.body,
        verdict: delivery.verdict.as_str(),
        answered: delivery.answered,
        delay_seconds: delivery.delay_seconds,
        event: callback.map(|(callback, _)| events::title(&callback.kind)),
    })
}

fn text(mock_response: MockResponse) -> String {
    serde_json::to_string(&mock_response).expect("numbers are JSON")
}

/// Reads the setting. Unreadable text, for example of another version, gives the default.
fn read(text: &str) -> MockResponse {
    serde_json::from_str(text).unwrap_or(MockResponse::USUAL)
}
