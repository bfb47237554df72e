//! Background work, repeated until the gateway stops, and its health for `/readyz` and `/metrics`.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use prometheus::{IntCounterVec, Registry};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::metrics::{add, counters};
use crate::unwind::caught;

/// Pause between two runs of a piece of work.
pub const TICK: Duration = Duration::from_secs(1);

/// The health of the background work.
#[derive(Debug)]
pub struct Health {
    failures: IntCounterVec,
    panics: IntCounterVec,
    /// Work that panicked and has not succeeded since.
    ill: Mutex<BTreeSet<String>>,
}

impl Default for Health {
    fn default() -> Self {
        let work = |name, help| counters(name, help, &["work"]);
        Self {
            failures: work("checkout_background_failures_total", "Background work that has to be retried."),
            panics: work("checkout_background_panics_total", "Background work that found a fault."),
            ill: Mutex::default(),
        }
    }
}

impl Health {
    pub fn done(&self, work: &str) {
        self.ill.lock().remove(work);
    }

    /// A needed resource is not available; the work is retried.
    pub fn failed(&self, work: &str) {
        self.failures.with_label_values(&[work]).inc();
        self.panics.with_label_values(&[work]);
    }

    /// An error in the gateway or in its stored data.
    pub fn panicked(&self, work: &str) {
        self.panics.with_label_values(&[work]).inc();
        self.failures.with_label_values(&[work]);
        self.ill.lock().insert(work.to_owned());
    }

    /// Work that panicked and has not succeeded since.
    pub fn ill(&self) -> Vec<String> {
        self.ill.lock().iter().cloned().collect()
    }

    pub fn register(&self, registry: &Registry) {
        add(registry, self.failures.clone());
        add(registry, self.panics.clone());
    }
}

/// Runs `task` repeatedly with a pause of `tick` until `stopped`, also after errors and panics.
pub fn repeat<F, T, E>(
    health: &Arc<Health>,
    name: String,
    mut stopped: watch::Receiver<bool>,
    tick: Duration,
    task: F,
) -> JoinHandle<()>
where
    F: Fn() -> T + Send + 'static,
    T: Future<Output = Result<(), E>> + Send,
    E: fmt::Display + Send,
{
    let health = Arc::clone(health);
    tokio::spawn(async move {
        loop {
            match caught(task()).await {
                Ok(Ok(())) => health.done(&name),
                Ok(Err(error)) => {
                    tracing::error!(work = name, %error, "background work failed; it is retried");
                    health.failed(&name);
                }
                Err(panic) => {
                    tracing::error!(work = name, panic = panic.0, "background work panicked; it is retried");
                    health.panicked(&name);
                }
            }
            tokio::select! {
                () = tokio::time::sleep(tick) => {}
                _ = stopped.wait_for(|stopped| *stopped) => return,
            }
        }
    })
}

/// Runs `task`, which continues until `stopped`, and restarts it a `tick` after a panic. After ten ticks
/// without a panic it counts as healthy.
pub fn keep_running<F, T>(
    health: &Arc<Health>,
    name: String,
    mut stopped: watch::Receiver<bool>,
    tick: Duration,
    task: F,
) -> JoinHandle<()>
where
    F: Fn() -> T + Send + 'static,
    T: Future<Output = ()> + Send,
{
    let health = Arc::clone(health);
    tokio::spawn(async move {
        loop {
            let mut run = std::pin::pin!(caught(task()));
            let ended = tokio::select! {
                ended = &mut run => ended,
                () = tokio::time::sleep(tick * 10) => {
                    health.done(&name);
                    run.await
                }
            };
            let Err(panic) = ended else { return health.done(&name) };
            tracing::error!(work = name, panic = panic.0, "background work panicked; it is restarted");
            health.panicked(&name);
            tokio::select! {
                () = tokio::time::sleep(tick) => {}
                _ = stopped.wait_for(|stopped| *stopped) => return,
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_panicked_is_unhealthy_until_it_succeeds() {
        let health = Health::default();
        for work in ["payouts", "chain BTC", "payouts"] {
            health.panicked(work);
        }
        health.failed("windows");
        health.done("it never failed");
        assert_eq!(health.ill(), ["chain BTC", "payouts"]);
        health.failed("payouts");
        assert_eq!(health.ill(), ["chain BTC", "payouts"], "a failure does not restore health");
        health.done("payouts");
        assert_eq!(health.ill(), ["chain BTC"]);
        let registry = Registry::new();
        health.register(&registry);
        let text = crate::metrics::text(&registry);
        for line in [
            "# TYPE checkout_background_panics_total counter",
            "checkout_background_panics_total{work=\"payouts\"} 2",
            "checkout_background_panics_total{work=\"chain BTC\"} 1",
            "checkout_background_failures_total{work=\"windows\"} 1",
        ] {
            assert!(text.lines().any(|have| have == line), "{line} in\n{text}");
        }
    }

    /// The work panics once, then continues until it is stopped.
    #[tokio::test]
    async fn continuous_work_is_restarted() {
        let health = Arc::new(Health::default());
        let (stop, stopped) = watch::channel(false);
        let runs = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let (count, end) = (Arc::clone(&runs), stopped.clone());
        let tick = Duration::from_millis(20);
        let task = keep_running(&health, "rates".to_owned(), stopped, tick, move || {
            let (number, mut end) = (count.fetch_add(1, std::sync::atomic::Ordering::SeqCst), end.clone());
            async move {
                assert!(number > 0, "an unexpected feed");
                let _ = end.wait_for(|stopped| *stopped).await;
            }
        });
        let runs = || runs.load(std::sync::atomic::Ordering::SeqCst);
        while runs() < 2 {
            tokio::task::yield_now().await;
        }
        assert_eq!(health.ill(), ["rates"]);
        while !health.ill().is_empty() {
            tokio::time::sleep(tick).await;
        }
        assert_eq!(runs(), 2);
        stop.send(true).unwrap();
        task.await.unwrap();
    }

    /// The work panics, fails and succeeds in turn; the loop continues.
    #[tokio::test]
    async fn a_panic_does_not_end_the_loop() {
        let health = Arc::new(Health::default());
        let (stop, stopped) = watch::channel(false);
        let (turns, mut turn) = tokio::sync::mpsc::unbounded_channel();
        let count = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let seen = Arc::clone(&health);
        let task = repeat(&health, "payouts".to_owned(), stopped, Duration::ZERO, move || {
            let number = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            turns.send((number, seen.ill())).unwrap();
            async move {
                assert!(!number.is_multiple_of(4), "out of balance");
                if number % 4 == 1 { Err("no store") } else { Ok(()) }
            }
        });
        let ill = || vec!["payouts".to_owned()];
        for expected in [(0, vec![]), (1, ill()), (2, ill()), (3, vec![]), (4, vec![]), (5, ill())] {
            assert_eq!(turn.recv().await, Some(expected));
        }
        stop.send(true).unwrap();
        task.await.unwrap();
    }
}
