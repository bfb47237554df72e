//! The HTTP interface of java-tron: `POST /wallet/…` of the newest blocks, `/walletsolidity/…` of solidified ones. It has no
//! retries: the gateway asks again every second.

use std::fmt;
use std::time::Duration;

use checkout_chain_http::client::{BodyError, MAX_ANSWER, builder, read_body, reason, web_roots};
use checkout_chain_http::gate::{Budget, Held, RequestGate, retry_after};
use checkout_domain::ports::ChainError;
use checkout_domain::ports::broadcaster::Unsent;
use checkout_domain::ports::chain::RateLimited;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, StatusCode, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

const TIMEOUT: Duration = Duration::from_secs(20);

/// The header in which TronGrid wants its key.
const KEY: &str = "TRON-PRO-API-KEY";

/// TronGrid takes 15 requests a second with a key, and stops answering for a while after more.
const BETWEEN: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub struct Api {
    client: Client,
    base: Url,
    /// When the next request may go out.
    next: Mutex<Instant>,
    between: Duration,
    gate: RequestGate,
}

/// Why a call brought no result. None of these says anything about the chain.
#[derive(Debug)]
pub enum ApiError {
    Unreachable(String),
    /// HTTP status 429, or 403 with words about a rate.
    Limited,
    /// Not asked.
    Held(Held),
    /// HTTP status 401 or 403.
    Unauthorized,
    Status {
        path: &'static str,
        status: u16,
    },
    /// An error of the server itself.
    Refused {
        path: &'static str,
        message: String,
    },
    Malformed {
        path: &'static str,
        why: String,
    },
}

#[derive(Deserialize)]
struct Fault {
    #[serde(rename = "Error", alias = "error")]
    message: Option<String>,
}

impl Api {
    /// Errors are messages for users and repeat neither the key nor the URL.
    pub fn new(url: &str, key: Option<&str>) -> Result<Self, String> {
        let text = if url.ends_with('/') { url.to_owned() } else { format!("{url}/") };
        let base: Url =
            text.parse().map_err(|error| format!("the URL of the server cannot be read: {error}"))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err("the URL of the server has to start with http:// or https://".to_owned());
        }
        let mut headers = HeaderMap::new();
        if let Some(key) = key {
            let value = HeaderValue::from_str(key);
            let mut value =
                value.map_err(|_| "the API key has characters that no header may have".to_owned())?;
            value.set_sensitive(true);
            headers.insert(KEY, value);
        }
        let client = builder(web_roots(), TIMEOUT).pool_max_idle_per_host(4).default_headers(headers).build();
        let client = client.map_err(|error| format!("no HTTP client: {error}"))?;
        Ok(Self {
            client,
            base,
            next: Mutex::new(Instant::now()),
            between: BETWEEN,
            gate: RequestGate::default(),
        })
    }

    /// No more requests than this.
    #[must_use]
    pub fn with_budget(self, budget: Option<Budget>) -> Self {
        Self { gate: RequestGate::new(budget), ..self }
    }

    /// The least time from one request to the next, for a server with other limits.
    #[must_use]
    pub fn with_pause(self, between: Duration) -> Self {
        Self { between, ..self }
    }

    pub async fn call<T: DeserializeOwned>(&self, path: &'static str, body: Value) -> Result<T, ApiError> {
        self.turn().await;
        let sent = self.gate.pass(1).map_err(ApiError::Held)?;
        let url = self.base.join(path).map_err(|error| ApiError::malformed(path, error))?;
        let unreachable = |error: reqwest::Error| ApiError::Unreachable(reason(&error.without_url()));
        let answer = self
            .client
            .post(url)
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .body(body.to_string())
            .send()
            .await
            .map_err(unreachable)?;
        let (status, asked) = (answer.status(), retry_after(answer.headers()));
        let text = read_body(answer, MAX_ANSWER).await.map_err(|error| match error {
            BodyError::Broken(error) => unreachable(error),
            error @ BodyError::TooLong(_) => ApiError::malformed(path, error),
        })?;
        let answer = match status {
            StatusCode::TOO_MANY_REQUESTS => Err(ApiError::Limited),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(denied(&text)),
            _ if status.is_success() => read(path, &text),
            _ => Err(ApiError::Status { path, status: status.as_u16() }),
        };
        if matches!(answer, Err(ApiError::Limited)) {
            self.gate.refused(sent, asked);
        } else {
            self.gate.answered(sent);
        }
        answer
    }

    async fn turn(&self) {
        let mut next = self.next.lock().await;
        sleep_until(*next).await;
        *next = Instant::now() + self.between;
    }
}

/// TronGrid answers 403 for both.
fn denied(text: &[u8]) -> ApiError {
    let words = String::from_utf8_lossy(text).to_ascii_lowercase();
    if words.contains("rate") || words.contains("exceed") {
        ApiError::Limited
    } else {
        ApiError::Unauthorized
    }
}

fn read<T: DeserializeOwned>(path: &'static str, text: &[u8]) -> Result<T, ApiError> {
    // Errors are objects, and so are most answers.
    if text.starts_with(b"{")
        && let Ok(Fault { message: Some(message) }) = serde_json::from_slice::<Fault>(text)
    {
        return Err(ApiError::Refused { path, message });
    }
    // `LiteFnQueryHttpFilter` of java-tron answers in plain words, with status 200.
    if text.starts_with(b"this API is closed") {
        return Err(ApiError::Refused { path, message: String::from_utf8_lossy(text).into_owned() });
    }
    serde_json::from_slice(text).map_err(|error| ApiError::malformed(path, error))
}

impl ApiError {
    pub fn is_limit(&self) -> bool {
        matches!(self, Self::Limited | Self::Held(_))
    }

    pub fn malformed(path: &'static str, why: impl fmt::Display) -> Self {
        Self::Malformed { path, why: why.to_string() }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(why) => write!(f, "the server cannot be reached: {why}"),
            Self::Limited => f.write_str("the server's rate limit is reached"),
            Self::Held(held) => held.fmt(f),
            Self::Unauthorized => f.write_str("the server refuses the API key"),
            Self::Status { path, status } => write!(f, "{path}: the server answered HTTP status {status}"),
            Self::Refused { path, message } => write!(f, "{path}: {message}"),
            Self::Malformed { path, why } => write!(f, "{path}: the server's answer cannot be read: {why}"),
        }
    }
}

impl std::error::Error for ApiError {}

impl From<ApiError> for ChainError {
    fn from(error: ApiError) -> Self {
        if error.is_limit() {
            return Self(Box::new(RateLimited(error.to_string())));
        }
        Self(Box::new(error))
    }
}

impl From<ApiError> for Unsent {
    fn from(error: ApiError) -> Self {
        Self::Unavailable(Box::new(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        let check = |text: &str, expected: &str| {
            let have = read::<Value>("wallet/getblock", text.as_bytes())
                .map_or_else(|error| error.to_string(), |ok| ok.to_string());
            assert!(have.contains(expected), "{have}");
        };
        check(r#"{"number":7}"#, r#"{"number":7}"#);
        check("[]", "[]");
        check(
            r#"{"Error":"class java.lang.Exception : body size is too big"}"#,
            "wallet/getblock: class java.lang",
        );
        check("", "cannot be read");
        check(
            "this API is closed because this node is a lite fullnode",
            "wallet/getblock: this API is closed because this node is a lite fullnode",
        );
        assert!(matches!(denied(b"The key exceeds the frequency limit(15)"), ApiError::Limited));
        assert!(matches!(denied(b"invalid apiKey"), ApiError::Unauthorized));
    }

    #[test]
    fn a_server_has_a_url_and_a_key_that_fits_into_a_header() {
        let check = |url: &str, key: Option<&str>, part: &str| {
            let error = Api::new(url, key).err().unwrap_or_default();
            assert!(error.contains(part) && part.is_empty() == error.is_empty(), "{url}: {error}");
        };
        check("https://api.trongrid.io", Some("key"), "");
        check("ftp://api.trongrid.io", None, "http://");
        check("", None, "cannot be read");
        check("https://api.trongrid.io", Some("a\nb"), "no header");
    }
}
