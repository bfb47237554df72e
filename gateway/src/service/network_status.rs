//! Which networks can be paid on at present, and why the others cannot.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use checkout_core::Network;

use crate::domain::chain::source::{self, Check, Level};
use crate::service::App;

/// What is wrong with a network: found by reading its transfers, and by looking at its source.
#[derive(Clone, Debug, Default)]
struct Faults {
    reading: Option<String>,
    source: Option<String>,
}

/// The last known state of each network. A network is up until something was found wrong with it.
#[derive(Debug, Default)]
pub struct NetworkStatus(Mutex<BTreeMap<Network, Faults>>);

impl NetworkStatus {
    /// The outcome of reading transfers.
    pub fn read(&self, network: Network, fault: Option<String>) {
        self.all().entry(network).or_default().reading = fault;
    }

    /// The outcome of a look at the source.
    pub fn looked(&self, network: Network, fault: Option<String>) {
        self.all().entry(network).or_default().source = fault;
    }

    /// Why nothing can be paid on a network.
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
    /// Whether payers are offered this network now.
    pub fn takes(&self, network: Network) -> bool {
        self.chains.contains_key(&network) && self.state.networks.fault(network).is_none()
    }
}

/// Looks at the source of a network and notes what came of it.
pub async fn look(app: &App, network: Network) -> Vec<Check> {
    let Some(chain) = app.chains.get(&network) else { return Vec::new() };
    let checks = chain.health().await;
    let fault = source::fault(&checks).map(|check| format!("{}: {}", check.subject, check.detail));
    let before = app.state.networks.fault(network);
    app.state.networks.looked(network, fault.clone());
    match (&before, &fault) {
        (None, Some(fault)) => tracing::error!(%network, fault, "nothing can be paid on this network"),
        (Some(_), None) => tracing::info!(%network, "the source of this network is sound"),
        _ => {}
    }
    for check in checks.iter().filter(|check| check.level == Level::Warning) {
        tracing::debug!(%network, subject = check.subject, detail = check.detail, "not as it could be");
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
    fn a_network_is_down_while_anything_is_wrong_with_it() {
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
