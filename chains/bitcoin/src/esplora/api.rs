//! The HTTP interface. Requests have a pause between them, and none is sent while the server asks to wait.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use checkout_chain_http::client::{MAX_ANSWER, builder, read_body, reason, web_roots};
use checkout_chain_http::gate::{Held, RequestGate};
use checkout_domain::ports::ChainError;
use checkout_domain::ports::chain::RateLimited;
use reqwest::header::RETRY_AFTER;
use reqwest::{Client, RequestBuilder, StatusCode};
use serde::de::DeserializeOwned;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

const TIMEOUT: Duration = Duration::from_secs(20);

/// The wait after status 429 or 503 without `Retry-After`. It doubles each time.
const FIRST_WAIT: Duration = Duration::from_secs(5);
const LONGEST_WAIT: Duration = Duration::from_mins(5);
/// The longest `Retry-After` that is obeyed.
const LONGEST_ASKED: Duration = Duration::from_hours(1);

/// Why a request failed. None of these says anything about the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EsploraError {
    /// No connection, no answer, or an unreadable one.
    Unknown(String),
    /// Status 429 or 503, or the budget of requests is used up; no request is sent for this time.
    Limited(Duration),
    /// Another status that is not a success.
    Status { status: u16, text: String },
}

#[derive(Debug)]
pub struct Api {
    client: Client,
    base: String,
    gate: Mutex<Gate>,
    budget: Arc<RequestGate>,
    between: Duration,
}

#[derive(Debug)]
struct Gate {
    /// When the next request may be sent.
    next: Instant,
    /// The server asks to wait until then.
    closed: Option<Instant>,
    /// Consecutive answers that asked to wait.
    refusals: u32,
    /// The last answer that was counted.
    refused: Option<Instant>,
}

impl Api {
    /// `base` is the URL up to and with `/api`; `between` the pause between two requests.
    pub fn new(base: &str, between: Duration, budget: Arc<RequestGate>) -> Self {
        let client = builder(web_roots(), TIMEOUT).pool_max_idle_per_host(4).build();
        Self {
            client: client.expect("the client's settings are valid"),
            base: base.trim_end_matches('/').to_owned(),
            gate: Mutex::new(Gate { next: Instant::now(), closed: None, refusals: 0, refused: None }),
            budget,
            between,
        }
    }

    pub(crate) async fn json<T: DeserializeOwned>(&self, path: &str) -> Result<T, EsploraError> {
        let text = self.text(path).await?;
        serde_json::from_str(&text)
            .map_err(|error| EsploraError::Unknown(format!("the answer to {path} cannot be read: {error}")))
    }

    pub(crate) async fn text(&self, path: &str) -> Result<String, EsploraError> {
        self.answer(self.client.get(format!("{}{path}", self.base))).await
    }

    /// `None` if the server says in words that it does not have the object; a status alone can come from a proxy.
    pub(crate) async fn find<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, EsploraError> {
        match self.json(path).await {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Sends a transaction.
    pub(crate) async fn send(&self, hex: String) -> Result<(), EsploraError> {
        self.answer(self.client.post(format!("{}/tx", self.base)).body(hex)).await.map(drop)
    }

    async fn answer(&self, request: RequestBuilder) -> Result<String, EsploraError> {
        let sent = self.turn().await?;
        let unknown = |error: reqwest::Error| EsploraError::Unknown(reason(&error.without_url()));
        let answer = request.send().await.map_err(unknown)?;
        let status = answer.status();
        let asked = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()).and_then(seconds);
        let unreadable = |why: String| EsploraError::Unknown(format!("the answer cannot be read: {why}"));
        let text = read_body(answer, MAX_ANSWER).await.map_err(|error| unreadable(error.to_string()))?;
        let text = String::from_utf8(text).map_err(|error| unreadable(error.to_string()))?;
        let is_limit = status == StatusCode::TOO_MANY_REQUESTS || status == StatusCode::SERVICE_UNAVAILABLE;
        let mut gate = self.gate.lock().await;
        // Requests that are on their way at the same time are refused together.
        let is_old = gate.refused.is_some_and(|refused| sent <= refused);
        if is_limit {
            let now = Instant::now();
            let wait = wait(asked, gate.refusals.saturating_sub(u32::from(is_old)));
            if !is_old {
                gate.refusals = gate.refusals.saturating_add(1);
                gate.refused = Some(now);
            }
            gate.closed = gate.closed.filter(|_| is_old).max(Some(now + wait));
            return Err(EsploraError::Limited(wait));
        }
        if !is_old {
            gate.refusals = 0;
        }
        if status.is_success() {
            Ok(text)
        } else {
            let text = text.chars().take(200).collect();
            Err(EsploraError::Status { status: status.as_u16(), text })
        }
    }

    /// Returns when the request is sent.
    async fn turn(&self) -> Result<Instant, EsploraError> {
        let mut gate = self.gate.lock().await;
        let now = Instant::now();
        if let Some(until) = gate.closed.filter(|until| *until > now) {
            return Err(EsploraError::Limited(until - now));
        }
        self.budget
            .pass(1)
            .map_err(|(Held::ByServer(wait) | Held::ByBudget(wait))| EsploraError::Limited(wait))?;
        sleep_until(gate.next).await;
        let now = Instant::now();
        gate.next = now + self.between;
        Ok(now)
    }
}

/// `Retry-After` in seconds. As a date it counts like a missing one.
fn seconds(text: &str) -> Option<Duration> {
    text.trim().parse().ok().map(Duration::from_secs)
}

fn wait(asked: Option<Duration>, refusals: u32) -> Duration {
    asked.map_or_else(
        || (FIRST_WAIT * 2_u32.saturating_pow(refusals.min(10))).min(LONGEST_WAIT),
        |asked| asked.min(LONGEST_ASKED),
    )
}

impl EsploraError {
    /// Whether it concerns only this request, not the server.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self, Self::Status { status: 400..500, .. })
    }

    fn is_not_found(&self) -> bool {
        matches!(self, Self::Status { status: 404, text } if text.to_ascii_lowercase().ends_with("not found"))
    }

    /// Whether a sent transaction spends a coin that another one spends, or that does not exist.
    pub(crate) fn is_conflict(&self) -> bool {
        let words = ["txn-mempool-conflict", "rejecting replacement", "missingorspent", "Missing inputs"];
        matches!(self, Self::Status { text, .. } if words.iter().any(|words| text.contains(words)))
    }
}

impl fmt::Display for EsploraError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(problem) => f.write_str(problem),
            Self::Limited(wait) => write!(
                f,
                "the server's rate limit is reached: nothing is asked for {} seconds",
                wait.as_secs().max(1)
            ),
            Self::Status { status, text } => write!(f, "the server answered {status}: {}", text.trim()),
        }
    }
}

impl std::error::Error for EsploraError {}

impl From<EsploraError> for ChainError {
    fn from(error: EsploraError) -> Self {
        if matches!(error, EsploraError::Limited(_)) {
            return Self(Box::new(RateLimited(error.to_string())));
        }
        Self(Box::new(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_as_long_as_asked_or_longer_each_time() {
        let check = |asked: Option<&str>, refusals, expected: u64| {
            assert_eq!(wait(asked.and_then(seconds), refusals).as_secs(), expected, "{asked:?}");
        };
        check(Some("30"), 5, 30);
        check(Some(" 0 "), 0, 0);
        check(Some("999999"), 0, 3_600);
        check(Some("Wed, 21 Oct 2026 07:28:00 GMT"), 0, 5);
        check(None, 0, 5);
        check(None, 3, 40);
        check(None, 60, 300);
    }

    /// Texts of Blockstream's and mempool's electrs.
    #[test]
    fn only_words_say_that_something_is_missing_or_spent() {
        let check = |status, text: &str, not_found, conflict| {
            let error = EsploraError::Status { status, text: text.to_owned() };
            assert_eq!((error.is_not_found(), error.is_conflict()), (not_found, conflict), "{error}");
        };
        check(404, "Transaction not found", true, false);
        check(404, "Block not found", true, false);
        check(404, "<html><h1>404 Not Found</h1></html>", false, false);
        check(500, "Transaction not found", false, false);
        let refused =
            |code, words| format!(r#"sendrawtransaction RPC error: {{"code":{code},"message":"{words}"}}"#);
        check(400, &refused(-26, "txn-mempool-conflict"), false, true);
        check(400, &refused(-25, "bad-txns-inputs-missingorspent"), false, true);
        check(400, &refused(-26, "min relay fee not met, 100 < 200"), false, false);
    }
}
