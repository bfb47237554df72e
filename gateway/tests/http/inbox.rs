//! A merchant's endpoint for callbacks.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use serde_json::Value;

use super::contract;

#[derive(Clone, Debug)]
pub(super) struct Received {
    pub(super) headers: HeaderMap,
    pub(super) body: String,
}

impl Received {
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// Answers 200 by default and stores the requests.
#[derive(Clone, Default)]
pub(super) struct Inbox {
    pub(super) url: String,
    received: Arc<Mutex<Vec<Received>>>,
    answers: Arc<Mutex<VecDeque<Answer>>>,
}

#[derive(Clone, Copy)]
pub(super) enum Answer {
    Status(u16),
    Busy(u16, &'static str),
    Redirect,
    /// Delays the answer.
    Late(Duration),
}

impl Inbox {
    pub(super) async fn open() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hooks", listener.local_addr().unwrap());
        let inbox = Self { url, ..Self::default() };
        let router = Router::new().route("/hooks", post(take)).with_state(inbox.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        inbox
    }

    /// Sets the answers to the next requests.
    pub(super) fn answer(&self, answers: impl IntoIterator<Item = Answer>) {
        self.answers.lock().unwrap().extend(answers);
    }

    pub(super) fn received(&self) -> Vec<Received> {
        let received = self.received.lock().unwrap().clone();
        for one in &received {
            contract::check_callback(&one.json());
        }
        received
    }
}

async fn take(State(inbox): State<Inbox>, headers: HeaderMap, body: String) -> Response {
    inbox.received.lock().unwrap().push(Received { headers, body });
    let answer = inbox.answers.lock().unwrap().pop_front();
    let status = |code| StatusCode::from_u16(code).unwrap();
    match answer.unwrap_or(Answer::Status(200)) {
        Answer::Status(code) => status(code).into_response(),
        Answer::Busy(code, seconds) => (status(code), [(header::RETRY_AFTER, seconds)]).into_response(),
        Answer::Redirect => (StatusCode::FOUND, [(header::LOCATION, inbox.url.clone())]).into_response(),
        Answer::Late(time) => {
            tokio::time::sleep(time).await;
            StatusCode::OK.into_response()
        }
    }
}
