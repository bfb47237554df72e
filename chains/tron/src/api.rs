//! The HTTP interface of java-tron: `POST /wallet/…` of the newest blocks, `/walletsolidity/…` of solidified ones.

use std::time::Duration;

use checkout_chain_http::gate::Budget;
use checkout_chain_http::{Code, NodeClient, NodeError};
use reqwest::StatusCode;
use reqwest::header::{HeaderName, HeaderValue};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

const TIMEOUT: Duration = Duration::from_secs(20);

/// The header in which TronGrid wants its key.
const KEY: HeaderName = HeaderName::from_static("tron-pro-api-key");

/// TronGrid takes 15 requests a second with a key, and stops answering for a while after more.
const BETWEEN: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub struct Api(NodeClient);

#[derive(Deserialize)]
struct Fault {
    #[serde(rename = "Error", alias = "error")]
    message: Option<String>,
}

impl Api {
    /// Errors are messages for users and repeat neither the key nor the URL.
    pub fn new(url: &str, key: Option<&str>) -> Result<Self, String> {
        let client = NodeClient::new(url, TIMEOUT)?.as_folder().with_pause(BETWEEN);
        let Some(key) = key else { return Ok(Self(client)) };
        let key = HeaderValue::from_str(key);
        let key = key.map_err(|_| "the API key has characters that no header may have".to_owned())?;
        Ok(Self(client.with_key(KEY, key)))
    }

    /// No more requests than this.
    #[must_use]
    pub fn with_budget(self, budget: Option<Budget>) -> Self {
        Self(self.0.with_budget(budget))
    }

    /// The least time from one request to the next, for a server with other limits.
    #[must_use]
    pub fn with_pause(self, between: Duration) -> Self {
        Self(self.0.with_pause(between))
    }

    pub async fn call<T: DeserializeOwned>(&self, path: &'static str, body: Value) -> Result<T, NodeError> {
        let answer = self.0.send(path, 1, self.0.post_json(path, body.to_string())?).await?;
        let read = match answer.status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(denied(&answer.text)),
            status if status.is_success() => read(path, &answer.text),
            status => Err(NodeError::status(path, status.as_u16())),
        };
        self.0.noted(&answer, read)
    }
}

/// TronGrid answers 403 for both.
fn denied(text: &[u8]) -> NodeError {
    let words = String::from_utf8_lossy(text).to_ascii_lowercase();
    if words.contains("rate") || words.contains("exceed") {
        NodeError::limited()
    } else {
        NodeError::Unreachable("the server refuses the API key".to_owned())
    }
}

fn read<T: DeserializeOwned>(path: &'static str, text: &[u8]) -> Result<T, NodeError> {
    // Errors are objects, and so are most answers.
    if text.starts_with(b"{")
        && let Ok(Fault { message: Some(message) }) = serde_json::from_slice::<Fault>(text)
    {
        return Err(NodeError::refused(path, Code::None, message));
    }
    // `LiteFnQueryHttpFilter` of java-tron answers in plain words, with status 200.
    if text.starts_with(b"this API is closed") {
        return Err(NodeError::refused(path, Code::None, String::from_utf8_lossy(text)));
    }
    serde_json::from_slice(text).map_err(|error| NodeError::malformed(path, error))
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
        assert!(matches!(denied(b"The key exceeds the frequency limit(15)"), NodeError::Limited(_)));
        assert!(matches!(denied(b"invalid apiKey"), NodeError::Unreachable(_)));
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
