//! Callbacks in the store, and the way to merchants.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::domain::webhook::schedule::Next;
use crate::domain::webhook::{Attempt, Callback, Ended, Kind, Outcome, State};

/// What is changed of callbacks, inside a [`Tx`](super::Tx).
#[async_trait]
pub trait CallbackTx: Send {
    /// Adds a callback that is due at once. Where there is one of the same kind and subject, nothing is
    /// added; one that was held is due again, with the body that it had.
    async fn put_callback(&mut self, callback: &Callback) -> Stored<()>;

    /// Holds a callback back that nobody took yet, also after it failed. Its state, where there is one.
    async fn hold_callback(&mut self, kind: Kind, subject: Uuid) -> Stored<Option<State>>;

    /// Begins the attempts that are due for one business, at most `limit`, the longest due first. Nobody else
    /// begins them before `lease_end`.
    async fn begin_attempts(
        &mut self,
        business: Uuid,
        now: u64,
        lease_end: u64,
        limit: u32,
    ) -> Stored<Vec<BegunAttempt>>;

    /// Records how an attempt ended, and what follows for its callback.
    async fn end_attempt(&mut self, callback: Uuid, number: u32, ended: &Ended, next: Next) -> Stored<()>;

    /// Makes a callback due now, unless it is held.
    async fn resend_callback(&mut self, id: Uuid, now: u64) -> Stored<Resent>;

    /// After the clock went back: what was set at a later time than `now` becomes due as long after `now` as it was to wait
    /// then. How many were moved.
    async fn move_callbacks_back(&mut self, now: u64) -> Stored<u64>;
}

/// What is read of callbacks.
#[async_trait]
pub trait CallbackStore: Send + Sync {
    /// The businesses for which something is due at `now`.
    async fn due_businesses(&self, now: u64) -> Stored<Vec<Uuid>>;

    /// The newest first, at most `limit`: of one business, in one state, or all.
    async fn callbacks(
        &self,
        business: Option<Uuid>,
        state: Option<State>,
        limit: u32,
    ) -> Stored<Vec<Callback>>;

    /// What is to be sent at `now`.
    async fn backlog(&self, now: u64) -> Stored<Backlog>;

    async fn callback(&self, id: Uuid) -> Stored<Option<(Callback, Vec<Attempt>)>>;
}

/// What came of an operator's wish to send a callback again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resent {
    Due,
    NoCallback,
    /// Its deposit does not count at present.
    Held,
}

impl Resent {
    /// Why nothing came of it.
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

/// How far the outbox is behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Callbacks that are due now or later.
    pub pending: u64,
    /// UNIX second at which the oldest due callback became due.
    pub due_since: Option<u64>,
}

/// An attempt that was begun.
#[derive(Clone, Debug)]
pub struct BegunAttempt {
    pub callback: Callback,
    pub number: u32,
    /// Where it goes now; `None` when the business has no such URL any more.
    pub url: Option<String>,
    /// The newest first; all that sign at the moment.
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

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    pub outcome: Outcome,
    /// Seconds, or a moment in UNIX seconds.
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

/// Sends webhooks: follows no redirect, and gives up after a while.
#[async_trait]
pub trait WebhookSender: Send + Sync {
    async fn post(&self, post: Post<'_>) -> Posted;
}
