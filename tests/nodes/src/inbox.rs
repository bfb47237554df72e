//! A merchant's endpoint for webhooks.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use parking_lot::Mutex;
use serde_json::Value;

use crate::serve_beside;

#[derive(Clone, Debug)]
pub struct Received {
    pub headers: HeaderMap,
    pub body: String,
}

impl Received {
    pub fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// An answer to one request, which is stored before.
#[derive(Clone, Copy)]
pub enum Answer {
    Status(u16),
    /// With `Retry-After` in seconds.
    Busy(u16, &'static str),
    Redirect,
    /// 200 after this time.
    Late(Duration),
    /// The request is not stored.
    Unread(u16),
}

/// Stores the requests.
#[derive(Clone)]
pub struct Inbox {
    pub url: String,
    received: Arc<Mutex<Vec<Received>>>,
    answers: Arc<Mutex<VecDeque<Answer>>>,
    usual: fn(&Received) -> Answer,
}

impl Inbox {
    /// Answers 200.
    pub fn open() -> Self {
        Self::answering(|_| Answer::Status(200))
    }

    pub fn answering(usual: fn(&Received) -> Answer) -> Self {
        let inbox = Self { url: String::new(), received: Arc::default(), answers: Arc::default(), usual };
        let router = Router::new().route("/hooks", post(take)).with_state(inbox.clone());
        Self { url: serve_beside(router) + "/hooks", ..inbox }
    }

    /// Sets the answers to the next requests.
    pub fn answer(&self, answers: impl IntoIterator<Item = Answer>) {
        self.answers.lock().extend(answers);
    }

    pub fn received(&self) -> Vec<Received> {
        self.received.lock().clone()
    }

    /// Number of all requests, including repeated ones.
    pub fn count(&self) -> usize {
        self.received.lock().len()
    }

    /// The bodies of all requests.
    pub fn bodies(&self) -> Vec<Value> {
        self.received().iter().map(Received::json).collect()
    }

    /// The bodies by `webhook-id`.
    pub fn by_id(&self) -> BTreeMap<String, Vec<String>> {
        let mut ids: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for one in self.received() {
            ids.entry(one.header("webhook-id").to_owned()).or_default().push(one.body);
        }
        ids
    }
}

async fn take(State(inbox): State<Inbox>, headers: HeaderMap, body: String) -> Response {
    let received = Received { headers, body };
    let next = inbox.answers.lock().pop_front();
    let answer = next.unwrap_or_else(|| (inbox.usual)(&received));
    let own = format!("http://{}/hooks", received.headers[header::HOST].to_str().unwrap());
    if !matches!(answer, Answer::Unread(_)) {
        inbox.received.lock().push(received);
    }
    let status = |code| StatusCode::from_u16(code).unwrap();
    match answer {
        Answer::Status(code) | Answer::Unread(code) => status(code).into_response(),
        Answer::Busy(code, seconds) => (status(code), [(header::RETRY_AFTER, seconds)]).into_response(),
        Answer::Redirect => (StatusCode::FOUND, [(header::LOCATION, own)]).into_response(),
        Answer::Late(time) => {
            tokio::time::sleep(time).await;
            StatusCode::OK.into_response()
        }
    }
}
