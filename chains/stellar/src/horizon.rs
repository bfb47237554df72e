//! Horizon's HTTP API.

use std::time::Duration;

use checkout_chain_http::gate::Budget;
use checkout_chain_http::node::NodeAnswer;
use checkout_chain_http::{Code, NodeClient, NodeError};
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::{RequestBuilder, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;

const TIMEOUT: Duration = Duration::from_secs(20);

/// Refusals have the HTTP status as their number.
#[derive(Debug)]
pub struct Horizon(NodeClient);

/// RFC 7807
#[derive(Deserialize)]
struct Problem {
    title: String,
}

impl Horizon {
    pub fn new(url: &str) -> Result<Self, String> {
        Ok(Self(NodeClient::new(url, TIMEOUT)?.as_folder()))
    }

    /// No more requests than this.
    #[must_use]
    pub fn with_budget(self, budget: Option<Budget>) -> Self {
        Self(self.0.with_budget(budget))
    }

    pub async fn get<T: DeserializeOwned>(&self, path: &str, query: &[(&str, &str)]) -> Result<T, NodeError> {
        read(path, &self.answer(path, self.0.get(path, query)?).await?)
    }

    /// Also returns the ledger whose state the answer shows, which Horizon names for accounts and other entries of a ledger.
    pub async fn get_state<T: DeserializeOwned>(&self, path: &str) -> Result<(T, Option<u32>), NodeError> {
        let answer = self.answer(path, self.0.get(path, &[])?).await?;
        let ledger = answer.headers.get(LATEST_LEDGER).and_then(|text| text.to_str().ok()?.parse().ok());
        Ok((read(path, &answer)?, ledger))
    }

    /// Sends a form with one field. Reads the answer at any status, unless it is a server error.
    pub async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        (field, value): (&str, &str),
    ) -> Result<T, NodeError> {
        let form = url::form_urlencoded::Serializer::new(String::new()).append_pair(field, value).finish();
        let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
        let request = self.0.post(path)?.header(CONTENT_TYPE, kind).body(form);
        let answer = self.answer(path, request).await?;
        serde_json::from_slice(&answer.text).or_else(|_| read(path, &answer))
    }

    async fn answer(&self, path: &str, request: RequestBuilder) -> Result<NodeAnswer, NodeError> {
        let answer = self.0.send(path, 1, request).await?;
        self.0.noted(&answer, Ok(()))?;
        Ok(answer)
    }
}

/// The header in which Horizon names the ledger whose state it shows, read in the same database transaction.
const LATEST_LEDGER: &str = "latest-ledger";

fn read<T: DeserializeOwned>(path: &str, answer: &NodeAnswer) -> Result<T, NodeError> {
    if answer.status.is_success() {
        return serde_json::from_slice(&answer.text).map_err(|error| NodeError::malformed(path, error));
    }
    let message = match answer.status {
        StatusCode::GONE => {
            "Horizon has deleted the ledgers to read: use a server with a longer history".to_owned()
        }
        _ => serde_json::from_slice(&answer.text)
            .map_or_else(|_| "no reason".to_owned(), |problem: Problem| problem.title),
    };
    Err(NodeError::refused(path, Code::Number(answer.status.as_u16().into()), message))
}

/// Whether what was asked for is not there.
pub fn is_not_found(error: &NodeError) -> bool {
    error.number() == Some(404)
}
