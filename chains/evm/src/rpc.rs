//! A JSON-RPC client over HTTP, with single calls and batches. It does not retry: the watcher polls every
//! second.

pub mod error;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use checkout_chain_http::client::{BodyError, MAX_ANSWER, builder, read_body, reason, web_roots};
use checkout_chain_http::gate::{Budget, RequestGate, Sent, retry_after};
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{Client, StatusCode, Url};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

pub use error::RpcError;

/// Time limit of one HTTP request. Tracing a full block takes seconds on a small node.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Calls per HTTP request; public providers limit them.
const BATCH: usize = 20;

#[derive(Debug)]
pub struct Rpc {
    client: Client,
    url: Url,
    next_id: AtomicU64,
    max_answer: usize,
    gate: RequestGate,
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
        let url: Url = url.parse().map_err(|error| format!("the URL of the node cannot be read: {error}"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("the URL of the node must start with http:// or https://".to_owned());
        }
        let client = builder(web_roots(), TIMEOUT).pool_max_idle_per_host(4).build();
        let client = client.map_err(|error| format!("no HTTP client: {error}"))?;
        Ok(Self {
            client,
            url,
            next_id: AtomicU64::new(1),
            max_answer: MAX_ANSWER,
            gate: RequestGate::default(),
        })
    }

    /// No more calls than this, each call of a batch counted.
    #[must_use]
    pub fn with_budget(self, budget: Option<Budget>) -> Self {
        Self { gate: RequestGate::new(budget), ..self }
    }

    /// The longest answer that is read, in bytes.
    #[must_use]
    pub fn with_max_answer(self, max_answer: usize) -> Self {
        Self { max_answer, ..self }
    }

    pub async fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: Value,
    ) -> Result<T, RpcError> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let request = Request { jsonrpc: "2.0", id, method, params: &params };
        let body = serde_json::to_vec(&request).expect("a request is JSON");
        let (sent, text) = self.post(method, 1, body).await?;
        let answer: Answer =
            serde_json::from_slice(&text).map_err(|error| RpcError::malformed(method, error))?;
        self.noted(sent, read(method, answer))
    }

    /// Providers also report their limit in the answer.
    fn noted<T>(&self, sent: Sent, answer: Result<T, RpcError>) -> Result<T, RpcError> {
        if answer.as_ref().is_err_and(RpcError::is_limit) {
            self.gate.refused(sent, None);
        } else {
            self.gate.answered(sent);
        }
        answer
    }

    /// Returns the results in the order of the calls. One failed call fails the batch.
    pub async fn batch<T: DeserializeOwned>(&self, calls: &[Call]) -> Result<Vec<T>, RpcError> {
        let mut results = Vec::with_capacity(calls.len());
        for calls in calls.chunks(BATCH) {
            results.extend(self.one_batch(calls).await?);
        }
        Ok(results)
    }

    async fn one_batch<T: DeserializeOwned>(&self, calls: &[Call]) -> Result<Vec<T>, RpcError> {
        let count = u64::try_from(calls.len()).unwrap_or(0);
        let first = self.next_id.fetch_add(count, Ordering::Relaxed);
        let requests: Vec<Request<'_>> = (first..)
            .zip(calls)
            .map(|(id, (method, params))| Request { jsonrpc: "2.0", id, method, params })
            .collect();
        let method = calls.first().map_or("", |(method, _)| method);
        let body = serde_json::to_vec(&requests).expect("requests are JSON");
        let (sent, text) = self.post(method, calls.len(), body).await?;
        self.noted(sent, read_batch(calls, first, &text))
    }

    async fn post(
        &self,
        method: &'static str,
        calls: usize,
        body: Vec<u8>,
    ) -> Result<(Sent, Vec<u8>), RpcError> {
        let sent = self.gate.pass(calls).map_err(RpcError::Held)?;
        let unreachable = |error: reqwest::Error| RpcError::Unreachable(reason(&error.without_url()));
        let answer = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .body(body)
            .send()
            .await
            .map_err(unreachable)?;
        let status = answer.status();
        if status == StatusCode::TOO_MANY_REQUESTS {
            self.gate.refused(sent, retry_after(answer.headers()));
            return Err(RpcError::Limited);
        }
        let text = read_body(answer, self.max_answer).await.map_err(|error| match error {
            BodyError::Broken(error) => unreachable(error),
            error @ BodyError::TooLong(_) => RpcError::malformed(method, error),
        })?;
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(RpcError::Unauthorized),
            // Some nodes return JSON-RPC errors with status 4xx or 5xx.
            _ if status.is_success() || text.starts_with(b"{\"jsonrpc\"") => Ok((sent, text)),
            _ => Err(RpcError::Status { method, status: status.as_u16() }),
        }
    }
}

fn read_batch<T: DeserializeOwned>(calls: &[Call], first: u64, text: &[u8]) -> Result<Vec<T>, RpcError> {
    let method = calls.first().map_or("", |(method, _)| method);
    let malformed = |error| RpcError::malformed(method, error);
    if text.starts_with(b"{") {
        // A node that refuses the whole batch returns a single error.
        let answer = serde_json::from_slice(text).map_err(malformed)?;
        return read::<Value>(method, answer).and(Err(RpcError::lost(method)));
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
            _ => RpcError::lost(method),
        });
    }
    answers.into_iter().zip(calls).map(|(answer, (method, _))| read(method, answer)).collect()
}

fn read<T: DeserializeOwned>(method: &'static str, answer: Answer) -> Result<T, RpcError> {
    if let Some(Fault { code, message }) = answer.error {
        return Err(RpcError::Refused { method, code, message });
    }
    let text = answer.result.as_ref().map_or("null", |raw| raw.get());
    serde_json::from_str(text).map_err(|error| RpcError::malformed(method, error))
}
