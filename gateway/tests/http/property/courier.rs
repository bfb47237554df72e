//! The merchants' endpoint: stores callbacks, and answers by the scene's random bits.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use checkout_domain::callback::Outcome;
use checkout_domain::ports::callbacks::{Post, Posted, WebhookSender};
use serde_json::value::RawValue;
use tokio::sync::Notify;

#[derive(Default)]
pub(super) struct Merchants {
    inbox: Mutex<Inbox>,
    last_came: Notify,
}

#[derive(Default)]
struct Inbox {
    /// One bit per callback, from the lowest: 0 accepts it, 1 refuses it.
    answers: u64,
    /// Number of callbacks until the gateway dies.
    until_death: Option<usize>,
    /// Callbacks since the last call of `news`.
    news: Vec<Told>,
    /// The body of each `webhook-id`.
    bodies: BTreeMap<String, String>,
    /// The `webhook-id` of each subject.
    ids: BTreeMap<String, String>,
    /// A contract violation: one event with two bodies, or one subject with two callbacks.
    wrong: Option<String>,
}

/// One callback as received.
#[derive(Clone, Debug)]
pub(super) struct Told {
    /// A deposit's id, or a withdrawal's merchant id.
    pub(super) subject: String,
    pub(super) amount: String,
    pub(super) rate_type: String,
    /// A withdrawal's status.
    pub(super) status: String,
    /// Its `webhook-id` had another body.
    pub(super) is_rewritten: bool,
    pub(super) taken: bool,
}

impl Merchants {
    /// Sets the answers, and the number of callbacks after which the gateway is dead.
    pub(super) fn answer(&self, answers: u64, until_death: Option<usize>) {
        let mut inbox = self.inbox.lock().unwrap();
        (inbox.answers, inbox.until_death) = (answers, until_death);
    }

    /// Completes when the last callback before the gateway's death has arrived.
    pub(super) async fn unheard(&self) {
        self.last_came.notified().await;
    }

    /// Returns the answer, or `None` when the gateway dies before it.
    fn take(&self, post: &Post<'_>) -> Option<u16> {
        let id = post.headers.iter().find(|(name, _)| *name == "webhook-id").unwrap().1.clone();
        let fields: BTreeMap<String, Box<RawValue>> = serde_json::from_str(post.body).unwrap();
        if fields.contains_key("type") {
            return Some(self.take_event(&id, post.body));
        }
        let text = |name: &str| fields.get(name).map(|value| value.get().trim_matches('"').to_owned());
        let subject = text("depositId").or_else(|| text("clientWithdrawalId")).unwrap();
        let [amount, rate_type, status] =
            ["actualDepositAmount", "rateType", "status"].map(|name| text(name).unwrap_or_default());
        let mut inbox = self.inbox.lock().unwrap();
        if inbox.until_death == Some(0) {
            return None;
        }
        let taken = inbox.answers & 1 == 0;
        inbox.answers >>= 1;
        let known_body = inbox.bodies.insert(id.clone(), post.body.to_owned());
        let is_rewritten = known_body.is_some_and(|known| known != post.body);
        let known_id = inbox.ids.entry(subject.clone()).or_insert_with(|| id.clone()).clone();
        if known_id != id {
            inbox.wrong = Some(format!("{subject} has callbacks {known_id} and {id}"));
        }
        inbox.news.push(Told { subject, amount, rate_type, status, is_rewritten, taken });
        if let Some(left) = &mut inbox.until_death {
            *left -= 1;
            if *left == 0 {
                self.last_came.notify_one();
                return None;
            }
        }
        Some(if taken { 200 } else { 500 })
    }

    /// Events are compared by what is stored.
    fn take_event(&self, id: &str, body: &str) -> u16 {
        let mut inbox = self.inbox.lock().unwrap();
        let known_body = inbox.bodies.entry(id.to_owned()).or_insert_with(|| body.to_owned());
        if known_body != body {
            inbox.wrong = Some(format!("event {id} has two bodies"));
        }
        200
    }

    pub(super) fn news(&self) -> Result<Vec<Told>, String> {
        let mut inbox = self.inbox.lock().unwrap();
        let news = std::mem::take(&mut inbox.news);
        inbox.wrong.take().map_or(Ok(news), Err)
    }
}

#[async_trait]
impl WebhookSender for Merchants {
    async fn post(&self, post: Post<'_>) -> Posted {
        let Some(status) = self.take(&post) else {
            return std::future::pending().await;
        };
        Posted { outcome: Outcome::Answered { status }, retry_after: None }
    }
}
