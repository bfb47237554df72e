//! A client for rippled's JSON-RPC: `{"method", "params": [{…}]}`, answered by `{"result": {"status", …}}`.
//! It does not retry: the gateway polls every second.

use std::fmt;
use std::time::Duration;

use checkout_chain_http::client::{BodyError, MAX_ANSWER, builder, read_body, reason, web_roots};
use checkout_chain_http::gate::{Budget, Held, RequestGate, retry_after};
use checkout_domain::ports::ChainError;
use checkout_domain::ports::broadcaster::Unsent;
use checkout_domain::ports::chain::RateLimited;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{Client, StatusCode, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

const TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub struct Rpc {
    client: Client,
    url: Url,
    gate: RequestGate,
}

/// Why a call failed. Only [`Refused`](Self::Refused) says something about the ledger.
#[derive(Debug)]
pub enum RpcError {
    Unreachable(String),
    /// HTTP status 429, or the error `slowDown`.
    Limited,
    /// Not asked.
    Held(Held),
    Status {
        method: &'static str,
        status: u16,
    },
    /// An error reported by the server, by its code such as `actNotFound`.
    Refused {
        method: &'static str,
        code: String,
        message: String,
    },
    Malformed {
        method: &'static str,
        why: String,
    },
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    result: &'a RawValue,
}

#[derive(Deserialize)]
struct ResultHead {
    status: Option<String>,
    error: Option<String>,
    #[serde(rename = "error_message")]
    message: Option<String>,
}

impl Rpc {
    /// Errors are messages for users. They omit the URL, which may contain a provider's key.
    pub fn new(url: &str) -> Result<Self, String> {
        let url: Url =
            url.parse().map_err(|error| format!("the URL of the server cannot be read: {error}"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("the URL of the server must start with http:// or https://".to_owned());
        }
        let client = builder(web_roots(), TIMEOUT).pool_max_idle_per_host(4).build();
        let client = client.map_err(|error| format!("no HTTP client: {error}"))?;
        Ok(Self { client, url, gate: RequestGate::default() })
    }

    /// No more requests than this.
    #[must_use]
    pub fn with_budget(self, budget: Option<Budget>) -> Self {
        Self { gate: RequestGate::new(budget), ..self }
    }

    pub async fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: Value,
    ) -> Result<T, RpcError> {
        let sent = self.gate.pass(1).map_err(RpcError::Held)?;
        let body = json!({"method": method, "params": [params]}).to_string();
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
        let text = read_body(answer, MAX_ANSWER).await.map_err(|error| match error {
            BodyError::Broken(error) => unreachable(error),
            error @ BodyError::TooLong(_) => RpcError::malformed(method, error),
        })?;
        if !status.is_success() {
            return Err(RpcError::Status { method, status: status.as_u16() });
        }
        let answer = read(method, &text);
        if matches!(answer, Err(RpcError::Limited)) {
            self.gate.refused(sent, None);
        } else {
            self.gate.answered(sent);
        }
        answer
    }
}

fn read<T: DeserializeOwned>(method: &'static str, text: &[u8]) -> Result<T, RpcError> {
    let malformed = |error: serde_json::Error| RpcError::malformed(method, error);
    let Envelope { result } = serde_json::from_slice(text).map_err(malformed)?;
    let status: ResultHead = serde_json::from_str(result.get()).map_err(malformed)?;
    match status.error {
        Some(code) if code == "slowDown" => Err(RpcError::Limited),
        Some(code) => {
            let message = status.message.unwrap_or_else(|| code.clone());
            Err(RpcError::Refused { method, code, message })
        }
        None if status.status.as_deref() == Some("success") => {
            serde_json::from_str(result.get()).map_err(malformed)
        }
        None => Err(RpcError::malformed(method, "its status is not success")),
    }
}

impl RpcError {
    pub fn malformed(method: &'static str, why: impl fmt::Display) -> Self {
        Self::Malformed { method, why: why.to_string() }
    }

    pub fn is_limit(&self) -> bool {
        matches!(self, Self::Limited | Self::Held(_))
    }

    /// Returns whether the server answered with this error code.
    pub fn is(&self, expected: &str) -> bool {
        matches!(self, Self::Refused { code, .. } if code == expected)
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(why) => write!(f, "the server cannot be reached: {why}"),
            Self::Limited => f.write_str("the server's rate limit is reached"),
            Self::Held(held) => held.fmt(f),
            Self::Status { method, status } => {
                write!(f, "{method}: the server answered HTTP status {status}")
            }
            Self::Refused { method, code, message } => write!(f, "{method}: {message} ({code})"),
            Self::Malformed { method, why } => {
                write!(f, "{method}: the server's answer cannot be read: {why}")
            }
        }
    }
}

impl std::error::Error for RpcError {}

impl From<RpcError> for ChainError {
    fn from(error: RpcError) -> Self {
        if error.is_limit() {
            return Self(Box::new(RateLimited(error.to_string())));
        }
        Self(Box::new(error))
    }
}

impl From<RpcError> for Unsent {
    fn from(error: RpcError) -> Self {
        Self::Unavailable(Box::new(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        let check = |text: &str, expected: &str| {
            let have = read::<Value>("tx", text.as_bytes())
                .map_or_else(|error| error.to_string(), |ok| ok.to_string());
            assert!(have.contains(expected), "{have}");
        };
        check(r#"{"result":{"status":"success","ledger_index":7}}"#, r#""ledger_index":7"#);
        check(
            r#"{"result":{"error":"actNotFound","error_code":19,"error_message":"Account not found.","status":"error"}}"#,
            "tx: Account not found. (actNotFound)",
        );
        check(r#"{"result":{"error":"slowDown","status":"error"}}"#, "rate limit");
        check(r#"{"result":{}}"#, "status is not success");
        check(r#"{"error":"x"}"#, "cannot be read");
        check("", "cannot be read");
    }
}
