//! The JSON-RPC of a node of the Bitcoin family.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::{PASSWORD, USER, agent};

#[derive(Clone)]
pub struct Rpc {
    pub(crate) url: String,
}

impl Rpc {
    /// Calls the node or one of its wallets. Returns the result, or code and message of the node's error.
    pub fn try_call(&self, wallet: &str, method: &str, parameters: &Value) -> Result<Value, (i64, String)> {
        let path = if wallet.is_empty() { String::new() } else { format!("/wallet/{wallet}") };
        let unreachable = |problem: String| (0, problem);
        let credentials = STANDARD.encode(format!("{USER}:{PASSWORD}"));
        let answer = agent()
            .post(format!("{}{path}", self.url))
            .header("Authorization", format!("Basic {credentials}"))
            .send_json(json!({"id": 1, "method": method, "params": parameters}));
        let mut answer = answer.map_err(|error| unreachable(error.to_string()))?;
        let mut answer: Value =
            answer.body_mut().read_json().map_err(|error| unreachable(error.to_string()))?;
        match answer["error"].take() {
            Value::Null => Ok(answer["result"].take()),
            error => Err((
                error["code"].as_i64().unwrap_or_default(),
                error["message"].as_str().unwrap_or_default().to_owned(),
            )),
        }
    }

    pub fn call(&self, wallet: &str, method: &str, parameters: &Value) -> Value {
        let answer = self.try_call(wallet, method, parameters);
        answer.unwrap_or_else(|(code, message)| panic!("{method} {parameters}: {message} ({code})"))
    }

    pub fn text(&self, wallet: &str, method: &str, parameters: &Value) -> String {
        self.call(wallet, method, parameters).as_str().unwrap().to_owned()
    }
}
