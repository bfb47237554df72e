//! JSON-RPC over HTTP, with single calls and batches.

pub mod error;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use checkout_chain_http::gate::Budget;
use checkout_chain_http::node::NodeAnswer;
use checkout_chain_http::{Code, NodeClient, NodeError};
use reqwest::StatusCode;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// Time limit of one HTTP request. Tracing a full block takes seconds on a small node.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Calls per HTTP request; public providers limit them.
const BATCH: usize = 20;

#[derive(Debug)]
pub struct Rpc {
    client: NodeClient,
    next_id: AtomicU64,
}

#[derive(Serialize)]
struct Request<'a> {
    jsonrpc: &'static str,
    id: u64,
    method: &'a str,
    params: &'a Value,
}

#[derive(Deserialize)]
struct Answer {
    id: Option<u64>,
    /// `null` is a valid result.
    result: Option<Box<RawValue>>,
    error: Option<Fault>,
}

#[derive(Deserialize)]
struct Fault {
    code: i64,
    message: String,
}

/// A method and its parameters.
pub type Call = (&'static str, Value);

impl Rpc {
    /// Errors are messages for users. They omit the URL, which may contain a provider's key.
    pub fn new(url: &str) -> Result<Self, String> {
        Ok(Self { client: NodeClient::new(url, TIMEOUT)?, next_id: AtomicU64::new(1) })
    }

    /// No more calls than this, each call of a batch counted.
    #[must_use]
    pub fn with_budget(self, budget: Option<Budget>) -> Self {
        Self { client: self.client.with_budget(budget), ..self }
    }

    /// The longest answer that is read, in bytes.
    #[must_use]
    pub fn with_max_answer(self, max_answer: usize) -> Self {
        Self { client: self.client.with_max_answer(max_answer), ..self }
    }

    pub async fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: Value,
    ) -> Result<T, NodeError> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let request = Request { jsonrpc: "2.0", id, method, params: &params };
        let body = serde_json::to_vec(&request).expect("a request is JSON");
        let answer = self.post(method, 1, body).await?;
        let text: Answer =
            serde_json::from_slice(&answer.text).map_err(|error| NodeError::malformed(method, error))?;
        // Providers also report their limit in the answer.
        self.client.noted(&answer, read(method, text))
    }

    /// Returns the results in the order of the calls. One failed call fails the batch.
    pub async fn batch<T: DeserializeOwned>(&self, calls: &[Call]) -> Result<Vec<T>, NodeError> {
        let mut results = Vec::with_capacity(calls.len());
        for calls in calls.chunks(BATCH) {
            results.extend(self.one_batch(calls).await?);
        }
        Ok(results)
    }

    async fn one_batch<T: DeserializeOwned>(&self, calls: &[Call]) -> Result<Vec<T>, NodeError> {
        let count = u64::try_from(calls.len()).unwrap_or(0);
        let first = self.next_id.fetch_add(count, Ordering::Relaxed);
        let requests: Vec<Request<'_>> = (first..)
            .zip(calls)
            .map(|(id, (method, params))| Request { jsonrpc: "2.0", id, method, params })
            .collect();
        let method = calls.first().map_or("", |(method, _)| method);
        let body = serde_json::to_vec(&requests).expect("requests are JSON");
        let answer = self.post(method, calls.len(), body).await?;
        self.client.noted(&answer, read_batch(calls, first, &answer.text))
    }

    async fn post(&self, method: &str, calls: usize, body: Vec<u8>) -> Result<NodeAnswer, NodeError> {
        let answer = self.client.send(method, calls, self.client.post_json("", body)?).await?;
        match answer.status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                Err(NodeError::Unreachable("the server refuses the credentials in its URL".to_owned()))
            }
            // Some nodes return JSON-RPC errors with status 4xx or 5xx.
            status if status.is_success() || answer.text.starts_with(b"{\"jsonrpc\"") => Ok(answer),
            status => Err(NodeError::status(method, status.as_u16())),
        }
    }
}

fn read_batch<T: DeserializeOwned>(calls: &[Call], first: u64, text: &[u8]) -> Result<Vec<T>, NodeError> {
    let method = calls.first().map_or("", |(method, _)| method);
    let malformed = |error| NodeError::malformed(method, error);
    if text.starts_with(b"{") {
        // A node that refuses the whole batch returns a single error.
        let answer = serde_json::from_slice(text).map_err(malformed)?;
        return read::<Value>(method, answer).and(Err(error::unreadable(method)));
    }
    let mut answers: Vec<Answer> = serde_json::from_slice(text).map_err(malformed)?;
    answers.sort_by_key(|answer| answer.id);
    let is_complete =
        answers.len() == calls.len() && (first..).zip(&answers).all(|(id, answer)| answer.id == Some(id));
    if !is_complete {
        // An error without an id belongs to the batch.
        let fault = answers.into_iter().find(|answer| answer.id.is_none() && answer.error.is_some());
        return Err(match fault.map(|answer| read::<Value>(method, answer)) {
            Some(Err(error)) => error,
            _ => error::unreadable(method),
        });
    }
    answers.into_iter().zip(calls).map(|(answer, (method, _))| read(method, answer)).collect()
}

fn read<T: DeserializeOwned>(method: &'static str, answer: Answer) -> Result<T, NodeError> {
    if let Some(Fault { code, message }) = answer.error {
        return Err(NodeError::refused(method, Code::Number(code), message));
    }
    let text = answer.result.as_ref().map_or("null", |raw| raw.get());
    serde_json::from_str(text).map_err(|error| NodeError::malformed(method, error))
}
