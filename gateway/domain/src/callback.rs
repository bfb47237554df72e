//! A callback, its delivery state and its attempts.

pub mod filter;
pub mod schedule;
pub mod signature;

use std::borrow::Cow;

pub use checkout_wire::list_callbacks::CallbackStatus as State;
use uuid::Uuid;

use crate::business::Business;
use crate::business::greenfield::StoreWebhook;
use crate::ids::BusinessId;

/// The event that a callback reports, as stored: it is unique together with the subject's id and its sequence. The gateway lists the
/// events.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind(Cow<'static, str>);

/// The beginning of a kind that is one webhook of a shop.
const WEBHOOK: &str = "greenfield:";

/// Where a business wants the callbacks of a kind.
pub type Endpoint = for<'a> fn(&'a Business, &Kind) -> Option<&'a str>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callback {
    /// The `webhook-id`, the same on every attempt.
    pub id: Uuid,
    pub business: BusinessId,
    pub kind: Kind,
    /// The deposit or the withdrawal; of a typed event the payment or the withdrawal. A withdrawal can be replaced repeatedly, so that
    /// callback has its own id here.
    pub subject: Uuid,
    /// The number of a typed event among those of its subject, from 1; 0 of the interface's callbacks.
    pub sequence: u32,
    /// The exact bytes of every attempt, until its deposit leaves the chain and comes back.
    pub body: String,
    pub created_at: u64,
    pub state: State,
    /// The number of attempts started.
    pub attempts: u32,
    /// The number of failed attempts since it was first due or resent manually: the index in the schedule.
    pub failures: u32,
    /// When the next attempt is due; during an attempt, the end of its lease.
    pub due_at: Option<u64>,
}

/// Callbacks that wait for each other. An endpoint for events that does not answer delays none of the interface's callbacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// The interface's callbacks.
    Callbacks,
    /// Typed events.
    Events,
}

impl Lane {
    pub const ALL: [Self; 2] = [Self::Callbacks, Self::Events];
}

/// One attempt, as listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub number: u32,
    pub started_at: u64,
    pub url: Option<String>,
    /// `None` while it is in progress, and permanently if the process died in it.
    pub ended: Option<Ended>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    pub millis: u64,
    pub outcome: Outcome,
}

/// The outcome of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The endpoint answered with this HTTP status.
    Answered { status: u16 },
    /// No answer; the text is the reason.
    Unanswered { reason: String },
}

impl Kind {
    pub const fn new(word: &'static str) -> Self {
        Self(Cow::Borrowed(word))
    }

    /// Also a kind that a later release stored.
    pub fn stored(word: String) -> Self {
        Self(Cow::Owned(word))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The deliveries of a shop's webhook.
    pub fn of_webhook(id: &str) -> Self {
        Self(format!("{WEBHOOK}{id}").into())
    }

    pub fn is_of_webhook(&self) -> bool {
        self.0.starts_with(WEBHOOK)
    }

    /// The shop's webhook whose delivery it is.
    pub fn webhook<'a>(&self, business: &'a Business) -> Option<&'a StoreWebhook> {
        business.greenfield.as_ref()?.webhook(self.0.strip_prefix(WEBHOOK)?)
    }
}

impl Outcome {
    /// Only 2xx counts as delivered.
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Answered { status: 200..=299 })
    }
}
