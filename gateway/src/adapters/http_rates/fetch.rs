//! One GET with a time limit and a size limit.

use std::time::Duration;

use checkout_chain_http::client::{MAX_SHORT_ANSWER, builder, read_body, reason, web_roots};
use reqwest::header::{ACCEPT, AGE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response};
use rustls::RootCertStore;
use url::Url;

use super::refusal::FeedRefusal;

pub(super) struct Fetcher {
    client: Client,
    url: Url,
    timeout: Duration,
    headers: HeaderMap,
    limit: usize,
    /// The longest time, in seconds, that a cache on the way may have kept an answer.
    oldest: u64,
}

/// As old as the prices of a feed that says how old they are.
const OLDEST: u64 = 600;

/// Why there is no answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) reason: String,
    /// What an answer without rates says.
    pub(super) refusal: Option<FeedRefusal>,
}

impl Failure {
    /// An answer with status 200 that has no rates, but may say why.
    pub(super) fn of_body(reason: String, body: &[u8]) -> Self {
        let refusal = FeedRefusal::new(200, None, body);
        let is_told = refusal.said.is_empty() || reason.contains(&refusal.said);
        let reason = if is_told { reason } else { format!("{reason}: {}", refusal.said) };
        Self { reason, refusal: Some(refusal) }
    }
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Self { reason, refusal: None }
    }
}

/// Parses a web URL; the error is the end of a sentence.
pub(super) fn read_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| format!("cannot be read: {error}"))?;
    if !matches!(url.scheme(), "https" | "http") || url.host_str().is_none() {
        return Err("has to begin with https:// (or http://, in a network of your own)".to_owned());
    }
    Ok(url)
}

impl Fetcher {
    pub(super) fn new(url: &str, timeout: Duration) -> Result<Self, String> {
        Self::trusting(web_roots(), url, timeout)
    }

    /// With other root certificates than those of the web.
    pub(super) fn trusting(roots: RootCertStore, url: &str, timeout: Duration) -> Result<Self, String> {
        let client = builder(roots, timeout).build().map_err(|error| error.to_string())?;
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
        Ok(Self { client, url: read_url(url)?, timeout, headers, limit: MAX_SHORT_ANSWER, oldest: OLDEST })
    }

    pub(super) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// The longest answer that is read.
    pub(super) fn with_limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }

    /// For a feed whose answers say of when they are.
    pub(super) fn of_any_age(self) -> Self {
        Self { oldest: u64::MAX, ..self }
    }

    /// The server, without the path, in which there may be a secret.
    pub(super) fn server(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// The body of an answer with status 200.
    pub(super) async fn get(&self) -> Result<Vec<u8>, Failure> {
        let request = self.client.get(self.url.clone()).headers(self.headers.clone());
        let response = request
            .send()
            .await
            .map_err(|error| if error.is_timeout() { self.no_whole_answer() } else { reason(&error) })?;
        if response.status().as_u16() != 200 {
            return Err(refused(response).await);
        }
        let age = response.headers().get(AGE).and_then(|age| age.to_str().ok()?.parse::<u64>().ok());
        if let Some(age) = age.filter(|age| *age > self.oldest) {
            return Err(format!("the answer comes from a cache and is {age} seconds old").into());
        }
        let body = read_body(response, self.limit).await;
        body.map_err(|error| format!("the answer broke off or is too long: {error}").into())
    }

    fn no_whole_answer(&self) -> String {
        format!("no whole answer in {} seconds", self.timeout.as_secs())
    }
}

async fn refused(response: Response) -> Failure {
    let status = response.status();
    let wait = response.headers().get(RETRY_AFTER).and_then(|wait| wait.to_str().ok()?.parse().ok());
    let body = read_body(response, MAX_SHORT_ANSWER).await.unwrap_or_default();
    let refusal = FeedRefusal::new(status.as_u16(), wait.map(Duration::from_secs), &body);
    let said = if refusal.said.is_empty() { String::new() } else { format!(": {}", refusal.said) };
    Failure { reason: format!("the feed answered {status}{said}"), refusal: Some(refusal) }
}
