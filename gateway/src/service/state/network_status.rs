//! The networks that are available for payments, and why others are not.

use std::collections::BTreeMap;

use checkout_core::{Network, Pair};
use checkout_domain::chain::source::{self, Check, Level, RATE_LIMIT};
use parking_lot::Mutex;

use crate::service::App;

/// The errors of a network, from reading its transfers and from checking its source.
#[derive(Clone, Debug, Default)]
struct Faults {
    reading: Option<String>,
    source: Option<String>,
    /// Nothing new is read although the chain grows.
    stuck: Option<String>,
    /// Since when reading is refused by a rate limit.
    limited: Option<u64>,
}

/// Seconds of refusals by a rate limit after which a network is not available.
const LIMITED_FOR: u64 = 120;

/// The last known state of each network. A network is up until an error is found.
#[derive(Debug, Default)]
pub struct NetworkStatus(Mutex<BTreeMap<Network, Faults>>);

impl NetworkStatus {
    /// Records the outcome of reading transfers.
    pub fn read(&self, network: Network, fault: Option<String>) {
        let mut all = self.0.lock();
        let faults = all.entry(network).or_default();
        (faults.reading, faults.limited) = (fault, None);
    }

    /// Reading was refused by a rate limit, which is a fault only if it lasts. Returns whether it is the first refusal.
    pub fn limited(&self, network: Network, now: u64, why: String) -> bool {
        let mut all = self.0.lock();
        let faults = all.entry(network).or_default();
        let is_first = faults.limited.is_none();
        if now >= faults.limited.get_or_insert(now).saturating_add(LIMITED_FOR) {
            faults.reading = Some(why);
        }
        is_first
    }

    /// Whether it is read on. Returns whether this changed.
    pub fn stuck(&self, network: Network, fault: Option<String>) -> bool {
        let mut all = self.0.lock();
        let faults = all.entry(network).or_default();
        let has_changed = faults.stuck.is_some() != fault.is_some();
        faults.stuck = fault;
        has_changed
    }

    /// The outcome of a check of the source.
    pub fn looked(&self, network: Network, fault: Option<String>) {
        self.0.lock().entry(network).or_default().source = fault;
    }

    /// Returns why a network is not available for payments.
    pub fn fault(&self, network: Network) -> Option<String> {
        let all = self.0.lock();
        let faults = all.get(&network)?;
        [&faults.source, &faults.reading, &faults.stuck].into_iter().flatten().next().cloned()
    }
}

impl App {
    /// Whether transfers of a pair are detected.
    pub fn reads(&self, pair: &Pair) -> bool {
        self.chains.get(&pair.network).is_some_and(|chain| chain.reads(pair))
    }

    /// Whether payers are offered this network now.
    pub fn takes(&self, network: Network) -> bool {
        self.chains.contains_key(&network) && self.state.networks.fault(network).is_none()
    }
}

/// Checks the source of a network and records the outcome.
pub async fn look(app: &App, network: Network) -> Vec<Check> {
    let Some(chain) = app.chains.get(&network) else { return Vec::new() };
    let checks = chain.health().await;
    // A refusal by a rate limit says nothing of the source.
    if checks.iter().any(|check| check.subject == RATE_LIMIT) {
        return checks;
    }
    let fault = source::fault(&checks).map(|check| format!("{}: {}", check.subject, check.detail));
    let before = app.state.networks.fault(network);
    app.state.networks.looked(network, fault.clone());
    match (&before, &fault) {
        (None, Some(fault)) => tracing::error!(%network, fault, "the network is not available for payments"),
        (Some(_), None) => tracing::info!(%network, "the network is available again"),
        _ => {}
    }
    for check in checks.iter().filter(|check| check.level == Level::Warning) {
        tracing::debug!(%network, subject = check.subject, detail = check.detail, "the source has a warning");
    }
    app.state.metrics.network_up(network.code(), app.state.networks.fault(network).is_none());
    if fault.is_none()
        && let Ok(tip) = chain.tip().await
    {
        app.state.metrics.chain_height(network.code(), tip.height);
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_down_while_it_has_an_error() {
        let status = NetworkStatus::default();
        let check = |expected: Option<&str>| assert_eq!(status.fault(Network::Ltc).as_deref(), expected);
        check(None);
        status.read(Network::Ltc, Some("no answer".to_owned()));
        check(Some("no answer"));
        status.looked(Network::Ltc, Some("not synced".to_owned()));
        check(Some("not synced"));
        status.looked(Network::Ltc, None);
        check(Some("no answer"));
        status.read(Network::Ltc, None);
        check(None);
        assert!(status.stuck(Network::Ltc, Some("block 7".to_owned())));
        check(Some("block 7"));
        assert!(!status.stuck(Network::Ltc, Some("block 7".to_owned())) && status.stuck(Network::Ltc, None));
        check(None);
        assert_eq!(status.fault(Network::Btc), None);
    }

    #[test]
    fn one_refusal_by_a_rate_limit_is_not_down() {
        let status = NetworkStatus::default();
        let limited = |now| status.limited(Network::Xlm, now, "429".to_owned());
        let is_up = || status.fault(Network::Xlm).is_none();
        assert!(limited(1_000) && is_up());
        assert!(!limited(1_119) && is_up());
        status.read(Network::Xlm, None);
        assert!(limited(1_120) && is_up(), "an answer in between");
        assert!(!limited(1_240) && !is_up(), "two minutes without an answer");
        status.read(Network::Xlm, None);
        assert!(is_up());
    }
}
