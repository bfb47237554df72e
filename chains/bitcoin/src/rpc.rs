//! A JSON-RPC client for a node.

use std::fmt::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use checkout_chain_http::client;
use checkout_chain_http::gate::RequestGate;
use checkout_chain_http::gate::retry_after;
use checkout_domain::ports::ChainError;
use checkout_domain::ports::broadcaster::Unsent;
use checkout_domain::ports::chain::RateLimited;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::settings::Settings;

/// Nodes answer at once unless they are processing a block.
const TIMEOUT: Duration = Duration::from_secs(15);

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RpcError {
    /// The outcome is unknown: no connection, no answer, or an unreadable one.
    Unknown(String),
    /// Not asked, or refused with HTTP status 429: a rate limit is reached.
    Limited(String),
    /// The node answered, and its result is none that the method has.
    Unreadable(String),
    /// The node refused, with an error code of `rpc/protocol.h` of Bitcoin Core.
    Node { code: i64, message: String },
}

/// Among others, of a wrong number of arguments: the message is the method's help.
const MISCELLANEOUS: i64 = -1;
/// The object does not exist, such as a transaction that is not in the wallet.
pub(crate) const NOT_FOUND: i64 = -5;
pub(crate) const INVALID_PARAMETER: i64 = -8;
pub(crate) const WALLET_NOT_FOUND: i64 = -18;
pub(crate) const UNDECODABLE: i64 = -22;
/// Inputs are missing or already spent.
pub(crate) const TRANSACTION_ERROR: i64 = -25;
/// A rule of the network or of the node's memory pool.
pub(crate) const TRANSACTION_REJECTED: i64 = -26;
pub(crate) const ALREADY_IN_CHAIN: i64 = -27;
/// The node is starting.
const WARMING_UP: i64 = -28;
const WALLET_NOT_SPECIFIED: i64 = -19;
pub(crate) const NO_SUCH_METHOD: i64 = -32601;

impl RpcError {
    pub fn code(&self) -> Option<i64> {
        match self {
            Self::Unknown(_) | Self::Limited(_) | Self::Unreadable(_) => None,
            Self::Node { code, .. } => Some(*code),
        }
    }

    /// Whether the node answered, and the error may concern only the object that was asked about.
    pub(crate) fn is_about_object(&self) -> bool {
        match self {
            Self::Unknown(_) | Self::Limited(_) => false,
            Self::Unreadable(_) => true,
            Self::Node { code, .. } => {
                ![WALLET_NOT_FOUND, WALLET_NOT_SPECIFIED, NO_SUCH_METHOD].contains(code)
            }
        }
    }

    /// Whether the method takes fewer arguments than it was given.
    pub(crate) fn is_usage_of(&self, method: &str) -> bool {
        matches!(self, Self::Node { code: MISCELLANEOUS, message } if message.starts_with(method))
    }

    pub fn says(&self, words: &str) -> bool {
        matches!(self, Self::Node { message, .. } if message.contains(words))
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(problem) | Self::Limited(problem) | Self::Unreadable(problem) => {
                f.write_str(problem)
            }
            Self::Node { code, message } => write!(f, "the node answered: {message} ({code})"),
        }
    }
}

impl std::error::Error for RpcError {}

impl From<RpcError> for ChainError {
    fn from(error: RpcError) -> Self {
        if let RpcError::Limited(why) = error {
            return Self(Box::new(RateLimited(why)));
        }
        Self(Box::new(error))
    }
}

impl From<RpcError> for Unsent {
    fn from(error: RpcError) -> Self {
        Self::Unavailable(Box::new(error))
    }
}

/// Credentials of requests.
#[derive(Clone)]
enum Credentials {
    Password {
        user: String,
        password: String,
    },
    /// Read for each request, because the node writes a new one at each start.
    Cookie(PathBuf),
}

/// A node, or one of its wallets.
#[derive(Clone)]
pub struct Node {
    client: Client,
    url: String,
    credentials: Credentials,
    gate: Arc<RequestGate>,
}

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
    #[serde(default)]
    error: Option<Refused>,
}

#[derive(Deserialize)]
struct Refused {
    code: i64,
    message: String,
}

impl Node {
    /// `settings` must have passed [`check`](Settings::check).
    pub fn new(settings: &Settings) -> Self {
        let client = client::builder(client::web_roots(), TIMEOUT).pool_max_idle_per_host(4).build();
        let credentials = match (&settings.user, &settings.password, &settings.cookie_file) {
            (Some(user), Some(password), _) => {
                Credentials::Password { user: user.clone(), password: password.clone() }
            }
            (_, _, Some(file)) => Credentials::Cookie(file.clone()),
            _ => Credentials::Password { user: String::new(), password: String::new() },
        };
        Self {
            client: client.expect("the client's settings are valid"),
            url: settings.url.trim_end_matches('/').to_owned(),
            credentials,
            // Beside an Esplora server the node only pays.
            gate: if settings.esplora.is_some() { Arc::default() } else { Arc::clone(&settings.gate) },
        }
    }

    /// The same node, with requests addressed to a wallet.
    #[must_use]
    pub fn wallet(&self, name: &str) -> Self {
        Self { url: format!("{}/wallet/{}", self.url, escaped(name)), ..self.clone() }
    }

    pub async fn call<T: DeserializeOwned>(&self, method: &str, parameters: Value) -> Result<T, RpcError> {
        self.call_for(TIMEOUT, method, parameters).await
    }

    /// A request with a longer time limit.
    pub async fn call_for<T: DeserializeOwned>(
        &self,
        timeout: Duration,
        method: &str,
        parameters: Value,
    ) -> Result<T, RpcError> {
        let body = json!({"jsonrpc": "1.0", "id": method, "method": method, "params": parameters});
        let (user, password) = self.credentials()?;
        let sent = self.gate.pass(1).map_err(|held| RpcError::Limited(held.to_string()))?;
        let request = self.client.post(&self.url).basic_auth(user, Some(password)).timeout(timeout);
        let request = request.header(CONTENT_TYPE, "application/json").body(body.to_string());
        let unknown = |error: reqwest::Error| RpcError::Unknown(client::reason(&error));
        let answer = request.send().await.map_err(unknown)?;
        let status = answer.status();
        if status == StatusCode::TOO_MANY_REQUESTS {
            self.gate.refused(sent, retry_after(answer.headers()));
            return Err(RpcError::Limited("the server's rate limit is reached".to_owned()));
        }
        self.gate.answered(sent);
        let text = client::read_body(answer, client::MAX_ANSWER).await;
        let text = text.map_err(|error| RpcError::Unknown(format!("the answer cannot be read: {error}")))?;
        read(status, method, &text)
    }

    fn credentials(&self) -> Result<(String, String), RpcError> {
        match &self.credentials {
            Credentials::Password { user, password } => Ok((user.clone(), password.clone())),
            Credentials::Cookie(file) => {
                let text = std::fs::read_to_string(file).map_err(|error| {
                    RpcError::Unknown(format!(
                        "the cookie file cannot be read (is the node running?): {error}"
                    ))
                })?;
                let (user, password) = text
                    .trim()
                    .split_once(':')
                    .ok_or_else(|| RpcError::Unknown("the cookie file is not a node's cookie".to_owned()))?;
                Ok((user.to_owned(), password.to_owned()))
            }
        }
    }
}

fn read<T: DeserializeOwned>(status: StatusCode, method: &str, text: &[u8]) -> Result<T, RpcError> {
    if status == StatusCode::UNAUTHORIZED {
        return Err(RpcError::Unknown("the node refuses user and password".to_owned()));
    }
    if status == StatusCode::FORBIDDEN {
        return Err(RpcError::Unknown(
            "the node refuses this machine or this user (rpcallowip, rpcwhitelist)".to_owned(),
        ));
    }
    let unreadable =
        |error| RpcError::Unknown(format!("the answer to {method} cannot be read ({status}): {error}"));
    let answer: Answer<'_> = serde_json::from_slice(text).map_err(unreadable)?;
    match answer.error {
        Some(Refused { code: WARMING_UP, message }) => {
            Err(RpcError::Unknown(format!("the node is starting: {message}")))
        }
        Some(Refused { code, message }) => Err(RpcError::Node { code, message }),
        None => serde_json::from_str(answer.result.map_or("null", RawValue::get))
            .map_err(|error| RpcError::Unreadable(format!("the result of {method} cannot be read: {error}"))),
    }
}

/// A wallet's name as a path segment.
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_unknown_or_a_refusal() {
        let check = |status: u16, text: &str, expected: Result<u32, Option<i64>>| {
            let status = StatusCode::from_u16(status).unwrap();
            let got: Result<u32, RpcError> = read(status, "getblockcount", text.as_bytes());
            assert_eq!(got.map_err(|error| error.code()), expected, "{status} {text}");
        };
        check(200, r#"{"result":7,"error":null,"id":1}"#, Ok(7));
        check(
            500,
            r#"{"result":null,"error":{"code":-5,"message":"Block not found"},"id":1}"#,
            Err(Some(-5)),
        );
        check(
            500,
            r#"{"result":null,"error":{"code":-28,"message":"Loading block index…"},"id":1}"#,
            Err(None),
        );
        check(401, "", Err(None));
        check(403, "", Err(None));
        check(503, "Work queue depth exceeded", Err(None));
        check(200, r#"{"result":"seven","error":null,"id":1}"#, Err(None));
        check(200, r#"{"result":null,"error":null,"id":1}"#, Err(None));
        check(200, "<html>", Err(None));
    }

    #[test]
    fn an_error_concerns_one_object_or_the_node() {
        let check = |text: &str, expected| {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            let error = read::<u32>(status, "getmempoolentry", text.as_bytes()).unwrap_err();
            assert_eq!(error.is_about_object(), expected, "{text}");
        };
        check(r#"{"result":null,"error":{"code":-32603,"message":"?"},"id":1}"#, true);
        check(r#"{"result":{"fees":7},"error":null,"id":1}"#, true);
        check(
            r#"{"result":null,"error":{"code":-18,"message":"Requested wallet does not exist"},"id":1}"#,
            false,
        );
        check(r#"{"result":null,"error":{"code":-32601,"message":"Method not found"},"id":1}"#, false);
        check(r#"{"result":null,"error":{"code":-28,"message":"Loading"},"id":1}"#, false);
        check("Work queue depth exceeded", false);
    }

    #[test]
    fn wallet_names_become_path_segments() {
        let check = |name, expected| assert_eq!(escaped(name), expected);
        check("checkout-deposits", "checkout-deposits");
        check("a/b c?", "a%2Fb%20c%3F");
    }
}
