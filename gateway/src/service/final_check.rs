//! Asks chains whether credited deposits are final: their money can be spent from then on.

use checkout_core::Network;
use checkout_domain::ledger::settlement::Depth;
use checkout_domain::payment::pending::PendingDeposit;
use checkout_domain::ports::Stored;
use tokio::time::timeout;

use crate::service::App;
use crate::service::depth::{lacks, seconds};
use crate::service::pay_out::TIME_LIMIT;

/// How many deposits of a network are asked for at a time.
const AT_A_TIME: u32 = 50;

/// Asks for the deposits of a network that are due.
pub async fn run(app: &App, network: Network) -> Stored<()> {
    let (Some(chain), now) = (app.chains.get(&network), app.clock.now()) else { return Ok(()) };
    for PendingDeposit { deposit, output, seen_at, .. } in
        app.store.pending_on(network, now, AT_A_TIME).await?
    {
        let lacks = match timeout(TIME_LIMIT, chain.confirmations(&output)).await {
            Ok(Ok(confirmations)) => lacks(app, network, seen_at, confirmations),
            unknown => {
                tracing::debug!(%deposit, ?unknown, "the confirmations of a deposit are not known yet");
                1
            }
        };
        let asked_at = now.saturating_add(seconds(app, network, lacks));
        let depth = if lacks == 0 { Depth::Final } else { Depth::Shallow { asked_at } };
        app.store.put_depth(deposit, depth).await?;
    }
    Ok(())
}
