//! The network between the gateway and the receiver: a story decides what becomes of a request.

use std::collections::VecDeque;
use std::mem::take;
use std::sync::Arc;

use async_trait::async_trait;
use checkout_domain::callback::Outcome;
use checkout_domain::ports::callbacks::{Post, Posted, WebhookSender};
use parking_lot::Mutex;

use super::messages::Message;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Fate {
    #[default]
    Arrives,
    /// It stays on its way; the gateway is told that it was answered.
    Stays,
    RequestLost,
    /// It arrives, and the gateway is told that nobody answered.
    AnswerLost,
}

#[derive(Default)]
struct WireState {
    /// The payment of the story. Callbacks of earlier stories are not sent any more.
    payment: String,
    /// Of the next requests; the others arrive.
    fates: VecDeque<Fate>,
    on_their_way: Vec<Message>,
    /// The answers of the receiver.
    answers: Vec<Outcome>,
    /// The number of requests that the gateway sent.
    sent: usize,
}

pub(super) struct Wire {
    pub(super) sender: Arc<dyn WebhookSender>,
    state: Mutex<WireState>,
}

impl Wire {
    pub(super) fn new(sender: Arc<dyn WebhookSender>) -> Self {
        Self { sender, state: Mutex::default() }
    }

    pub(super) fn begin(&self, payment: &str) {
        *self.state.lock() = WireState { payment: payment.to_owned(), ..WireState::default() };
    }

    pub(super) fn set(&self, fates: impl IntoIterator<Item = Fate>) {
        self.state.lock().fates = fates.into_iter().collect();
    }

    /// The answers since the last call.
    pub(super) fn answers(&self) -> Vec<Outcome> {
        take(&mut self.state.lock().answers)
    }

    /// The requests that are held back, oldest first.
    pub(super) fn on_their_way(&self) -> Vec<Message> {
        self.state.lock().on_their_way.clone()
    }

    /// How many requests the gateway sent since the last call.
    pub(super) fn sent(&self) -> usize {
        take(&mut self.state.lock().sent)
    }

    fn fate(&self, message: &Message) -> Option<Fate> {
        let mut state = self.state.lock();
        if !message.is_about(&state.payment) {
            return None;
        }
        state.sent += 1;
        let fate = state.fates.pop_front().unwrap_or_default();
        if fate == Fate::Stays {
            state.on_their_way.push(message.clone());
        }
        Some(fate)
    }
}

#[async_trait]
impl WebhookSender for Wire {
    async fn post(&self, post: Post<'_>) -> Posted {
        let told = |outcome| Posted { outcome, retry_after: None };
        let lost = || told(Outcome::Unanswered { reason: "the story lost it".to_owned() });
        match self.fate(&Message::of(post)) {
            None | Some(Fate::Stays) => told(Outcome::Answered { status: 200 }),
            Some(Fate::RequestLost) => lost(),
            Some(fate @ (Fate::Arrives | Fate::AnswerLost)) => {
                let posted = self.sender.post(post).await;
                self.state.lock().answers.push(posted.outcome.clone());
                if fate == Fate::AnswerLost { lost() } else { posted }
            }
        }
    }
}
