//! Replaces transactions that wait too long for a block by ones with higher fees.

use std::collections::BTreeMap;

use checkout_core::Network;
use checkout_domain::chain::payout::state::Versions;
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::chain::waiting::Waiting;
use checkout_domain::ports::Stored;
use checkout_domain::ports::broadcaster::{Broadcaster, Replacement, Unsent};
use parking_lot::Mutex;
use uuid::Uuid;

use super::changed::Changed;
use super::{broadcast, release};
use crate::service::App;

/// Seconds between two attempts to replace a transaction.
const PAUSE: u64 = 10;

/// When this process last tried to replace a payout's transaction.
#[derive(Debug, Default)]
pub struct Replacements(Mutex<BTreeMap<(Network, Uuid), u64>>);

impl Replacements {
    fn is_time(&self, payout: (Network, Uuid), now: u64) -> bool {
        let mut all = self.0.lock();
        let is_time = all.get(&payout).is_none_or(|tried| now >= tried.saturating_add(PAUSE) || now < *tried);
        if is_time {
            all.insert(payout, now);
        }
        is_time
    }

    pub(super) fn keep(&self, network: Network, open: impl Fn(Uuid) -> bool) {
        let mut all = self.0.lock();
        all.retain(|(on, payout), _| *on != network || open(*payout));
    }
}

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
    if !app.state.replacements.is_time((payout.pair.network, payout.id), now) {
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
