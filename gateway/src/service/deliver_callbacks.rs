//! Delivers callbacks: sends what is due and stores the results. A slow merchant does not delay the others.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::domain::webhook::{Ended, Outcome, schedule, signature};
use crate::fail_point;
use crate::ports::callbacks::{Post, Posted, Try};
use crate::ports::{StoreError, Stored};
use crate::service::App;
use crate::unwind::caught;

/// Maximum number of concurrent requests to one merchant.
const PER_BUSINESS: u32 = 8;

/// Maximum number of concurrent requests. It delays responsive merchants only if more than a hundred others do not
/// answer.
const IN_ALL: usize = 1_024;

/// Time after which an attempt counts as lost, in seconds. Longer than a request may take.
const LEASE: u64 = 30;

/// Interval at which the store is polled if no attempt ends earlier.
const TICK: Duration = Duration::from_millis(250);

/// Pause after an error.
const PAUSE: Duration = Duration::from_secs(1);

/// Name of this task.
const WORK: &str = "callbacks";

/// Number of requests in progress, by business.
type Busy = Arc<Mutex<BTreeMap<Uuid, u32>>>;

/// Sends callbacks. Several processes may share a store: none takes an attempt that another has started.
pub struct PostOffice {
    app: Arc<App>,
    busy: Busy,
    tries: JoinSet<()>,
}

impl PostOffice {
    pub fn new(app: Arc<App>) -> Self {
        Self { app, busy: Busy::default(), tries: JoinSet::new() }
    }

    /// Runs until stopped, then waits for the requests in progress.
    pub async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        loop {
            let begun = caught(self.begin_due()).await;
            let health = &self.app.health;
            let rest = match begun {
                Ok(Ok(())) => {
                    health.done(WORK);
                    TICK
                }
                Ok(Err(error)) => {
                    tracing::error!(%error, "callbacks could not be begun");
                    health.failed(WORK);
                    PAUSE
                }
                Err(panic) => {
                    tracing::error!(panic = panic.0, "callbacks could not be begun");
                    health.panicked(WORK);
                    PAUSE
                }
            };
            tokio::select! {
                biased;
                _ = stopped.wait_for(|stopped| *stopped) => break,
                Some(_) = self.tries.join_next() => {}
                () = tokio::time::sleep(rest) => {}
            }
        }
        self.finish().await;
    }

    /// Starts an attempt for each due callback, up to the limit of its merchant.
    pub async fn begin_due(&mut self) -> Stored<()> {
        while self.tries.try_join_next().is_some() {}
        let now = self.app.clock.now();
        for business in self.app.store.due_businesses(now).await? {
            let on_their_way = lock(&self.busy).get(&business).copied().unwrap_or(0);
            let room = PER_BUSINESS.saturating_sub(on_their_way);
            if room == 0 || self.tries.len() >= IN_ALL {
                continue;
            }
            let mut tx = self.app.store.begin().await?;
            let tries = tx.begin_tries(business, now, now + LEASE, room).await?;
            tx.commit().await?;
            for begun in tries {
                *lock(&self.busy).entry(business).or_default() += 1;
                let place = Place(Arc::clone(&self.busy), business);
                let app = Arc::clone(&self.app);
                self.tries.spawn(async move {
                    let _place = place;
                    attempt(&app, &begun).await;
                });
            }
        }
        Ok(())
    }

    /// Waits for the requests in progress.
    pub async fn finish(&mut self) {
        while self.tries.join_next().await.is_some() {}
    }
}

/// A slot in the count of requests. Dropping it frees the slot.
struct Place(Busy, Uuid);

impl Drop for Place {
    fn drop(&mut self) {
        let mut busy = lock(&self.0);
        match busy.get_mut(&self.1) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                busy.remove(&self.1);
            }
        }
    }
}

fn lock(busy: &Busy) -> std::sync::MutexGuard<'_, BTreeMap<Uuid, u32>> {
    busy.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn attempt(app: &App, begun: &Try) {
    let started = Instant::now();
    let posted = send(app, begun).await;
    let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let id = begun.callback.id;
    let outcome = &posted.outcome;
    app.metrics.callback(match outcome {
        outcome if outcome.is_success() => "delivered",
        Outcome::Answered { .. } => "refused",
        Outcome::Unanswered { .. } => "unanswered",
    });
    match outcome {
        Outcome::Answered { status } => {
            tracing::info!(callback = %id, attempt = begun.number, status, millis, "callback answered");
        }
        Outcome::Unanswered { reason } => {
            tracing::warn!(callback = %id, attempt = begun.number, reason, millis, "callback not answered");
        }
    }
    if let Err(error) = store(app, begun, &posted, millis).await {
        // The callback is sent again when its lease ends: delivery is at least once.
        tracing::error!(callback = %id, %error, "the end of a try could not be stored");
    }
}

async fn send(app: &App, begun: &Try) -> Posted {
    let Some(url) = &begun.url else {
        let reason = "the business has no URL for this callback".to_owned();
        return Posted { outcome: Outcome::Unanswered { reason }, retry_after: None };
    };
    let (id, timestamp) = (begun.callback.id.to_string(), app.clock.now());
    let secrets = begun.secrets.iter().map(String::as_str);
    let headers = [
        ("webhook-signature", signature::header(secrets, &id, timestamp, &begun.callback.body)),
        ("webhook-id", id),
        ("webhook-timestamp", timestamp.to_string()),
    ];
    fail_point::reach("callback.before");
    let posted = app.webhooks.post(Post { url, headers: &headers, body: &begun.callback.body }).await;
    fail_point::reach("callback.after");
    posted
}

async fn store(app: &App, begun: &Try, posted: &Posted, millis: u64) -> Result<(), StoreError> {
    let now = app.clock.now();
    let asked = posted.retry_after.map(|asked| asked.seconds(now));
    let random = u16::from_be_bytes(app.random());
    let next = schedule::next(&posted.outcome, asked, begun.callback.failures, now, random);
    let mut tx = app.store.begin().await?;
    let ended = Ended { millis, outcome: posted.outcome.clone() };
    tx.end_try(begun.callback.id, begun.number, &ended, next).await?;
    tx.commit().await
}
