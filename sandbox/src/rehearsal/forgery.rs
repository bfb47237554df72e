//! Requests that the gateway would never send.

use checkout_domain::callback::signature::new_secret;
use serde_json::json;

use super::messages::Message;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgery {
    Unsigned,
    WrongSecret,
    ChangedBody,
    OldTimestamp,
    TenMegabytes,
}

const OLD: u64 = 600;
const TEN_MEGABYTES: usize = 10_000_000;

impl Forgery {
    /// Made of a callback of the gateway. `secret` is that of the shop.
    pub(super) fn message(self, genuine: &Message, secret: &str) -> Message {
        let signed = |body: &str, secret: &str, age| {
            let id = format!("{}-forged", genuine.id());
            Message::signed(&id, body.to_owned(), secret, age)
        };
        match self {
            Self::Unsigned => Message { headers: Vec::new(), body: genuine.body.clone() },
            Self::WrongSecret => signed(&genuine.body, &new_secret([7; 32]), 0),
            Self::ChangedBody => {
                let mut body = genuine.json();
                body["actualDisplayAmount"] = body["expectedDisplayAmount"].clone();
                body["actualDepositAmount"] = body["expectedDepositAmount"].clone();
                Message { headers: genuine.headers.clone(), body: body.to_string() }
            }
            Self::OldTimestamp => signed(&genuine.body, secret, OLD),
            Self::TenMegabytes => {
                let body = json!({"paymentId": "none", "padding": "x".repeat(TEN_MEGABYTES)}).to_string();
                Message { headers: Vec::new(), body }
            }
        }
    }

    /// The end of a sentence: "a request …".
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Unsigned => "without a signature",
            Self::WrongSecret => "signed with another secret",
            Self::ChangedBody => "whose body is not the one that was signed",
            Self::OldTimestamp => "signed ten minutes ago",
            Self::TenMegabytes => "of 10 MB without a signature",
        }
    }
}
