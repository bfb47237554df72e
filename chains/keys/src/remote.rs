//! A signer outside the gateway, over HTTP.
//!
//! Request: `POST`, `{"network": "XRP", "account": "r…", "message": "<hexadecimal>"}`. Answer: `{"signature": "<hexadecimal>"}`.
//! The message is the whole transaction in the form that its network signs, so that the signer can read what it signs.

use std::error::Error;
use std::time::Duration;

use checkout_chain_http::client::{MAX_SHORT_ANSWER, builder, read_body, reason, web_roots};
use checkout_core::Network;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Url};
use serde::Deserialize;
use serde_json::json;

/// Why signing failed.
pub type SignError = Box<dyn Error + Send + Sync>;

const TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub struct Remote {
    client: Client,
    url: Url,
    network: Network,
    account: String,
}

#[derive(Deserialize)]
struct SignatureAnswer {
    signature: String,
}

impl Remote {
    /// Errors are messages for users. They omit the URL, which may contain a password.
    pub fn new(url: &str, network: Network, account: String) -> Result<Self, String> {
        let url: Url = url.parse().map_err(|error| format!("signer_url cannot be read: {error}"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("signer_url must start with http:// or https://".to_owned());
        }
        let client =
            builder(web_roots(), TIMEOUT).build().map_err(|error| format!("no HTTP client: {error}"))?;
        Ok(Self { client, url, network, account })
    }

    /// The caller checks that the signature is the account's.
    pub async fn sign(&self, message: &[u8]) -> Result<Vec<u8>, SignError> {
        let body = json!({
            "network": self.network.code(), "account": self.account, "message": hex::encode(message)
        });
        let failed = |error: reqwest::Error| format!("the signer: {}", reason(&error.without_url()));
        let answer = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .body(body.to_string())
            .send()
            .await
            .map_err(failed)?;
        if !answer.status().is_success() {
            return Err(format!("the signer answers with status {}", answer.status().as_u16()).into());
        }
        let text = read_body(answer, MAX_SHORT_ANSWER).await;
        let text = text.map_err(|error| format!("the signer's answer cannot be read: {error}"))?;
        let answer: SignatureAnswer = serde_json::from_slice(&text)
            .map_err(|error| format!("the signer's answer cannot be read: {error}"))?;
        hex::decode(answer.signature).map_err(|_| "the signer's signature is not hexadecimal".into())
    }

    /// For signatures that are not the account's.
    pub fn not_ours(&self) -> SignError {
        format!("the signature is not that of {}", self.account).into()
    }
}
