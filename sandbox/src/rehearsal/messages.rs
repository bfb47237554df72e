//! A callback, with its headers.

use checkout_domain::callback::signature;
use checkout_domain::ports::Clock as _;
use checkout_domain::ports::callbacks::{Post, Posted, WebhookSender};
use checkout_domain::ports::system_clock::SystemClock;
use serde_json::Value;

#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: String,
}

impl Message {
    pub(super) fn of(post: Post<'_>) -> Self {
        Self { headers: post.headers.to_vec(), body: post.body.to_owned() }
    }

    /// Signed now, or this many seconds ago.
    pub(super) fn signed(id: &str, body: String, secret: &str, age: u64) -> Self {
        let timestamp = SystemClock.now().saturating_sub(age);
        let headers = vec![
            ("webhook-signature", signature::header([secret], id, timestamp, &body)),
            ("webhook-id", id.to_owned()),
            ("webhook-timestamp", timestamp.to_string()),
        ];
        Self { headers, body }
    }

    pub(super) fn id(&self) -> &str {
        self.headers.iter().find(|(name, _)| *name == "webhook-id").map_or("", |(_, id)| id)
    }

    pub(super) fn is_about(&self, payment: &str) -> bool {
        self.json()["paymentId"] == payment
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }

    /// The body with a field that the receiver does not know.
    pub(super) fn extended(&self) -> String {
        let open = self.body.strip_suffix('}').unwrap_or(&self.body);
        format!("{open},\"rehearsal\":{{\"added\":true}}}}")
    }

    pub(super) async fn post(&self, sender: &dyn WebhookSender, url: &str) -> Posted {
        sender.post(Post { url, headers: &self.headers, body: &self.body }).await
    }
}
