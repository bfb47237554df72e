//! Sends due callbacks and stores the outcomes. Merchants do not delay each other, and events no callbacks of the interface.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use checkout_domain::callback::schedule::Next;
use checkout_domain::callback::{Ended, Lane, Outcome, schedule, signature};
use checkout_domain::fail_point;
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::Stored;
use checkout_domain::ports::callbacks::{BegunAttempt, EndedAttempt, Post, Posted};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::events;
use crate::greenfield::delivery::Told;
use crate::greenfield::invoice_id::payment_of;
use crate::service::App;
use crate::unwind::caught;

/// Concurrent requests per merchant and lane.
const PER_BUSINESS: u32 = 8;

/// Concurrent requests in total. Responsive merchants are only delayed if more than a hundred others do not
/// answer.
const IN_ALL: usize = 1_024;

/// When as many requests are in progress, none is begun for events: there is room for the interface's callbacks.
const BEFORE_EVENTS: usize = IN_ALL / 2;

/// The lease of an attempt in seconds: longer than the time limit of a request.
const LEASE: u64 = 30;

/// Polling interval of the store, when nothing else wakes the dispatcher.
const TICK: Duration = Duration::from_millis(250);

/// Pause after an error of the store.
const PAUSE: Duration = Duration::from_secs(1);

/// Why a delivery to a shop is not sent.
#[derive(Clone, Copy, Debug)]
enum Unsent {
    Over,
    NoWebhook,
    /// It is looked at again later.
    Unread,
}

impl Unsent {
    fn reason(self) -> &'static str {
        match self {
            Self::Over => "not sent: the invoice has another status now",
            Self::NoWebhook => "not sent: the store has no such webhook that is enabled",
            Self::Unread => "not sent: the invoice could not be read",
        }
    }
}

/// The name of this background work.
const WORK: &str = "callbacks";

/// The number of requests in progress, by lane and business.
type Busy = Arc<Mutex<BTreeMap<(Lane, BusinessId), u32>>>;

/// Sends callbacks. Several dispatchers can share a store: each attempt is claimed by one of them.
pub struct CallbackDispatcher {
    app: Arc<App>,
    busy: Busy,
    attempts: JoinSet<EndedAttempt>,
    /// Their outcomes are stored together with the next ones.
    ended: Vec<EndedAttempt>,
    /// The time of the last poll; at first later than any, so that a start after the clock went back moves them, too.
    looked_at: u64,
}

impl CallbackDispatcher {
    pub fn new(app: Arc<App>) -> Self {
        Self { app, busy: Busy::default(), attempts: JoinSet::new(), ended: Vec::new(), looked_at: u64::MAX }
    }

    /// Works until stopped, then finishes the requests in progress.
    pub async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        loop {
            let begun = caught(self.begin_due()).await;
            let health = &self.app.state.health;
            let rest = match begun {
                Ok(Ok(())) => {
                    health.done(WORK);
                    TICK
                }
                Ok(Err(error)) => {
                    tracing::error!(%error, "due callbacks could not be claimed");
                    health.failed(WORK);
                    PAUSE
                }
                Err(panic) => {
                    tracing::error!(panic = panic.0, "due callbacks could not be claimed");
                    health.panicked(WORK);
                    PAUSE
                }
            };
            tokio::select! {
                biased;
                _ = stopped.wait_for(|stopped| *stopped) => break,
                Some(ended) = self.attempts.join_next() => self.ended.extend(ended),
                () = tokio::time::sleep(rest) => {}
            }
        }
        self.finish().await;
    }

    /// Stores what ended, then claims due callbacks, up to the limit of each merchant.
    pub async fn begin_due(&mut self) -> Stored<()> {
        self.store_ended().await;
        let now = self.app.clock.now();
        if now < self.looked_at {
            let mut tx = self.app.store.begin().await?;
            let moved = tx.move_callbacks_back(now).await?;
            tx.commit().await?;
            if moved > 0 {
                tracing::warn!(moved, "the clock was set back; due times of callbacks were moved");
            }
        }
        self.looked_at = now;
        for lane in Lane::ALL {
            self.begin_lane(lane).await?;
        }
        Ok(())
    }

    async fn begin_lane(&mut self, lane: Lane) -> Stored<()> {
        let most = match lane {
            Lane::Callbacks => IN_ALL,
            Lane::Events => BEFORE_EVENTS,
        };
        for business in self.app.store.due_businesses(lane, self.app.clock.now()).await? {
            self.store_ended().await;
            let key = (lane, business);
            let on_their_way = self.busy.lock().get(&key).copied().unwrap_or(0);
            let room = PER_BUSINESS.saturating_sub(on_their_way);
            if room == 0 || self.attempts.len() >= most {
                continue;
            }
            let mut tx = self.app.store.begin().await?;
            let now = self.app.clock.now();
            let attempts =
                tx.begin_attempts(business, lane, now, now + LEASE, room, events::endpoint).await?;
            tx.commit().await?;
            for begun in attempts {
                *self.busy.lock().entry(key).or_default() += 1;
                let slot = RequestSlot(Arc::clone(&self.busy), key);
                let app = Arc::clone(&self.app);
                self.attempts.spawn(async move {
                    let _slot = slot;
                    attempt(&app, &begun).await
                });
            }
        }
        Ok(())
    }

    /// Waits for the requests in progress.
    pub async fn finish(&mut self) {
        while let Some(ended) = self.attempts.join_next().await {
            self.ended.extend(ended);
            self.store_ended().await;
        }
        self.store_ended().await;
    }

    /// Stores the outcomes of the requests that ended, in one change; one that cannot be stored keeps no other.
    async fn store_ended(&mut self) {
        while let Some(ended) = self.attempts.try_join_next() {
            self.ended.extend(ended);
        }
        let ended = std::mem::take(&mut self.ended);
        if ended.is_empty() {
            return;
        }
        let Err(error) = self.store(&ended).await else { return };
        tracing::error!(attempts = ended.len(), %error, "outcomes of attempts could not be stored together");
        // Without an answer to the commit they may be stored: a failure would count twice.
        let unstored = if error.is_unknown() { Vec::new() } else { ended };
        for attempt in unstored {
            if let Err(error) = self.store(std::slice::from_ref(&attempt)).await {
                // It is sent again when its lease expires: at least once, never lost.
                tracing::error!(callback = %attempt.callback, %error, "the outcome of an attempt could not be stored");
            }
        }
    }

    async fn store(&self, ended: &[EndedAttempt]) -> Stored<()> {
        let mut tx = self.app.store.begin().await?;
        tx.end_attempts(ended).await?;
        tx.commit().await
    }
}

/// One request's slot, released however the request ends.
struct RequestSlot(Busy, (Lane, BusinessId));

impl Drop for RequestSlot {
    fn drop(&mut self) {
        let mut busy = self.0.lock();
        match busy.get_mut(&self.1) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                busy.remove(&self.1);
            }
        }
    }
}

async fn attempt(app: &App, begun: &BegunAttempt) -> EndedAttempt {
    let started = Instant::now();
    let unsent = if begun.callback.kind.is_of_webhook() { unsent(app, begun).await } else { None };
    let Posted { outcome, retry_after } = match unsent {
        Some(unsent) => not_sent(unsent.reason()),
        None => send(app, begun).await,
    };
    let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let id = begun.callback.id;
    app.state.metrics.callback(match &outcome {
        outcome if outcome.is_success() => "delivered",
        Outcome::Answered { .. } => "refused",
        Outcome::Unanswered { .. } => "unanswered",
    });
    match &outcome {
        Outcome::Answered { status } => {
            tracing::info!(callback = %id, attempt = begun.number, status, millis, "callback answered");
        }
        Outcome::Unanswered { reason } => {
            tracing::warn!(callback = %id, attempt = begun.number, reason, millis, "callback not answered");
        }
    }
    let now = app.clock.now();
    let asked = retry_after.map(|asked| asked.seconds(now));
    let random = u16::from_be_bytes(app.random());
    let is_tried_once = begun.webhook.as_ref().is_some_and(|webhook| !webhook.automatic_redelivery);
    let next = match (schedule::next(&outcome, asked, begun.callback.failures, now, random), unsent) {
        (Next::Retry(_), Some(Unsent::Over | Unsent::NoWebhook)) => Next::GivenUp,
        (Next::Retry(_), None) if is_tried_once => Next::GivenUp,
        (next, _) => next,
    };
    EndedAttempt { callback: id, number: begun.number, ended: Ended { millis, outcome }, next }
}

async fn send(app: &App, begun: &BegunAttempt) -> Posted {
    let Some(url) = &begun.url else {
        return not_sent("the business has no URL for this callback");
    };
    if let Some(webhook) = &begun.webhook {
        let headers = [("btcpay-sig", signature::btcpay(&webhook.secret, &begun.callback.body))];
        return post(app, url, &headers, &begun.callback.body).await;
    }
    // Receivers compare it with their own clock.
    let (id, timestamp) = (begun.callback.id.to_string(), app.clock.outside());
    let secrets = begun.secrets.iter().map(String::as_str);
    let headers = [
        ("webhook-signature", signature::header(secrets, &id, timestamp, &begun.callback.body)),
        ("webhook-id", id),
        ("webhook-timestamp", timestamp.to_string()),
    ];
    post(app, url, &headers, &begun.callback.body).await
}

async fn post(app: &App, url: &str, headers: &[(&'static str, String)], body: &str) -> Posted {
    fail_point::reach("callback.before");
    let posted = app.webhooks.post(Post { url, headers, body }).await;
    fail_point::reach("callback.after");
    posted
}

fn not_sent(reason: &str) -> Posted {
    Posted { outcome: Outcome::Unanswered { reason: reason.to_owned() }, retry_after: None }
}

async fn unsent(app: &App, begun: &BegunAttempt) -> Option<Unsent> {
    if begun.url.is_none() {
        return Some(Unsent::NoWebhook);
    }
    let told = Told::of(&begun.callback.body)?;
    match app.store.payment(payment_of(&told.invoice_id)?).await {
        Ok(record) => record.is_some_and(|record| !told.holds(&record)).then_some(Unsent::Over),
        Err(error) => {
            tracing::error!(%error, "the payment of a delivery could not be read");
            Some(Unsent::Unread)
        }
    }
}
