//! A JSON-RPC client for a node.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use checkout_chain_http::{Code, NodeClient, NodeError, RequestIds};
use checkout_core::Network;
use reqwest::StatusCode;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::dialect::Dialect;
use crate::settings::Settings;

const SEND: &str = "sendrawtransaction";

/// Nodes answer at once unless they are processing a block.
const TIMEOUT: Duration = Duration::from_secs(15);

// Error codes: `rpc/protocol.h` of Bitcoin Core.

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

/// Whether the node answered, and the error may concern only the object that was asked about.
pub(crate) fn is_about_object(error: &NodeError) -> bool {
    match error {
        NodeError::Unreachable(_) | NodeError::Limited(_) => false,
        NodeError::Malformed { .. } => true,
        NodeError::Refused { .. } => {
            ![WALLET_NOT_FOUND, WALLET_NOT_SPECIFIED, NO_SUCH_METHOD].map(Some).contains(&error.number())
        }
    }
}

/// Whether the method takes fewer arguments than it was given.
pub(crate) fn is_usage_of(error: &NodeError, method: &str) -> bool {
    matches!(error, NodeError::Refused { code: Code::Number(MISCELLANEOUS), message, .. } if message.starts_with(method))
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
    client: NodeClient,
    url: String,
    credentials: Credentials,
    ids: Arc<RequestIds>,
    pub(crate) dialect: &'static Dialect,
}

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(default)]
    id: Option<u64>,
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
    pub fn new(network: Network, settings: &Settings) -> Self {
        let url = settings.url.trim_end_matches('/').to_owned();
        // Beside an Esplora server the node only pays.
        let gate = if settings.esplora.is_some() { Arc::default() } else { Arc::clone(&settings.gate) };
        let credentials = match (&settings.user, &settings.password, &settings.cookie_file) {
            (Some(user), Some(password), _) => {
                Credentials::Password { user: user.clone(), password: password.clone() }
            }
            (_, _, Some(file)) => Credentials::Cookie(file.clone()),
            _ => Credentials::Password { user: String::new(), password: String::new() },
        };
        let client = NodeClient::new(&url, TIMEOUT).expect("the settings were checked").with_gate(gate);
        Self { client, url, credentials, ids: Arc::default(), dialect: Dialect::of(network) }
    }

    /// The same node, with requests addressed to a wallet.
    #[must_use]
    pub fn wallet(&self, name: &str) -> Self {
        if !self.dialect.has_wallets {
            return self.clone();
        }
        let url = format!("{}/wallet/{}", self.url, escaped(name));
        let client = self.client.at(&url).expect("a path below the node's URL");
        Self { client, url, ..self.clone() }
    }

    pub async fn call<T: DeserializeOwned>(&self, method: &str, parameters: Value) -> Result<T, NodeError> {
        self.call_for(TIMEOUT, method, parameters).await
    }

    /// A request with a longer time limit.
    pub async fn call_for<T: DeserializeOwned>(
        &self,
        timeout: Duration,
        method: &str,
        parameters: Value,
    ) -> Result<T, NodeError> {
        let id = self.ids.next(1);
        let body = json!({"jsonrpc": "1.0", "id": id, "method": method, "params": parameters});
        let (user, password) = self.credentials()?;
        let request = self.client.post_json("", body.to_string())?;
        let request = request.basic_auth(user, Some(password)).timeout(timeout);
        let answer = self.client.send(method, 1, request).await.map_err(unknown)?;
        self.client.noted(&answer, Ok(()))?;
        read(answer.status, (method, id), &answer.text)
    }

    fn credentials(&self) -> Result<(String, String), NodeError> {
        match &self.credentials {
            Credentials::Password { user, password } => Ok((user.clone(), password.clone())),
            Credentials::Cookie(file) => {
                let text = std::fs::read_to_string(file).map_err(|error| {
                    NodeError::Unreachable(format!(
                        "the cookie file cannot be read (is the node running?): {error}"
                    ))
                })?;
                let (user, password) = text.trim().split_once(':').ok_or_else(|| {
                    NodeError::Unreachable("the cookie file is not a node's cookie".to_owned())
                })?;
                Ok((user.to_owned(), password.to_owned()))
            }
        }
    }
}

/// Of an answer that cannot be read nothing is known: it need not be the node's.
fn unknown(error: NodeError) -> NodeError {
    match error {
        NodeError::Malformed { .. } => NodeError::Unreachable(error.to_string()),
        error => error,
    }
}

fn read<T: DeserializeOwned>(
    status: StatusCode,
    (method, id): (&str, u64),
    text: &[u8],
) -> Result<T, NodeError> {
    if status == StatusCode::UNAUTHORIZED {
        return Err(NodeError::Unreachable("the node refuses user and password".to_owned()));
    }
    if status == StatusCode::FORBIDDEN {
        return Err(NodeError::Unreachable(
            "the node refuses this machine or this user (rpcallowip, rpcwhitelist)".to_owned(),
        ));
    }
    let unreadable =
        |error| NodeError::Unreachable(format!("the answer to {method} cannot be read ({status}): {error}"));
    let answer: Answer<'_> = serde_json::from_slice(text).map_err(unreadable)?;
    // What stands before a node can refuse without an id, which says nothing about what was sent.
    let may_lack_id = answer.error.is_some() && method != SEND;
    if answer.id != Some(id) && !(answer.id.is_none() && may_lack_id) {
        let why = format!("the answer to {method} is one to another request, or none");
        return Err(NodeError::Unreachable(why));
    }
    match answer.error {
        Some(Refused { code: WARMING_UP, message }) => {
            Err(NodeError::Unreachable(format!("the node is starting: {message}")))
        }
        Some(Refused { code, message }) => Err(NodeError::refused(method, Code::Number(code), message)),
        None => serde_json::from_str(answer.result.map_or("null", RawValue::get))
            .map_err(|error| NodeError::malformed(method, error)),
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
            let got: Result<u32, NodeError> = read(status, ("getblockcount", 1), text.as_bytes());
            assert_eq!(got.map_err(|error| error.number()), expected, "{status} {text}");
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
            let error = read::<u32>(status, ("getmempoolentry", 1), text.as_bytes()).unwrap_err();
            assert_eq!(is_about_object(&error), expected, "{text}");
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
    fn an_answer_to_another_request_is_none() {
        let check = |method, text: &str, expected: Result<u32, Option<i64>>| {
            let got: Result<u32, NodeError> = read(StatusCode::OK, (method, 5), text.as_bytes());
            assert_eq!(got.map_err(|error| error.number()), expected, "{method} {text}");
        };
        // Bitcoin Core 28 and Knots, asked in the forms 1.0 and 2.0; Litecoin Core and Dogecoin Core have the first one.
        check("getblockcount", r#"{"result":7,"error":null,"id":5}"#, Ok(7));
        check("getblockcount", r#"{"jsonrpc":"2.0","result":7,"id":5}"#, Ok(7));
        let refused = |id| format!(r#"{{"result":null,"error":{{"code":-5,"message":"?"}},"id":{id}}}"#);
        check("getblockcount", &refused("5"), Err(Some(-5)));
        check("getblockcount", &refused("null"), Err(Some(-5)));
        check("getblockcount", r#"{"jsonrpc":"2.0","error":{"code":-5,"message":"?"}}"#, Err(Some(-5)));
        check("getblockcount", &refused("6"), Err(None));
        check("getblockcount", &refused(r#""5""#), Err(None));
        check("getblockcount", r#"{"result":7,"error":null,"id":6}"#, Err(None));
        check("getblockcount", r#"{"result":7,"error":null,"id":"getblockcount"}"#, Err(None));
        check("getblockcount", r#"{"result":7,"error":null,"id":null}"#, Err(None));
        check("getblockcount", r#"{"result":7,"error":null}"#, Err(None));
        check(SEND, &refused("5"), Err(Some(-5)));
        check(SEND, &refused("null"), Err(None));
    }

    #[test]
    fn wallet_names_become_path_segments() {
        let check = |name, expected| assert_eq!(escaped(name), expected);
        check("checkout-deposits", "checkout-deposits");
        check("a/b c?", "a%2Fb%20c%3F");
    }
}
