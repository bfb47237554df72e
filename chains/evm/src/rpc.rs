//! JSON-RPC over HTTP, with single calls and batches.

mod batch_size;
pub mod error;

use std::sync::Arc;
use std::time::Duration;

use checkout_chain_http::gate::Budget;
use checkout_chain_http::node::NodeAnswer;
use checkout_chain_http::{NodeClient, NodeError, RequestIds};
use reqwest::StatusCode;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

pub use self::batch_size::MAX_BATCH;

use self::batch_size::BatchSize;

const SEND: &str = "eth_sendRawTransaction";

/// Time limit of one HTTP request.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Answers from this length on are read outside the async workers.
const LONG: usize = 1024 * 1024;

#[derive(Debug)]
pub struct Rpc {
    client: NodeClient,
    ids: RequestIds,
    batch_size: Arc<BatchSize>,
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

impl Answer {
    fn said(&self) -> (Option<&str>, Option<&Fault>) {
        (self.result.as_ref().map(|result| result.get()), self.error.as_ref())
    }
}

#[derive(PartialEq, Eq, Deserialize)]
struct Fault {
    code: i64,
    message: String,
}

/// A method and its parameters.
pub type Call = (&'static str, Value);

/// Why a batch has no answers.
enum BatchError {
    /// Perhaps it has too many calls. A single call tells the cause.
    Refused,
    Failed(NodeError),
}

impl Rpc {
    /// Errors are messages for users. They omit the URL, which may contain a provider's key.
    pub fn new(url: &str) -> Result<Self, String> {
        let client = NodeClient::new(url, TIMEOUT)?;
        let batch_size = Arc::new(BatchSize::new(MAX_BATCH));
        Ok(Self { client, ids: RequestIds::default(), batch_size })
    }

    /// No more calls than this, each call of a batch counted.
    #[must_use]
    pub fn with_budget(self, budget: Option<Budget>) -> Self {
        Self { client: self.client.with_budget(budget), ..self }
    }

    /// No more calls in one request than this.
    #[must_use]
    pub fn with_batches_of(self, most: usize) -> Self {
        Self { batch_size: Arc::new(BatchSize::new(most)), ..self }
    }

    /// The longest answer that is read, in bytes.
    #[must_use]
    pub fn with_max_answer(self, max_answer: usize) -> Self {
        Self { client: self.client.with_max_answer(max_answer), ..self }
    }

    /// How many calls the server takes in one request, as far as is known.
    pub fn batch_size(&self) -> usize {
        self.batch_size.current()
    }

    pub async fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: Value,
    ) -> Result<T, NodeError> {
        let id = self.ids.next(1);
        let request = Request { jsonrpc: "2.0", id, method, params: &params };
        let body = serde_json::to_vec(&request).expect("a request is JSON");
        let mut answer = self.post(method, 1, body).await?;
        check_status(method, &answer)?;
        let text = if answer.text.len() < LONG {
            serde_json::from_slice(&answer.text)
        } else {
            let text = std::mem::take(&mut answer.text);
            let read = tokio::task::spawn_blocking(move || serde_json::from_slice::<Answer>(&text));
            read.await.map_err(|error| NodeError::malformed(method, error))?
        }
        .map_err(|error| NodeError::malformed(method, error))?;
        let answered = text.id;
        let result = match read(method, text) {
            result if answered == Some(id) => result,
            // What stands before a node can refuse without an id, which says nothing about what was sent.
            Err(error) if answered.is_none() && (method != SEND || error.is_limit()) => Err(error),
            _ => Err(NodeError::malformed(method, "it is the answer to another request")),
        };
        // Providers also report their limit in the answer.
        self.client.noted(&answer, result)
    }

    /// Returns the results in the order of the calls. An error is one of the connection or a rate limit; each call has its own.
    pub async fn batch<T: DeserializeOwned>(
        &self,
        calls: &[Call],
    ) -> Result<Vec<Result<T, NodeError>>, NodeError> {
        let mut results = Vec::with_capacity(calls.len());
        let mut rest = calls;
        while !rest.is_empty() {
            let size = self.batch_size.current().min(rest.len());
            if let [(method, params), ..] = rest
                && size == 1
            {
                match self.call(method, params.clone()).await {
                    Err(error @ NodeError::Unreachable(_)) => return Err(error),
                    Err(error) if error.is_limit() => return Err(error),
                    result => results.push(result),
                }
                self.batch_size.answered(size);
                rest = &rest[1..];
                continue;
            }
            match self.one_batch(&rest[..size]).await {
                Ok(some) => {
                    self.batch_size.answered(size);
                    results.extend(some);
                    rest = &rest[size..];
                }
                Err(BatchError::Refused) => self.batch_size.refused(size),
                Err(BatchError::Failed(error)) => return Err(error),
            }
        }
        Ok(results)
    }

    /// All results of a batch, each of which must be there.
    pub async fn all<T: DeserializeOwned>(&self, calls: &[Call]) -> Result<Vec<T>, NodeError> {
        self.batch(calls).await?.into_iter().collect()
    }

    async fn one_batch<T: DeserializeOwned>(
        &self,
        calls: &[Call],
    ) -> Result<Vec<Result<T, NodeError>>, BatchError> {
        let first = self.ids.next(calls.len());
        let requests: Vec<Request<'_>> = (first..)
            .zip(calls)
            .map(|(id, (method, params))| Request { jsonrpc: "2.0", id, method, params })
            .collect();
        let method = calls.first().map_or("", |(method, _)| method);
        let body = serde_json::to_vec(&requests).expect("requests are JSON");
        let answer = self.post(method, calls.len(), body).await.map_err(|error| match error {
            NodeError::Malformed { .. } => BatchError::Refused,
            error => BatchError::Failed(error),
        })?;
        check_status(method, &answer).map_err(|error| {
            if may_be_size(answer.status) { BatchError::Refused } else { BatchError::Failed(error) }
        })?;
        let results = read_batch(calls, first, &answer.text);
        let mut errors = results
            .as_ref()
            .err()
            .into_iter()
            .chain(results.iter().flatten().filter_map(|result| result.as_ref().err()));
        if let Some(limit) = errors.find(|error| error.is_limit()).cloned() {
            let noted: Result<Vec<_>, _> = self.client.noted(&answer, Err(limit));
            return noted.map_err(BatchError::Failed);
        }
        self.client.noted(&answer, results).map_err(|_| BatchError::Refused)
    }

    async fn post(&self, method: &str, calls: usize, body: Vec<u8>) -> Result<NodeAnswer, NodeError> {
        self.client.send(method, calls, self.client.post_json("", body)?).await
    }
}

/// Some nodes return JSON-RPC errors with status 4xx or 5xx.
fn is_json(answer: &NodeAnswer) -> bool {
    answer.text.starts_with(b"{\"jsonrpc\"") || answer.text.starts_with(b"[{\"jsonrpc\"")
}

/// Whether a batch is refused with this status, or takes longer than what stands before the server allows.
fn may_be_size(status: StatusCode) -> bool {
    use StatusCode as Status;
    let other = [Status::UNAUTHORIZED, Status::FORBIDDEN, Status::SERVICE_UNAVAILABLE];
    !other.contains(&status) && (status.is_client_error() || status.is_server_error())
}

fn check_status(method: &str, answer: &NodeAnswer) -> Result<(), NodeError> {
    match answer.status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            Err(NodeError::Unreachable("the server refuses the credentials in its URL".to_owned()))
        }
        status if status.is_success() || is_json(answer) => Ok(()),
        // It fails at what it was asked, and is not down.
        StatusCode::INTERNAL_SERVER_ERROR => Err(NodeError::malformed(method, "HTTP status 500")),
        status => Err(NodeError::status(method, status.as_u16())),
    }
}

/// An error if the answer is not one of each call.
fn read_batch<T: DeserializeOwned>(
    calls: &[Call],
    first: u64,
    text: &[u8],
) -> Result<Vec<Result<T, NodeError>>, NodeError> {
    let method = calls.first().map_or("", |(method, _)| method);
    let malformed = |error| NodeError::malformed(method, error);
    if text.trim_ascii_start().starts_with(b"{") {
        // A node that refuses the whole batch returns a single error.
        let answer = serde_json::from_slice(text).map_err(malformed)?;
        return read::<Value>(method, answer).and(Err(error::unreadable(method)));
    }
    let mut answers: Vec<Answer> = serde_json::from_slice(text).map_err(malformed)?;
    answers.sort_by_key(|answer| answer.id);
    // Two different ones to the same call are none.
    answers.dedup_by(|other, answer| (other.id, other.said()) == (answer.id, answer.said()));
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
    let results: Vec<Result<T, NodeError>> =
        answers.into_iter().zip(calls).map(|(answer, (method, _))| read(method, answer)).collect();
    // Each call beyond the limit has this error.
    let refusal =
        results.iter().find_map(|result| result.as_ref().err().filter(|error| error::is_of_batch(error)));
    match refusal {
        Some(refusal) => Err(refusal.clone()),
        None => Ok(results),
    }
}

fn read<T: DeserializeOwned>(method: &'static str, answer: Answer) -> Result<T, NodeError> {
    if let Some(Fault { code, message }) = answer.error {
        return Err(error::refused(method, code, message));
    }
    let text = answer.result.as_ref().map_or("null", |raw| raw.get());
    serde_json::from_str(text).map_err(|error| NodeError::malformed(method, error))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_batch_has_one_answer_to_each_call() {
        let check = |text: &str, expected: Option<[u32; 2]>| {
            let calls: [Call; 2] = [("eth_a", json!([])), ("eth_b", json!([]))];
            let read = read_batch::<u32>(&calls, 5, text.as_bytes()).ok();
            let read = read.map(|all| all.into_iter().map(Result::unwrap).collect::<Vec<_>>());
            assert_eq!(read, expected.map(Vec::from), "{text}");
        };
        check(r#"[{"id":6,"result":2},{"id":5,"result":1}]"#, Some([1, 2]));
        check(r#"[{"id":5,"result":1},{"id":6,"result":2},{"id":5,"result":1}]"#, Some([1, 2]));
        check(r#"[{"id":5,"result":7},{"id":5,"result":1},{"id":6,"result":2}]"#, None);
        check(r#"[{"id":5,"result":1},{"id":6,"result":2},{"id":5,"result":7}]"#, None);
        check(
            r#"[{"id":5,"result":1},{"id":5,"error":{"code":-1,"message":"?"}},{"id":6,"result":2}]"#,
            None,
        );
        check(r#"[{"id":5,"result":1},{"id":5,"result":1}]"#, None);
        check(r#"[{"id":5,"result":1},{"id":7,"result":2}]"#, None);
        check(r#"[{"id":5,"result":1},{"id":6,"result":2},{"id":7,"result":3}]"#, None);
    }
}
