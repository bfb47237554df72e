//! The HTTP interface. Requests have a pause between them, and none is sent while the server asks to wait.

use std::sync::Arc;
use std::time::Duration;

use checkout_chain_http::gate::{RequestGate, Waits};
use checkout_chain_http::{Code, NodeClient, NodeError};
use reqwest::{RequestBuilder, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

const TIMEOUT: Duration = Duration::from_secs(20);

const WAITS: Waits = Waits { first: Duration::from_secs(5), longest: Duration::from_mins(5) };

/// Refusals have the HTTP status as their number, and say nothing about the chain.
#[derive(Debug)]
pub struct Api(NodeClient);

impl Api {
    /// `base` is the URL up to and with `/api`; `between` the pause between two requests.
    pub fn new(base: &str, between: Duration, budget: Arc<RequestGate>) -> Result<Self, String> {
        let client = NodeClient::new(base, TIMEOUT)?.as_folder();
        Ok(Self(client.with_pause(between).with_gate(budget).with_waits(WAITS)))
    }

    pub(crate) async fn json<T: DeserializeOwned>(&self, path: &str) -> Result<T, NodeError> {
        let text = self.text(path).await?;
        serde_json::from_str(&text).map_err(|error| NodeError::malformed(path, error))
    }

    pub(crate) async fn text(&self, path: &str) -> Result<String, NodeError> {
        self.answer(path, self.0.get(path.trim_start_matches('/'), &[])?).await
    }

    /// A list whose entries are read one by one. `after_txid`: mempool's servers go on after this transaction, Blockstream's ignore it.
    pub(crate) async fn list(
        &self,
        path: &str,
        after_txid: Option<&str>,
    ) -> Result<Vec<Box<RawValue>>, NodeError> {
        let query: Vec<(&str, &str)> = after_txid.map(|id| ("after_txid", id)).into_iter().collect();
        let text = self.answer(path, self.0.get(path.trim_start_matches('/'), &query)?).await?;
        serde_json::from_str(&text).map_err(|error| NodeError::malformed(path, error))
    }

    /// `None` if the server says in words that it does not have the object; a status alone can come from a proxy.
    pub(crate) async fn find<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, NodeError> {
        match self.json(path).await {
            Ok(found) => Ok(Some(found)),
            Err(error) if is_not_found(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The same of a text.
    pub(crate) async fn find_text(&self, path: &str) -> Result<Option<String>, NodeError> {
        match self.text(path).await {
            Ok(found) => Ok(Some(found)),
            Err(error) if is_not_found(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Sends a transaction.
    pub(crate) async fn send(&self, hex: String) -> Result<(), NodeError> {
        self.answer("/tx", self.0.post("tx")?.body(hex)).await.map(drop)
    }

    async fn answer(&self, path: &str, request: RequestBuilder) -> Result<String, NodeError> {
        let answer = self.0.send(path, 1, request).await?;
        let is_limit = answer.status == StatusCode::SERVICE_UNAVAILABLE;
        self.0.noted(&answer, if is_limit { Err(NodeError::limited()) } else { Ok(()) })?;
        let text = String::from_utf8(answer.text).map_err(|error| NodeError::malformed(path, error))?;
        if answer.status.is_success() {
            return Ok(text);
        }
        let text: String = text.chars().take(200).collect();
        Err(NodeError::refused(path, Code::Number(answer.status.as_u16().into()), text))
    }
}

/// Whether it concerns only this request, not the server.
pub(crate) fn is_refusal(error: &NodeError) -> bool {
    matches!(error.number(), Some(400..500))
}

/// Whether the server answered, and the error may concern only the object that was asked for.
pub(crate) fn is_about_object(error: &NodeError) -> bool {
    matches!(error, NodeError::Malformed { .. } | NodeError::Refused { .. })
}

fn is_not_found(error: &NodeError) -> bool {
    matches!(error, NodeError::Refused { code: Code::Number(404), message, .. } if message.to_ascii_lowercase().ends_with("not found"))
}

/// Whether a sent transaction spends a coin that another one spends, or that does not exist.
pub(crate) fn is_conflict(error: &NodeError) -> bool {
    let words = ["txn-mempool-conflict", "rejecting replacement", "missingorspent", "Missing inputs"];
    words.iter().any(|words| error.says(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of Blockstream's and mempool's electrs.
    #[test]
    fn only_words_say_that_something_is_missing_or_spent() {
        let check = |status, text: &str, not_found, conflict| {
            let error = NodeError::refused("/tx", Code::Number(status), text);
            assert_eq!((is_not_found(&error), is_conflict(&error)), (not_found, conflict), "{error}");
        };
        check(404, "Transaction not found", true, false);
        check(404, "Block not found", true, false);
        check(404, "<html><h1>404 Not Found</h1></html>", false, false);
        check(500, "Transaction not found", false, false);
        let refused =
            |code, words| format!(r#"sendrawtransaction RPC error: {{"code":{code},"message":"{words}"}}"#);
        check(400, &refused(-26, "txn-mempool-conflict"), false, true);
        check(400, &refused(-25, "bad-txns-inputs-missingorspent"), false, true);
        check(400, &refused(-26, "min relay fee not met, 100 < 200"), false, false);
    }
}
