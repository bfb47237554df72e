//! rippled's JSON-RPC: `{"method", "params": [{…}]}`, answered by `{"result": {"status", …}}`.

use std::time::Duration;

use checkout_chain_http::gate::Budget;
use checkout_chain_http::{Code, NodeClient, NodeError};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

const TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub struct Rpc(NodeClient);

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
    pub fn new(url: &str) -> Result<Self, String> {
        Ok(Self(NodeClient::new(url, TIMEOUT)?))
    }

    /// No more requests than this.
    #[must_use]
    pub fn with_budget(self, budget: Option<Budget>) -> Self {
        Self(self.0.with_budget(budget))
    }

    pub async fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: Value,
    ) -> Result<T, NodeError> {
        let body = json!({"method": method, "params": [params]}).to_string();
        let answer = self.0.send(method, 1, self.0.post_json("", body)?).await?;
        if !answer.status.is_success() {
            return Err(NodeError::status(method, answer.status.as_u16()));
        }
        self.0.noted(&answer, read(method, &answer.text))
    }
}

fn read<T: DeserializeOwned>(method: &'static str, text: &[u8]) -> Result<T, NodeError> {
    let malformed = |error: serde_json::Error| NodeError::malformed(method, error);
    let Envelope { result } = serde_json::from_slice(text).map_err(malformed)?;
    let status: ResultHead = serde_json::from_str(result.get()).map_err(malformed)?;
    match status.error {
        Some(code) if code == "slowDown" => Err(NodeError::limited()),
        Some(code) => {
            let message = status.message.unwrap_or_else(|| code.clone());
            Err(NodeError::refused(method, Code::Name(code), message))
        }
        None if status.status.as_deref() == Some("success") => {
            serde_json::from_str(result.get()).map_err(malformed)
        }
        None => Err(NodeError::malformed(method, "its status is not success")),
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
