//! A client for Horizon's HTTP API. It does not retry: the gateway polls every second.

use std::fmt;
use std::time::Duration;

use checkout_chain_http::client::{BodyError, MAX_ANSWER, builder, read_body, reason, web_roots};
use checkout_chain_http::gate::{Budget, Held, RequestGate, retry_after};
use checkout_domain::ports::ChainError;
use checkout_domain::ports::broadcaster::Unsent;
use checkout_domain::ports::chain::RateLimited;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{Client, RequestBuilder, StatusCode, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;

const TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub struct Horizon {
    client: Client,
    base: Url,
    gate: RequestGate,
}

/// Why a request failed. Only [`NotFound`](Self::NotFound) says something about the ledger.
#[derive(Debug)]
pub enum HorizonError {
    Unreachable(String),
    Limited,
    /// Not asked.
    Held(Held),
    NotFound,
    /// The server has deleted the requested ledgers.
    Gone,
    Refused {
        path: String,
        status: u16,
        title: String,
    },
    Malformed {
        path: String,
        why: String,
    },
}

/// RFC 7807
#[derive(Deserialize)]
struct Problem {
    title: String,
}

impl Horizon {
    /// Errors are messages for users. They omit the URL, which may contain a provider's key.
    pub fn new(url: &str) -> Result<Self, String> {
        let mut base: Url =
            url.parse().map_err(|error| format!("the URL of Horizon cannot be read: {error}"))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err("the URL of Horizon must start with http:// or https://".to_owned());
        }
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        let client = builder(web_roots(), TIMEOUT).pool_max_idle_per_host(4).build();
        let client = client.map_err(|error| format!("no HTTP client: {error}"))?;
        Ok(Self { client, base, gate: RequestGate::default() })
    }

    /// No more requests than this.
    #[must_use]
    pub fn with_budget(self, budget: Option<Budget>) -> Self {
        Self { gate: RequestGate::new(budget), ..self }
    }

    pub async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<T, HorizonError> {
        let mut url = self.url(path)?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let answer = self.answer(self.client.get(url)).await?;
        read(path, answer.status, &answer.text)
    }

    /// Also returns the ledger whose state the answer shows, which Horizon names for accounts and other entries of a ledger.
    pub async fn get_state<T: DeserializeOwned>(&self, path: &str) -> Result<(T, Option<u32>), HorizonError> {
        let answer = self.answer(self.client.get(self.url(path)?)).await?;
        Ok((read(path, answer.status, &answer.text)?, answer.ledger))
    }

    /// Sends a form with one field. Reads the answer at any status, unless it is a server error.
    pub async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        (field, value): (&str, &str),
    ) -> Result<T, HorizonError> {
        let url = self.url(path)?;
        let mut form = url.clone();
        form.set_query(None);
        form.query_pairs_mut().append_pair(field, value);
        let body = form.query().unwrap_or_default().to_owned();
        let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
        let answer = self.answer(self.client.post(url).header(CONTENT_TYPE, kind).body(body)).await?;
        serde_json::from_slice(&answer.text).or_else(|_| read(path, answer.status, &answer.text))
    }

    async fn answer(&self, request: RequestBuilder) -> Result<Answer, HorizonError> {
        let sent = self.gate.pass(1).map_err(HorizonError::Held)?;
        let unreachable = |error: reqwest::Error| HorizonError::Unreachable(reason(&error.without_url()));
        let answer = request.send().await.map_err(unreachable)?;
        let (status, path) = (answer.status(), answer.url().path().to_owned());
        if status == StatusCode::TOO_MANY_REQUESTS {
            self.gate.refused(sent, retry_after(answer.headers()));
            return Err(HorizonError::Limited);
        }
        self.gate.answered(sent);
        let ledger = answer.headers().get(LATEST_LEDGER).and_then(|text| text.to_str().ok()?.parse().ok());
        let text = read_body(answer, MAX_ANSWER).await.map_err(|error| match error {
            BodyError::Broken(error) => unreachable(error),
            error @ BodyError::TooLong(_) => HorizonError::malformed(&path, error),
        })?;
        Ok(Answer { status, text, ledger })
    }

    fn url(&self, path: &str) -> Result<Url, HorizonError> {
        self.base.join(path).map_err(|error| HorizonError::malformed(path, error))
    }
}

/// The header in which Horizon names the ledger whose state it shows, read in the same database transaction.
const LATEST_LEDGER: &str = "latest-ledger";

struct Answer {
    status: StatusCode,
    text: Vec<u8>,
    ledger: Option<u32>,
}

fn read<T: DeserializeOwned>(path: &str, status: StatusCode, text: &[u8]) -> Result<T, HorizonError> {
    match status {
        StatusCode::NOT_FOUND => Err(HorizonError::NotFound),
        StatusCode::GONE => Err(HorizonError::Gone),
        _ if status.is_success() => {
            serde_json::from_slice(text).map_err(|error| HorizonError::malformed(path, error))
        }
        _ => {
            let title = serde_json::from_slice(text)
                .map_or_else(|_| "no reason".to_owned(), |problem: Problem| problem.title);
            Err(HorizonError::Refused { path: path.to_owned(), status: status.as_u16(), title })
        }
    }
}

impl HorizonError {
    pub fn is_limit(&self) -> bool {
        matches!(self, Self::Limited | Self::Held(_))
    }

    pub fn malformed(path: &str, why: impl fmt::Display) -> Self {
        Self::Malformed { path: path.to_owned(), why: why.to_string() }
    }
}

impl fmt::Display for HorizonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(why) => write!(f, "Horizon cannot be reached: {why}"),
            Self::Limited => f.write_str("Horizon's rate limit is reached"),
            Self::Held(held) => held.fmt(f),
            Self::NotFound => f.write_str("Horizon answered 404"),
            Self::Gone => {
                f.write_str("Horizon has deleted the ledgers to read: use a server with a longer history")
            }
            Self::Refused { path, status, title } => write!(f, "{path}: Horizon answered {status}, {title}"),
            Self::Malformed { path, why } => write!(f, "{path}: Horizon's answer cannot be read: {why}"),
        }
    }
}

impl std::error::Error for HorizonError {}

impl From<HorizonError> for ChainError {
    fn from(error: HorizonError) -> Self {
        if error.is_limit() {
            return Self(Box::new(RateLimited(error.to_string())));
        }
        Self(Box::new(error))
    }
}

impl From<HorizonError> for Unsent {
    fn from(error: HorizonError) -> Self {
        Self::Unavailable(Box::new(error))
    }
}
