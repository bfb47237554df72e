//! What is counted, and its text for Prometheus (exposition format 0.0.4).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::ports::FeedHealth;
use crate::ports::screening::Held;

/// Upper ends of the classes of durations, in milliseconds.
const CLASSES: [u64; 10] = [1, 5, 10, 25, 50, 100, 250, 1_000, 5_000, 30_000];

#[derive(Debug, Default)]
pub struct Metrics(Mutex<Series>);

#[derive(Debug, Default)]
struct Series {
    routes: BTreeMap<String, Requests>,
    /// By outcome.
    tries: BTreeMap<&'static str, u64>,
    /// UNIX second of the last successful look, by network.
    chains: BTreeMap<&'static str, u64>,
}

/// Of one route.
#[derive(Debug, Default)]
struct Requests {
    /// By method and status.
    counts: BTreeMap<(&'static str, u16), u64>,
    durations: Durations,
}

#[derive(Debug, Default)]
struct Durations {
    classes: [u64; CLASSES.len()],
    count: u64,
    micros: u64,
}

/// What is asked of the store when the metrics are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Callbacks that are to be sent, now or later.
    pub pending: u64,
    /// Since when the oldest of those that are due is due.
    pub due_since: Option<u64>,
}

impl Held {
    /// For Prometheus.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, help, count) in [
            (
                "checkout_deposits_flagged",
                "Deposits from flagged senders that wait for an operator.",
                self.flagged,
            ),
            (
                "checkout_deposits_unscreened",
                "Deposits that wait for the screening to answer.",
                self.unscreened,
            ),
        ] {
            head(&mut text, name, "gauge", help);
            line(&mut text, name, "", count);
        }
        text
    }
}

impl FeedHealth {
    /// For Prometheus.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let name = "checkout_rates_failures_total";
        head(&mut text, name, "counter", "Fetches of exchange rates that brought nothing.");
        line(&mut text, name, "", self.failures);
        if let Some(age) = self.age {
            let name = "checkout_rates_age_seconds";
            head(&mut text, name, "gauge", "Since the last good answer of the feed of exchange rates.");
            line(&mut text, name, "", age.as_secs());
        }
        text
    }
}

impl Metrics {
    /// `route` is the pattern, never the path: ids and addresses are no labels.
    pub fn request(&self, method: &'static str, route: &str, status: u16, duration: Duration) {
        let mut series = self.series();
        if !series.routes.contains_key(route) {
            series.routes.insert(route.to_owned(), Requests::default());
        }
        let Some(requests) = series.routes.get_mut(route) else { return };
        *requests.counts.entry((method, status)).or_default() += 1;
        let durations = &mut requests.durations;
        durations.count += 1;
        durations.micros += u64::try_from(duration.as_micros()).unwrap_or(0);
        for (class, end) in durations.classes.iter_mut().zip(CLASSES) {
            *class += u64::from(duration <= Duration::from_millis(end));
        }
    }

    /// A try of a callback: `delivered`, `refused` or `unanswered`.
    pub fn callback(&self, outcome: &'static str) {
        *self.series().tries.entry(outcome).or_default() += 1;
    }

    pub fn chain_read(&self, network: &'static str, now: u64) {
        self.series().chains.insert(network, now);
    }

    /// All of it, as text.
    pub fn text(&self, backlog: Backlog, now: u64) -> String {
        let series = self.series();
        let mut text = String::new();
        head(&mut text, "checkout_http_requests_total", "counter", "Requests that were answered.");
        for (route, requests) in &series.routes {
            for ((method, status), count) in &requests.counts {
                let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
                line(&mut text, "checkout_http_requests_total", &labels, count);
            }
        }
        let name = "checkout_http_request_duration_seconds";
        head(&mut text, name, "histogram", "Time from the head of a request to that of its answer.");
        for (route, Requests { durations, .. }) in &series.routes {
            for (count, end) in durations.classes.iter().zip(CLASSES) {
                let labels = format!("route=\"{route}\",le=\"{}\"", seconds(end * 1_000));
                line(&mut text, &format!("{name}_bucket"), &labels, count);
            }
            let labels = format!("route=\"{route}\"");
            let all = format!("{labels},le=\"+Inf\"");
            line(&mut text, &format!("{name}_bucket"), &all, durations.count);
            line(&mut text, &format!("{name}_sum"), &labels, seconds(durations.micros));
            line(&mut text, &format!("{name}_count"), &labels, durations.count);
        }
        head(&mut text, "checkout_callback_tries_total", "counter", "Callbacks that were sent, by outcome.");
        for (outcome, count) in &series.tries {
            line(&mut text, "checkout_callback_tries_total", &format!("outcome=\"{outcome}\""), count);
        }
        head(
            &mut text,
            "checkout_callbacks_pending",
            "gauge",
            "Callbacks that are to be sent, now or later.",
        );
        line(&mut text, "checkout_callbacks_pending", "", backlog.pending);
        let late = backlog.due_since.map_or(0, |since| now.saturating_sub(since));
        head(
            &mut text,
            "checkout_callbacks_late_seconds",
            "gauge",
            "How long the oldest due callback waits.",
        );
        line(&mut text, "checkout_callbacks_late_seconds", "", late);
        head(&mut text, "checkout_chain_read_timestamp_seconds", "gauge", "When a chain was last read.");
        for (network, at) in &series.chains {
            line(&mut text, "checkout_chain_read_timestamp_seconds", &format!("network=\"{network}\""), at);
        }
        text
    }

    fn series(&self) -> MutexGuard<'_, Series> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

pub(crate) fn line(text: &mut String, name: &str, labels: &str, value: impl std::fmt::Display) {
    let _ = match labels {
        "" => writeln!(text, "{name} {value}"),
        labels => writeln!(text, "{name}{{{labels}}} {value}"),
    };
}

/// Microseconds as decimal seconds.
fn seconds(micros: u64) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text() {
        let metrics = Metrics::default();
        metrics.request("GET", "/healthz", 200, Duration::from_micros(1_500));
        metrics.request("GET", "/healthz", 503, Duration::from_mins(1));
        metrics.callback("delivered");
        metrics.chain_read("BTC", 1_700_000_000);
        let text = metrics.text(Backlog { pending: 3, due_since: Some(90) }, 100);
        for line in [
            "# TYPE checkout_http_requests_total counter",
            "checkout_http_requests_total{method=\"GET\",route=\"/healthz\",status=\"503\"} 1",
            "# TYPE checkout_http_request_duration_seconds histogram",
            "checkout_http_request_duration_seconds_bucket{route=\"/healthz\",le=\"0.001\"} 0",
            "checkout_http_request_duration_seconds_bucket{route=\"/healthz\",le=\"0.005\"} 1",
            "checkout_http_request_duration_seconds_bucket{route=\"/healthz\",le=\"30\"} 1",
            "checkout_http_request_duration_seconds_bucket{route=\"/healthz\",le=\"+Inf\"} 2",
            "checkout_http_request_duration_seconds_sum{route=\"/healthz\"} 60.0015",
            "checkout_http_request_duration_seconds_count{route=\"/healthz\"} 2",
            "checkout_callback_tries_total{outcome=\"delivered\"} 1",
            "checkout_callbacks_pending 3",
            "checkout_callbacks_late_seconds 10",
            "checkout_chain_read_timestamp_seconds{network=\"BTC\"} 1700000000",
        ] {
            assert!(text.lines().any(|have| have == line), "{line} in\n{text}");
        }
    }
}
