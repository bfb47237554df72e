//! A shop that adds up callbacks instead of asking the gateway, with faults.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest as _, Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse as _;
use axum::routing::{get, post};
use axum::{Json, Router};
use checkout_core::{Decimal, decimal};
use checkout_domain::callback::signature;
use checkout_domain::ports::Clock as _;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_test_nodes::serve_beside;
use parking_lot::Mutex;
use serde_json::{Value, json};

pub(crate) const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Neither signatures nor times nor sizes are checked.
    NoSignature,
    NoTime,
    NoDedupe,
    /// The last callback decides whether an order is paid.
    LastWins,
    /// The header is compared with one signature.
    OneSignature,
    /// Callbacks about unknown orders are refused.
    KnownOrders,
    /// Bodies with unknown fields are refused.
    KnownFields,
    /// Events of unknown types are refused.
    KnownEvents,
    /// A request waits for the end of the one before.
    OneAtATime,
}

#[derive(Default)]
struct Books {
    seen: BTreeSet<String>,
    received: BTreeMap<String, Decimal>,
    paid: BTreeSet<String>,
}

#[derive(Clone)]
struct Shop {
    faults: Arc<[Fault]>,
    books: Arc<Mutex<Books>>,
    turn: Arc<tokio::sync::Mutex<()>>,
}

pub(crate) struct Receiver {
    url: String,
}

impl Receiver {
    pub(crate) fn start(faults: &[Fault]) -> Self {
        let shop = Shop { faults: faults.into(), books: Arc::default(), turn: Arc::default() };
        let limit = if shop.has(Fault::NoSignature) {
            DefaultBodyLimit::disable()
        } else {
            DefaultBodyLimit::max(1 << 20)
        };
        let router = Router::new()
            .route("/webhooks", post(receive).layer(limit))
            .route("/orders/{id}", get(order))
            .with_state(shop);
        Self { url: serve_beside(router) }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }
}

async fn order(State(shop): State<Shop>, Path(id): Path<String>) -> Json<Value> {
    Json(json!({"paid": shop.books.lock().paid.contains(&id)}))
}

async fn receive(State(shop): State<Shop>, headers: HeaderMap, request: Request) -> StatusCode {
    let _turn = if shop.has(Fault::OneAtATime) { Some(shop.turn.lock().await) } else { None };
    let body = match Bytes::from_request(request, &()).await {
        Ok(body) => body,
        Err(refused) => return refused.into_response().status(),
    };
    let text = String::from_utf8(body.to_vec()).unwrap();
    let header = |name: &str| headers.get(name).map_or("", |value| value.to_str().unwrap());
    let id = header("webhook-id").to_owned();
    if !shop.is_signed(&id, header("webhook-timestamp"), header("webhook-signature"), &text) {
        return StatusCode::UNAUTHORIZED;
    }
    let webhook: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    if shop.has(Fault::KnownEvents) && webhook.get("type").is_some() {
        return StatusCode::BAD_REQUEST;
    }
    let Some(order) = webhook["clientPaymentId"].as_str() else { return StatusCode::NO_CONTENT };
    if shop.has(Fault::KnownFields) && webhook.get("rehearsal").is_some() {
        return StatusCode::BAD_REQUEST;
    }
    if shop.has(Fault::KnownOrders) && !order.starts_with("rehearsal-") {
        return StatusCode::NOT_FOUND;
    }
    shop.book(id, order, &webhook);
    StatusCode::NO_CONTENT
}

impl Shop {
    fn has(&self, fault: Fault) -> bool {
        self.faults.contains(&fault)
    }

    fn is_signed(&self, id: &str, timestamp: &str, header: &str, body: &str) -> bool {
        if self.has(Fault::NoSignature) {
            return true;
        }
        let Ok(timestamp) = timestamp.parse::<u64>() else { return false };
        let is_recent = timestamp.abs_diff(SystemClock.now()) <= 300 || self.has(Fault::NoTime);
        let is_signed = if self.has(Fault::OneSignature) {
            header == signature::header([SECRET], id, timestamp, body)
        } else {
            signature::verify(SECRET, id, timestamp, body, header)
        };
        is_recent && is_signed
    }

    fn book(&self, id: String, order: &str, webhook: &Value) {
        let mut books = self.books.lock();
        if !books.seen.insert(id) && !self.has(Fault::NoDedupe) {
            return;
        }
        let amount = |name: &str| decimal::parse(&webhook[name].to_string(), 2).unwrap();
        let (actual, expected) = (amount("actualDisplayAmount"), amount("expectedDisplayAmount"));
        let before = books.received.get(order).copied().unwrap_or_default();
        let received = if self.has(Fault::LastWins) { actual } else { before + actual };
        books.received.insert(order.to_owned(), received);
        if received >= expected {
            books.paid.insert(order.to_owned());
        } else {
            books.paid.remove(order);
        }
    }
}
