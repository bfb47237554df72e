//! The networks that are available for payments, and why others are not.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use checkout_core::{Network, Pair};

use crate::domain::chain::source::{self, Check, Level};
use crate::service::App;

/// The errors of a network, from reading its transfers and from checking its source.
#[derive(Clone, Debug, Default)]
struct Faults {
    reading: Option<String>,
    source: Option<String>,
}

/// The last known state of each network. A network is up until an error is found.
#[derive(Debug, Default)]
pub struct NetworkStatus(Mutex<BTreeMap<Network, Faults>>);

impl NetworkStatus {
    /// Records the outcome of reading transfers.
    pub fn read(&self, network: Network, fault: Option<String>) {
        self.all().entry(network).or_default().reading = fault;
    }

    /// The outcome of a check of the source.
    pub fn looked(&self, network: Network, fault: Option<String>) {
        self.all().entry(network).or_default().source = fault;
    }

    /// Returns why a network is not available for payments.
    pub fn fault(&self, network: Network) -> Option<String> {
        let all = self.all();
        let faults = all.get(&network)?;
        faults.source.clone().or_else(|| faults.reading.clone())
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<Network, Faults>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
        assert_eq!(status.fault(Network::Btc), None);
    }
}
