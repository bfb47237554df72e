//! The blocks that a payout waits for.

use checkout_core::Network;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::finality::Finality;
use checkout_domain::chain::payout::Progress;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::ports::broadcaster::Known;
use checkout_simulator::World;
use serde::Serialize;

/// A number of blocks still to be mined on a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Wait {
    pub network: &'static str,
    pub blocks: u64,
    /// The state reached after these blocks: `SENT` or `FINAL`.
    pub until: &'static str,
}

impl Wait {
    fn new(network: Network, blocks: u64, until: &'static str) -> Option<Self> {
        (blocks > 0).then(|| Self { network: network.code(), blocks, until })
    }
}

/// A refund is sent once every confirmed deposit of its payment is final. `confirmations` returns a deposit's
/// confirmations.
pub fn before_a_refund(
    finality: &Finality,
    record: &PaymentWithDeposits,
    confirmations: impl Fn(&OutputId) -> u64,
) -> Vec<Wait> {
    let mut waits: Vec<Wait> = Vec::new();
    for deposit in record.deposits.iter().filter(|deposit| deposit.is_confirmed()) {
        let network = deposit.output.network;
        let blocks = finality.lacks(network, confirmations(&deposit.output));
        let Some(wait) = Wait::new(network, blocks, "SENT") else { continue };
        match waits.iter_mut().find(|known| known.network == wait.network) {
            Some(known) => known.blocks = known.blocks.max(wait.blocks),
            None => waits.push(wait),
        }
    }
    waits
}

/// A payout is tracked until it is final.
pub async fn after_sending(
    world: &World,
    network: Network,
    progress: Progress,
    transaction_id: &str,
) -> Vec<Wait> {
    if !matches!(progress, Progress::Sent | Progress::Confirmed) {
        return Vec::new();
    }
    let Some(broadcaster) = world.app.broadcasters.get(&network) else { return Vec::new() };
    let blocks = match broadcaster.known(transaction_id).await {
        Ok(Known::Confirmed(blocks) | Known::Reverted(blocks)) => blocks,
        Ok(Known::Pending | Known::Unknown) => 0,
        Err(_) => return Vec::new(),
    };
    Wait::new(network, world.app.policy.finality.lacks(network, blocks), "FINAL").into_iter().collect()
}
