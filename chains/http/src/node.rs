//! A client for one node or indexer. It does not retry: the gateway asks again every second.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, RequestBuilder, StatusCode, Url};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

use crate::client::{BodyError, MAX_ANSWER, builder, read_body, reason, web_roots};
use crate::error::NodeError;
use crate::gate::{Budget, RequestGate, Sent, Throttled, Waits, retry_after};

/// Clones share the connections and the limits.
#[derive(Clone, Debug)]
pub struct NodeClient {
    client: Client,
    base: Url,
    headers: HeaderMap,
    max_answer: usize,
    gate: Arc<RequestGate>,
    waits: Waits,
    pause: Option<Pause>,
}

/// The least time from one request to the next.
#[derive(Clone, Debug)]
struct Pause {
    /// When the next request may be sent.
    next: Arc<Mutex<Instant>>,
    between: Duration,
}

/// An answer with any HTTP status but 429.
#[derive(Debug)]
pub struct NodeAnswer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: Vec<u8>,
    sent: Sent,
}

impl NodeClient {
    /// `timeout` covers everything from the DNS look-up to the end of the answer. Errors are messages for users. They omit the
    /// URL, which may contain a provider's key.
    pub fn new(url: &str, timeout: Duration) -> Result<Self, String> {
        let base = read_url(url)?;
        let client = builder(web_roots(), timeout).pool_max_idle_per_host(4).build();
        let client = client.map_err(|error| format!("no HTTP client: {error}"))?;
        Ok(Self {
            client,
            base,
            headers: HeaderMap::new(),
            max_answer: MAX_ANSWER,
            gate: Arc::default(),
            waits: Waits::default(),
            pause: None,
        })
    }

    /// Paths are below the URL, not beside its last segment.
    #[must_use]
    pub fn as_folder(mut self) -> Self {
        let folder = format!("{}/", self.base.path().trim_end_matches('/'));
        self.base.set_path(&folder);
        self
    }

    /// The same server at another URL.
    pub fn at(&self, url: &str) -> Result<Self, String> {
        Ok(Self { base: read_url(url)?, ..self.clone() })
    }

    /// No more requests than this.
    #[must_use]
    pub fn with_budget(self, budget: Option<Budget>) -> Self {
        self.with_gate(Arc::new(RequestGate::new(budget)))
    }

    /// Limits that other clients share.
    #[must_use]
    pub fn with_gate(self, gate: Arc<RequestGate>) -> Self {
        Self { gate, ..self }
    }

    /// How long nothing is asked after a refusal without `Retry-After`.
    #[must_use]
    pub fn with_waits(self, waits: Waits) -> Self {
        Self { waits, ..self }
    }

    #[must_use]
    pub fn with_pause(self, between: Duration) -> Self {
        let next = Arc::new(Mutex::new(Instant::now()));
        Self { pause: Some(Pause { next, between }), ..self }
    }

    /// The longest answer that is read, in bytes.
    #[must_use]
    pub fn with_max_answer(self, max_answer: usize) -> Self {
        Self { max_answer, ..self }
    }

    /// A secret header of each request.
    #[must_use]
    pub fn with_key(mut self, name: HeaderName, mut value: HeaderValue) -> Self {
        value.set_sensitive(true);
        self.headers.insert(name, value);
        self
    }

    pub fn get(&self, path: &str, query: &[(&str, &str)]) -> Result<RequestBuilder, NodeError> {
        let mut url = self.url(path)?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        Ok(self.client.get(url))
    }

    /// An empty path is the URL itself.
    pub fn post(&self, path: &str) -> Result<RequestBuilder, NodeError> {
        Ok(self.client.post(self.url(path)?))
    }

    pub fn post_json(&self, path: &str, body: impl Into<reqwest::Body>) -> Result<RequestBuilder, NodeError> {
        let json = HeaderValue::from_static("application/json");
        Ok(self.post(path)?.header(CONTENT_TYPE, json).body(body))
    }

    /// `call` is for errors; `calls`: how many the server counts the request as.
    pub async fn send(
        &self,
        call: &str,
        calls: usize,
        request: RequestBuilder,
    ) -> Result<NodeAnswer, NodeError> {
        let sent = self.turn(calls).await?;
        let unreachable = |error: reqwest::Error| {
            NodeError::Unreachable(format!("the server cannot be reached: {}", reason(&error.without_url())))
        };
        let answer = request.headers(self.headers.clone()).send().await.map_err(unreachable)?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        if status == StatusCode::TOO_MANY_REQUESTS {
            return Err(self.refused(sent, &headers));
        }
        let text = read_body(answer, self.max_answer).await.map_err(|error| match error {
            BodyError::Broken(error) => unreachable(error),
            error @ BodyError::TooLong(_) => NodeError::malformed(call, error),
        })?;
        Ok(NodeAnswer { status, headers, text: as_text(text), sent })
    }

    /// Notes whether an answer says that a rate limit is reached.
    pub fn noted<T>(&self, answer: &NodeAnswer, read: Result<T, NodeError>) -> Result<T, NodeError> {
        match read {
            Err(NodeError::Limited(_)) => Err(self.refused(answer.sent, &answer.headers)),
            Err(error) if error.is_limit() => {
                self.refused(answer.sent, &answer.headers);
                Err(error)
            }
            read => {
                self.gate.answered(answer.sent);
                read
            }
        }
    }

    fn refused(&self, sent: Sent, headers: &HeaderMap) -> NodeError {
        let wait = self.gate.refused(sent, retry_after(headers), self.waits);
        NodeError::Limited(Throttled::ByServer(wait))
    }

    /// Waits for the pause, unless it is known that nothing may be sent.
    async fn turn(&self, calls: usize) -> Result<Sent, NodeError> {
        if let Some(Pause { next, between }) = &self.pause {
            self.gate.is_open().map_err(NodeError::Limited)?;
            let mut next = next.lock().await;
            sleep_until(*next).await;
            *next = Instant::now() + *between;
        }
        self.gate.pass(calls).map_err(NodeError::Limited)
    }

    fn url(&self, path: &str) -> Result<Url, NodeError> {
        if path.is_empty() {
            return Ok(self.base.clone());
        }
        self.base.join(path).map_err(|error| NodeError::malformed(path, error))
    }
}

/// Bytes that are no text, such as of a memo, concern only where they stand.
fn as_text(bytes: Vec<u8>) -> Vec<u8> {
    match String::from_utf8(bytes) {
        Ok(text) => text.into_bytes(),
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned().into_bytes(),
    }
}

fn read_url(url: &str) -> Result<Url, String> {
    let url: Url = url.parse().map_err(|error| format!("the URL of the server cannot be read: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("the URL of the server must start with http:// or https://".to_owned());
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_below_the_url() {
        let check = |url: &str, path: &str, expected: &str| {
            let client = NodeClient::new(url, Duration::from_secs(1)).unwrap().as_folder();
            assert_eq!(client.url(path).unwrap().as_str(), expected, "{url} {path}");
        };
        check("https://node.example", "tx/7", "https://node.example/tx/7");
        check("https://node.example/api", "tx/7", "https://node.example/api/tx/7");
        check("https://node.example/api/", "tx/7", "https://node.example/api/tx/7");
        check("https://node.example/api//", "tx/7", "https://node.example/api/tx/7");
        check("https://node.example/api", "", "https://node.example/api/");
    }

    #[test]
    fn a_url_names_its_fault() {
        for (url, fault) in
            [("node.example", "cannot be read"), ("ftp://node.example", "http:// or https://")]
        {
            let error = NodeClient::new(url, Duration::from_secs(1)).unwrap_err();
            assert!(error.contains(fault), "{url}: {error}");
        }
    }
}
