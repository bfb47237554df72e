//! The merchant's shop: where it opens orders, and what it says about them.

use std::str::FromStr;
use std::time::Duration;

use checkout_chain_http::client::{builder, read_body, reason, web_roots};
use reqwest::{Client, Method, StatusCode};
use serde_json::Value;
use tokio::time::{Instant, sleep};

/// Is replaced by the order's id in a status URL.
pub const PLACEHOLDER: &str = "{clientPaymentId}";

const TIMEOUT: Duration = Duration::from_secs(20);
const MAX_ANSWER: usize = 1 << 20;
const LOOK: Duration = Duration::from_millis(100);

#[derive(Clone, Debug)]
pub struct ShopUrls {
    /// Opens an order: the shop creates its payment at the gateway of the rehearsal. Without it, the rehearsal does.
    pub order: Option<String>,
    /// The body of that request, JSON.
    pub order_body: String,
    /// The prefix of the ids of the orders that the rehearsal creates.
    pub order_prefix: String,
    /// Says what the shop believes about an order; has [`PLACEHOLDER`].
    pub status: Option<String>,
    pub paid_when: PaidWhen,
}

/// How a status answer says that an order is paid. A text that begins with `/` is a JSON pointer, with the value after `=`, `true`
/// if there is none. Any other text is searched for in the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaidWhen {
    Pointer { pointer: String, value: Value },
    Contains(String),
}

impl FromStr for PaidWhen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("must not be empty".to_owned());
        }
        if !text.starts_with('/') {
            return Ok(Self::Contains(text.to_owned()));
        }
        let (pointer, value) = text.split_once('=').unwrap_or((text, "true"));
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
        Ok(Self::Pointer { pointer: pointer.to_owned(), value })
    }
}

impl PaidWhen {
    fn holds(&self, answer: &str) -> bool {
        match self {
            Self::Contains(text) => answer.contains(text),
            Self::Pointer { pointer, value } => {
                let json: Value = serde_json::from_str(answer).unwrap_or(Value::Null);
                json.pointer(pointer) == Some(value)
            }
        }
    }
}

/// The answer of a status URL.
#[derive(Clone, Debug)]
pub(super) struct Belief {
    status: StatusCode,
    pub(super) is_paid: bool,
}

pub(super) struct Shop {
    client: Client,
    pub(super) urls: ShopUrls,
    pub(super) patience: Duration,
}

impl Shop {
    pub(super) fn new(urls: ShopUrls, patience: Duration) -> Result<Self, String> {
        let client = builder(web_roots(), TIMEOUT).build().map_err(|error| reason(&error))?;
        Ok(Self { client, urls, patience })
    }

    /// Lets the shop open an order.
    pub(super) async fn open_order(&self, url: &str) -> Result<(), String> {
        let request = self.client.post(url).header("content-type", "application/json");
        let sent = request.body(self.urls.order_body.clone()).send().await;
        let response = sent.map_err(|error| format!("{url} does not answer: {}", reason(&error)))?;
        let status = response.status();
        if status.is_success() { Ok(()) } else { Err(format!("{url} answered {status}")) }
    }

    /// Why the shop's belief is wrong; `None` if it is right, or if there is no status URL. A shop may be slow to believe that an
    /// order is paid; it must not believe so for a moment when it is not.
    pub(super) async fn objection(&self, order: &str, paid: bool) -> Option<String> {
        let template = self.urls.status.as_ref()?;
        let url = template.replace(PLACEHOLDER, &percent(order));
        let started = Instant::now();
        let end = started + if paid { self.patience } else { self.patience / 10 };
        loop {
            let believed = self.ask(&url).await;
            let objection = match believed {
                Err(error) => Some(format!("the status URL does not answer: {error}")),
                Ok(Belief { is_paid: true, .. }) if !paid => {
                    return Some("the shop says that the order is paid".to_owned());
                }
                Ok(Belief { is_paid, status }) if is_paid != paid => Some(format!(
                    "the shop does not say that the order is paid (its status URL answered {})",
                    status.as_u16()
                )),
                Ok(_) => None,
            };
            if paid && objection.is_none() || Instant::now() >= end {
                return objection;
            }
            sleep(LOOK).await;
        }
    }

    async fn ask(&self, url: &str) -> Result<Belief, String> {
        let response = self.client.request(Method::GET, url).send().await.map_err(|error| reason(&error))?;
        let status = response.status();
        let bytes = read_body(response, MAX_ANSWER).await.map_err(|error| error.to_string())?;
        let is_paid = status.is_success() && self.urls.paid_when.holds(&String::from_utf8_lossy(&bytes));
        Ok(Belief { status, is_paid })
    }
}

/// As part of a URL's path or query.
fn percent(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paid_is_what_the_merchant_says() {
        let check = |rule: &str, answer: &str, expected: bool| {
            assert_eq!(rule.parse::<PaidWhen>().unwrap().holds(answer), expected, "{rule}: {answer}");
        };
        check("/paid", r#"{"paid": true}"#, true);
        check("/paid", r#"{"paid": "true"}"#, false);
        check("/paid", r#"{"paid": false}"#, false);
        check("/paid", "paid", false);
        check("/order/status=shipped", r#"{"order": {"status": "shipped"}}"#, true);
        check("/order/status=shipped", r#"{"order": {"status": "new"}}"#, false);
        check("/open=0", r#"{"open": 0}"#, true);
        check("Thank you", "<h1>Thank you</h1>", true);
        check("Thank you", "<h1>Please pay</h1>", false);
        assert!("".parse::<PaidWhen>().is_err());
    }

    #[test]
    fn ids_fit_into_urls() {
        assert_eq!(percent("a/b c+ü"), "a%2Fb%20c%2B%C3%BC");
    }
}
