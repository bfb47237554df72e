//! Callbacks in the store, and their delivery to merchants.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::domain::webhook::schedule::Next;
use crate::domain::webhook::{Attempt, Callback, Ended, Kind, Outcome, State};

/// Changes to callbacks, inside a [`Tx`](super::Tx).
#[async_trait]
pub trait Outbox: Send {
    /// Adds a callback that is due immediately. If a callback of the same kind and subject exists, nothing is added; if
    /// that one is held, it becomes due again with its original body.
    async fn put_callback(&mut self, callback: &Callback) -> Stored<()>;

    /// Holds a pending callback. Returns the state of the callback, or `None` if it does not exist.
    async fn hold_callback(&mut self, kind: Kind, subject: Uuid) -> Stored<Option<State>>;

    /// Starts the attempts that are due for one business, at most `limit`, the longest due first. No other process
    /// starts them before `lease_end`.
    async fn begin_tries(&mut self, business: Uuid, now: u64, lease_end: u64, limit: u32)
    -> Stored<Vec<Try>>;

    /// Records the result of an attempt and the next state of its callback.
    async fn end_try(&mut self, callback: Uuid, number: u32, ended: &Ended, next: Next) -> Stored<()>;

    /// Makes a callback due now, whatever its state. Returns false if it does not exist.
    async fn resend_callback(&mut self, id: Uuid, now: u64) -> Stored<bool>;

    /// Replaces the signing secret. The old secret also signs until `until`. Returns false if the business does not
    /// exist.
    async fn rotate_secret(&mut self, business: Uuid, secret: &str, until: u64) -> Stored<bool>;
}

/// Read access to callbacks.
#[async_trait]
pub trait Callbacks: Send + Sync {
    /// Returns the businesses with callbacks due at `now`.
    async fn due_businesses(&self, now: u64) -> Stored<Vec<Uuid>>;

    /// Returns at most `limit` callbacks, newest first, optionally of one business and in one state.
    async fn callbacks(
        &self,
        business: Option<Uuid>,
        state: Option<State>,
        limit: u32,
    ) -> Stored<Vec<Callback>>;

    /// Returns the backlog at `now`.
    async fn backlog(&self, now: u64) -> Stored<Backlog>;

    async fn callback(&self, id: Uuid) -> Stored<Option<(Callback, Vec<Attempt>)>>;
}

/// Callbacks that are still to be sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Callbacks that are due now or later.
    pub pending: u64,
    /// UNIX second at which the oldest due callback became due.
    pub due_since: Option<u64>,
}

/// An attempt that was started.
#[derive(Clone, Debug)]
pub struct Try {
    pub callback: Callback,
    pub number: u32,
    /// The current URL; `None` if the business no longer has one for this kind of callback.
    pub url: Option<String>,
    /// All active secrets, newest first.
    pub secrets: Vec<String>,
}

/// One request to a merchant.
#[derive(Clone, Copy, Debug)]
pub struct Post<'a> {
    pub url: &'a str,
    pub headers: &'a [(&'static str, String)],
    /// JSON.
    pub body: &'a str,
}

/// The result of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    pub outcome: Outcome,
    /// The delay that the merchant asked for.
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

/// Sends webhooks. Follows no redirects and times out.
#[async_trait]
pub trait WebhookSender: Send + Sync {
    async fn post(&self, post: Post<'_>) -> Posted;
}
