//! The work that nobody asks for, again and again, and how it goes: `/readyz` and `/metrics` tell.

pub mod work;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::metrics::{head, line};
use crate::unwind::caught;

/// How often work is done when nothing wakes the gateway.
pub const TICK: Duration = Duration::from_secs(1);

/// How each piece of work goes, by its name.
#[derive(Debug, Default)]
pub struct Health(Mutex<BTreeMap<String, Work>>);

#[derive(Debug, Default)]
struct Work {
    failures: u64,
    panics: u64,
    /// It panicked, and was not done since.
    is_ill: bool,
}

impl Health {
    pub fn done(&self, work: &str) {
        if let Some(work) = self.all().get_mut(work) {
            work.is_ill = false;
        }
    }

    /// What it needs is not there; it is tried again.
    pub fn failed(&self, work: &str) {
        self.all().entry(work.to_owned()).or_default().failures += 1;
    }

    /// Something is wrong with the gateway itself or with what it stored.
    pub fn panicked(&self, work: &str) {
        let mut all = self.all();
        let work = all.entry(work.to_owned()).or_default();
        work.panics += 1;
        work.is_ill = true;
    }

    /// What panicked and was not done since.
    pub fn ill(&self) -> Vec<String> {
        self.all().iter().filter(|(_, work)| work.is_ill).map(|(name, _)| name.clone()).collect()
    }

    /// For Prometheus.
    pub fn text(&self) -> String {
        let all = self.all();
        let mut text = String::new();
        let mut counter = |name: &str, help: &str, count: fn(&Work) -> u64| {
            head(&mut text, name, "counter", help);
            for (work, state) in all.iter() {
                line(&mut text, name, &format!("work=\"{work}\""), count(state));
            }
        };
        let help = "Background work that has to be tried again.";
        counter("checkout_background_failures_total", help, |work| work.failures);
        let help = "Background work that found a fault.";
        counter("checkout_background_panics_total", help, |work| work.panics);
        text
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Work>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does `task` again and again, with a rest of `tick`, until told to stop, whatever comes of it.
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
                    tracing::error!(work = name, %error, "background work failed; it is tried again");
                    health.failed(&name);
                }
                Err(panic) => {
                    tracing::error!(
                        work = name,
                        panic = panic.0,
                        "background work panicked; it is tried again"
                    );
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_panicked_is_ill_until_it_is_done() {
        let health = Health::default();
        for work in ["payouts", "chain BTC", "payouts"] {
            health.panicked(work);
        }
        health.failed("windows");
        health.done("nothing was ever wrong with it");
        assert_eq!(health.ill(), ["chain BTC", "payouts"]);
        health.failed("payouts");
        assert_eq!(health.ill(), ["chain BTC", "payouts"], "a failure mends nothing");
        health.done("payouts");
        assert_eq!(health.ill(), ["chain BTC"]);
        let text = health.text();
        for line in [
            "# TYPE checkout_background_panics_total counter",
            "checkout_background_panics_total{work=\"payouts\"} 2",
            "checkout_background_panics_total{work=\"chain BTC\"} 1",
            "checkout_background_failures_total{work=\"windows\"} 1",
        ] {
            assert!(text.lines().any(|have| have == line), "{line} in\n{text}");
        }
    }

    /// The work panics, fails and is done in turn; the loop goes on.
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
