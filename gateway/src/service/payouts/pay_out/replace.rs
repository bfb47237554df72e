//! Replaces transactions that wait too long for a block by ones with higher fees.

use checkout_domain::chain::payout::state::Versions;
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::chain::waiting::Waiting;
use checkout_domain::ports::Stored;
use checkout_domain::ports::broadcaster::{Broadcaster, Replacement, Unsent};

use super::changed::Changed;
use super::{broadcast, release};
use crate::service::App;

/// Called when the network answered for every transaction of a sent payout and none is in a block, or when it takes none of a
/// signed one. The replacement is
/// stored before it is broadcast, and tracked together with the others.
pub(super) async fn replace(
    app: &App,
    broadcaster: &dyn Broadcaster,
    payout: &Payout,
    versions: &Versions,
) -> Stored<bool> {
    let newest = versions.newest();
    let now = app.clock.now();
    if !app.state.payouts.is_to_replace(payout, now) {
        return Ok(false);
    }
    let waiting = Waiting { since: versions.pending_since, now };
    match broadcaster.replace(payout, newest, waiting).await {
        Ok(Replacement::None) => Ok(false),
        Ok(Replacement::Capped) => capped(app, payout, newest, now).await,
        Ok(Replacement::Signed(replacement)) => {
            let next = payout.clone().replaced(replacement.clone(), now);
            let Some(changed) = Changed::of(app, next).await? else {
                // Another process replaced it, or it was confirmed.
                release(broadcaster, payout, &replacement, Some(newest)).await;
                return Ok(false);
            };
            changed.commit().await?;
            tracing::warn!(payout = %payout.id, transaction = newest.transaction_id,
                replacement = replacement.transaction_id, waited = waiting.seconds(), "replaced by a transaction with a higher fee");
            // If it fails, it is sent in the next round.
            if let Err(error) = broadcast(broadcaster, &replacement).await {
                tracing::warn!(payout = %payout.id, transaction = replacement.transaction_id, ?error, "not sent yet");
            }
            Ok(true)
        }
        Err(Unsent::Unavailable(error)) => {
            tracing::warn!(payout = %payout.id, transaction = newest.transaction_id, %error, "not replaced yet");
            Ok(false)
        }
        Err(Unsent::Refused(reason) | Unsent::Expired(reason)) => {
            tracing::warn!(payout = %payout.id, transaction = newest.transaction_id, reason, "not replaced");
            Ok(false)
        }
    }
}

async fn capped(app: &App, payout: &Payout, newest: &Signed, now: u64) -> Stored<bool> {
    if let Some(changed) = Changed::of(app, payout.clone().capped(now)).await? {
        changed.commit().await?;
        tracing::error!(payout = %payout.id, transaction = newest.transaction_id,
            "it waits for a block, and its fee is at the configured maximum: see `checkout payouts pending`");
    }
    Ok(false)
}
