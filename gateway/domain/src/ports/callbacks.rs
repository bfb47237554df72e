//! Stored callbacks, and their delivery to merchants.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::business::greenfield::StoreWebhook;
use crate::callback::filter::CallbackFilter;
use crate::callback::schedule::Next;
use crate::callback::{Attempt, Callback, Ended, Endpoint, Kind, Lane, Outcome, State};
use crate::ids::BusinessId;
use crate::page::Page;

/// Changes of callbacks, inside a [`Tx`](super::Tx).
#[async_trait]
pub trait CallbackTx: Send {
    /// Adds a callback that is due at once. If there is one of the same kind, subject and sequence, nothing is added; a
    /// held one becomes due again with its own id, and with the body of now.
    async fn put_callback(&mut self, callback: &Callback) -> Stored<()> {
        self.put_callbacks(std::slice::from_ref(callback)).await
    }

    /// The same with several callbacks of different subjects.
    async fn put_callbacks(&mut self, callbacks: &[Callback]) -> Stored<()>;

    /// The number of the next event of a subject, whose row is locked.
    async fn next_sequence(&mut self, subject: Uuid) -> Stored<u32>;

    /// Holds a callback that was not delivered, also after it failed. Returns its state, if it exists.
    async fn hold_callback(&mut self, kind: &Kind, subject: Uuid) -> Stored<Option<State>>;

    /// Holds the callbacks of a kind whose bodies name this id, unless they were delivered.
    async fn hold_naming(&mut self, business: BusinessId, kind: &Kind, id: Uuid) -> Stored<()>;

    /// Claims at most `limit` due attempts of one business in a lane, oldest first. No other process claims them before
    /// `lease_end`. They go where `endpoint` finds that the business wants them now.
    async fn begin_attempts(
        &mut self,
        business: BusinessId,
        lane: Lane,
        now: u64,
        lease_end: u64,
        limit: u32,
        endpoint: Endpoint,
    ) -> Stored<Vec<BegunAttempt>>;

    /// Stores the outcomes of attempts, and the next states of their callbacks.
    async fn end_attempts(&mut self, attempts: &[EndedAttempt]) -> Stored<()>;

    /// Makes a callback due now, unless it is held.
    async fn resend_callback(&mut self, id: Uuid, now: u64) -> Stored<Resent>;

    /// After the clock was set back: moves due times that were set later than `now`, so that waiting times
    /// stay the same. Returns the number moved.
    async fn move_callbacks_back(&mut self, now: u64) -> Stored<u64>;
}

/// Reads of callbacks.
#[async_trait]
pub trait CallbackStore: Send + Sync {
    /// The businesses with callbacks of a lane due at `now`.
    async fn due_businesses(&self, lane: Lane, now: u64) -> Stored<Vec<BusinessId>>;

    /// At most `limit` callbacks, newest first: of one business, in one state, or all.
    async fn callbacks(
        &self,
        business: Option<BusinessId>,
        state: Option<State>,
        limit: u32,
    ) -> Stored<Vec<Callback>>;

    /// A page of the callbacks of a business, by id, with their attempts.
    async fn callback_page(
        &self,
        business: BusinessId,
        filter: &CallbackFilter,
        page: &Page,
    ) -> Stored<Vec<(Callback, Vec<Attempt>)>>;

    /// The requests to send at `now`.
    async fn backlog(&self, now: u64) -> Stored<Backlog>;

    async fn callback(&self, id: Uuid) -> Stored<Option<(Callback, Vec<Attempt>)>>;
}

/// The result of an operator's request to send a callback again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resent {
    Due,
    NoCallback,
    /// Its deposit does not count at the moment.
    Held,
}

impl Resent {
    /// Why the request was refused.
    pub fn refusal(self) -> Option<&'static str> {
        match self {
            Self::Due => None,
            Self::NoCallback => Some("There is no such callback."),
            Self::Held => Some(
                "It is HELD: its deposit left the chain. It is sent by itself when the deposit is there again.",
            ),
        }
    }
}

/// The state of the outbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Callbacks that are due now or later.
    pub pending: u64,
    /// UNIX second at which the oldest due callback became due.
    pub due_since: Option<u64>,
}

/// An attempt in progress.
#[derive(Clone, Debug)]
pub struct BegunAttempt {
    pub callback: Callback,
    pub number: u32,
    /// The current URL; `None` if the business has none.
    pub url: Option<String>,
    /// All secrets that sign at the moment, newest first.
    pub secrets: Vec<String>,
    /// Of a delivery to a shop: its own secret signs.
    pub webhook: Option<StoreWebhook>,
}

/// An attempt with its outcome.
#[derive(Clone, Debug)]
pub struct EndedAttempt {
    pub callback: Uuid,
    pub number: u32,
    pub ended: Ended,
    pub next: Next,
}

/// One request to a merchant.
#[derive(Clone, Copy, Debug)]
pub struct Post<'a> {
    pub url: &'a str,
    pub headers: &'a [(&'static str, String)],
    /// JSON.
    pub body: &'a str,
}

/// The response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    pub outcome: Outcome,
    /// Seconds, or a UNIX second.
    pub retry_after: Option<RetryAfter>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryAfter {
    Seconds(u64),
    At(u64),
}

impl RetryAfter {
    pub fn seconds(self, now: u64) -> u64 {
        match self {
            Self::Seconds(seconds) => seconds,
            Self::At(at) => at.saturating_sub(now),
        }
    }
}

/// Sends webhooks without following redirects, with a time limit.
#[async_trait]
pub trait WebhookSender: Send + Sync {
    /// Why it would send nothing to this URL, as the end of a sentence.
    fn refusal(&self, _url: &str) -> Option<String> {
        None
    }

    async fn post(&self, post: Post<'_>) -> Posted;
}
