//! A client for Horizon's HTTP API. It does not retry: the gateway polls every second.

use std::fmt;
use std::time::Duration;

use checkout_gateway::adapters::http_client::{builder, reason, web_roots};
use checkout_gateway::ports::ChainError;
use checkout_gateway::ports::broadcaster::Unsent;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{Client, RequestBuilder, StatusCode, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;

const TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub struct Horizon {
    client: Client,
    base: Url,
}

/// Why a request failed. Only [`NotFound`](Self::NotFound) says something about the ledger.
#[derive(Debug)]
pub enum HorizonError {
    Unreachable(String),
    Limited,
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
        Ok(Self { client, base })
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
        let (status, text) = answer(self.client.get(url)).await?;
        read(path, status, &text)
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
        let (status, text) = answer(self.client.post(url).header(CONTENT_TYPE, kind).body(body)).await?;
        serde_json::from_slice(&text).or_else(|_| read(path, status, &text))
    }

    fn url(&self, path: &str) -> Result<Url, HorizonError> {
        self.base.join(path).map_err(|error| HorizonError::malformed(path, error))
    }
}

async fn answer(request: RequestBuilder) -> Result<(StatusCode, Vec<u8>), HorizonError> {
    let unreachable = |error: reqwest::Error| HorizonError::Unreachable(reason(&error.without_url()));
    let answer = request.send().await.map_err(unreachable)?;
    let status = answer.status();
    Ok((status, answer.bytes().await.map_err(unreachable)?.into()))
}

fn read<T: DeserializeOwned>(path: &str, status: StatusCode, text: &[u8]) -> Result<T, HorizonError> {
    match status {
        StatusCode::NOT_FOUND => Err(HorizonError::NotFound),
        StatusCode::GONE => Err(HorizonError::Gone),
        StatusCode::TOO_MANY_REQUESTS => Err(HorizonError::Limited),
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
    pub fn malformed(path: &str, why: impl fmt::Display) -> Self {
        Self::Malformed { path: path.to_owned(), why: why.to_string() }
    }
}

impl fmt::Display for HorizonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(why) => write!(f, "Horizon cannot be reached: {why}"),
            Self::Limited => f.write_str("Horizon's rate limit is reached"),
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
        Self(Box::new(error))
    }
}

impl From<HorizonError> for Unsent {
    fn from(error: HorizonError) -> Self {
        Self::Unavailable(Box::new(error))
    }
}
