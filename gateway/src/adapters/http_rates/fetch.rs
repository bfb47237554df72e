//! One GET with a time limit and a size limit.

use std::time::Duration;

use checkout_chain_http::client::{MAX_SHORT_ANSWER, builder, read_body, reason, web_roots};
use reqwest::Client;
use reqwest::header::ACCEPT;
use rustls::RootCertStore;
use url::Url;

pub(super) struct Fetcher {
    client: Client,
    url: Url,
    timeout: Duration,
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
        Ok(Self { client, url: read_url(url)?, timeout })
    }

    /// The body of an answer with status 200.
    pub(super) async fn get(&self) -> Result<Vec<u8>, String> {
        let request = self.client.get(self.url.clone()).header(ACCEPT, "application/json");
        let response = request
            .send()
            .await
            .map_err(|error| if error.is_timeout() { self.no_whole_answer() } else { reason(&error) })?;
        let status = response.status();
        if status.as_u16() != 200 {
            return Err(format!("the feed answered {status}"));
        }
        let body = read_body(response, MAX_SHORT_ANSWER).await;
        body.map_err(|error| format!("the answer broke off or is too long: {error}"))
    }

    fn no_whole_answer(&self) -> String {
        format!("no whole answer in {} seconds", self.timeout.as_secs())
    }
}
