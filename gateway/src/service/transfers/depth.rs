//! How deep credited deposits are in their chains.

use checkout_core::Network;
use checkout_domain::ledger::settlement::Depth;
use checkout_domain::payment::deposit::Deposit;

use crate::service::App;

/// Seconds after which a confirmed deposit that its server does not know counts as final: longer than any reorganisation.
const FORGOTTEN_AFTER: u64 = 30 * 86_400;

/// Of a deposit that is confirmed now: its chain is asked soon.
pub fn depth(app: &App, deposit: &Deposit) -> Depth {
    let network = deposit.output.network;
    match app.policy.finality.lacks(network, deposit.required_confirmations) {
        0 => Depth::Final,
        _ => Depth::Shallow { asked_at_height: 0 },
    }
}

/// The blocks that a deposit lacks to be final, which was booked at this time. Servers forget old transactions; one that was lost would
/// have been taken off its payment since.
pub fn lacks(app: &App, network: Network, booked_at: u64, confirmations: u64) -> u64 {
    if confirmations == 0 && may_be_forgotten(app, booked_at) {
        tracing::info!(%network, "a deposit is final by its age: its server does not know it");
        return 0;
    }
    app.policy.finality.lacks(network, confirmations)
}

pub fn may_be_forgotten(app: &App, since: u64) -> bool {
    app.clock.now() > since.saturating_add(FORGOTTEN_AFTER)
}
