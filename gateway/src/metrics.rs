//! Metrics for Prometheus, in its text format 0.0.4.
//!
//! Names, types and labels are an interface that dashboards and alerts depend on. The crate is `prometheus`
//! instead of `prometheus-client`, which writes OpenMetrics and renames metrics (`le="30.0"`, counters
//! without `_total` in `# TYPE`).

use std::time::Duration;

use checkout_core::{Currency, Network};
use checkout_domain::ledger::money::Money;
use checkout_domain::mail::MailBacklog;
use checkout_domain::ports::FeedHealth;
use checkout_domain::ports::callbacks::Backlog;
use checkout_domain::ports::screening::HeldCounts;
use prometheus::core::Collector;
use prometheus::{
    HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry,
    TextEncoder,
};

/// The `Content-Type` of [`text`].
pub const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Upper bounds of the histogram of durations, in seconds.
const BUCKETS: [f64; 10] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

const NAMES_ARE_VALID: &str = "names and labels of metrics are valid and unique";

/// Counters of this process.
#[derive(Clone, Debug)]
pub struct Metrics {
    requests: IntCounterVec,
    durations: HistogramVec,
    callback_attempts: IntCounterVec,
    mail_attempts: IntCounterVec,
    chain_reads: IntGaugeVec,
    networks_up: IntGaugeVec,
    heights: IntGaugeVec,
}

impl Default for Metrics {
    fn default() -> Self {
        let name = "checkout_http_request_duration_seconds";
        let durations = HistogramOpts::new(name, "Time from a request's head to the head of its response.");
        let chain_reads = Opts::new("checkout_chain_read_timestamp_seconds", "When a chain was last read.");
        Self {
            requests: counters(
                "checkout_http_requests_total",
                "Requests that were answered.",
                &["method", "route", "status"],
            ),
            durations: HistogramVec::new(durations.buckets(BUCKETS.to_vec()), &["route"])
                .expect(NAMES_ARE_VALID),
            callback_attempts: counters(
                "checkout_callback_attempts_total",
                "Attempts to send a callback, by outcome.",
                &["outcome"],
            ),
            mail_attempts: counters(
                "checkout_mail_attempts_total",
                "Attempts to send a mail, by outcome.",
                &["outcome"],
            ),
            chain_reads: IntGaugeVec::new(chain_reads, &["network"]).expect(NAMES_ARE_VALID),
            networks_up: gauges(
                "checkout_network_up",
                "1 while payments can be taken on a network, else 0.",
                "network",
            ),
            heights: gauges("checkout_chain_height", "Height of the last block of a network.", "network"),
        }
    }
}

impl Metrics {
    /// `route` is the pattern, never the path: ids and addresses are not labels.
    pub fn request(&self, method: &'static str, route: &str, status: u16, duration: Duration) {
        self.requests.with_label_values(&[method, route, &status.to_string()]).inc();
        self.durations.with_label_values(&[route]).observe(duration.as_secs_f64());
    }

    /// An attempt to send a callback: `delivered`, `refused` or `unanswered`.
    pub fn callback(&self, outcome: &'static str) {
        self.callback_attempts.with_label_values(&[outcome]).inc();
    }

    /// An attempt to send a mail: `delivered`, `failed` or `given_up`.
    pub fn mail(&self, outcome: &'static str) {
        self.mail_attempts.with_label_values(&[outcome]).inc();
    }

    pub fn chain_read(&self, network: &'static str, now: u64) {
        self.chain_reads.with_label_values(&[network]).set(integer(now));
    }

    pub fn network_up(&self, network: &'static str, up: bool) {
        self.networks_up.with_label_values(&[network]).set(i64::from(up));
    }

    pub fn chain_height(&self, network: &'static str, height: u64) {
        self.heights.with_label_values(&[network]).set(integer(height));
    }

    pub fn register(&self, registry: &Registry) {
        add(registry, self.requests.clone());
        add(registry, self.durations.clone());
        add(registry, self.callback_attempts.clone());
        add(registry, self.mail_attempts.clone());
        add(registry, self.chain_reads.clone());
        add(registry, self.networks_up.clone());
        add(registry, self.heights.clone());
    }
}

pub fn register_backlog(backlog: &Backlog, registry: &Registry, now: u64) {
    gauge(registry, "checkout_callbacks_pending", "Callbacks that are due now or later.", backlog.pending);
    let late = backlog.due_since.map_or(0, |since| now.saturating_sub(since));
    gauge(registry, "checkout_callbacks_late_seconds", "Age of the oldest due callback.", late);
}

pub fn register_mails(backlog: &MailBacklog, registry: &Registry, now: u64) {
    gauge(registry, "checkout_mails_pending", "Mails that are due now or later.", backlog.pending);
    gauge(registry, "checkout_mails_given_up", "Mails that were not delivered.", backlog.given_up);
    let late = backlog.due_since.map_or(0, |since| now.saturating_sub(since));
    gauge(registry, "checkout_mails_late_seconds", "Age of the oldest due mail.", late);
}

pub fn register_held(deposits: &HeldCounts, registry: &Registry) {
    let help = "Deposits from flagged senders that wait for an operator.";
    gauge(registry, "checkout_deposits_flagged", help, deposits.flagged);
    let help = "Deposits that wait for the screening to answer.";
    gauge(registry, "checkout_deposits_unscreened", help, deposits.unscreened);
}

pub fn register_set_aside(counts: &[(Network, u64)], registry: &Registry) {
    let open =
        gauges("checkout_chain_set_aside", "Entries of the network that could not be read.", "network");
    counted(registry, open, counts.iter().map(|(network, count)| (network.code(), *count)));
}

pub fn register_wallets(compared: &[Currency], lacks: &[(Currency, Money)], registry: &Registry) {
    let help = "1 while the wallets hold less of a currency than the books say, else 0.";
    let of = |currency: &Currency| u64::from(lacks.iter().any(|(lacking, _)| lacking == currency));
    let rows = compared.iter().map(|currency| (currency.code(), of(currency)));
    counted(registry, gauges("checkout_wallet_lacks", help, "currency"), rows);
}

pub fn register_feed(feed: &FeedHealth, registry: &Registry) {
    let failures = IntCounter::new("checkout_rates_failures_total", "Failed fetches of exchange rates.");
    let failures = failures.expect(NAMES_ARE_VALID);
    failures.inc_by(feed.failures);
    add(registry, failures);
    let help = "Exchange rates of the feed that are out of bounds and not quoted.";
    gauge(registry, "checkout_rates_out_of_bounds", help, u64::try_from(feed.refused).unwrap_or(u64::MAX));
    let help = "Exchange rates that were out of bounds for so long that they were accepted.";
    let new_levels = IntCounter::new("checkout_rates_new_levels_total", help).expect(NAMES_ARE_VALID);
    new_levels.inc_by(feed.new_levels);
    add(registry, new_levels);
    if let Some(age) = feed.age {
        let help = "Time since the last valid answer of the feed of exchange rates.";
        gauge(registry, "checkout_rates_age_seconds", help, age.as_secs());
    }
}

pub(crate) fn counters(name: &str, help: &str, labels: &[&str]) -> IntCounterVec {
    IntCounterVec::new(Opts::new(name, help), labels).expect(NAMES_ARE_VALID)
}

/// A gauge per network.
pub(crate) fn gauges(name: &str, help: &str, label: &str) -> IntGaugeVec {
    IntGaugeVec::new(Opts::new(name, help), &[label]).expect(NAMES_ARE_VALID)
}

/// Gauges whose values are computed at the scrape.
pub(crate) fn counted<'a>(
    registry: &Registry,
    gauges: IntGaugeVec,
    counts: impl IntoIterator<Item = (&'a str, u64)>,
) {
    for (label, count) in counts {
        gauges.with_label_values(&[label]).set(integer(count));
    }
    add(registry, gauges);
}

/// A gauge whose value is computed at the scrape.
pub(crate) fn gauge(registry: &Registry, name: &str, help: &str, value: u64) {
    let gauge = IntGauge::new(name, help).expect(NAMES_ARE_VALID);
    gauge.set(integer(value));
    add(registry, gauge);
}

pub(crate) fn add(registry: &Registry, metric: impl Collector + 'static) {
    registry.register(Box::new(metric)).expect(NAMES_ARE_VALID);
}

pub fn text(registry: &Registry) -> String {
    TextEncoder::new().encode_to_string(&registry.gather()).expect("every family has a name and a type")
}

fn integer(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
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
        let registry = Registry::new();
        metrics.register(&registry);
        register_backlog(&Backlog { pending: 3, due_since: Some(90) }, &registry, 100);
        let text = text(&registry);
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
            "checkout_callback_attempts_total{outcome=\"delivered\"} 1",
            "checkout_callbacks_pending 3",
            "checkout_callbacks_late_seconds 10",
            "checkout_chain_read_timestamp_seconds{network=\"BTC\"} 1700000000",
        ] {
            assert!(text.lines().any(|have| have == line), "{line} in\n{text}");
        }
    }
}
