//! Tracks sent payouts until they are final.

use super::{broadcast, lock_refunded};
use crate::domain::chain::payout::{Payout, Progress, Signed};
use crate::ports::Stored;
use crate::ports::broadcaster::{Broadcaster, Known, Unsent};
use crate::service::App;

/// A sent payout is confirmed by a block, and tracked until the block is final. One that the network dropped
/// is sent again with the same bytes.
pub(super) async fn track_confirmation(
    app: &App,
    broadcaster: &dyn Broadcaster,
    payout: &Payout,
    signed: &Signed,
) -> Stored<bool> {
    let known = match broadcaster.known(&signed.transaction_id).await {
        Ok(known) => known,
        Err(error) => {
            tracing::warn!(payout = %payout.id, ?error, "a transaction could not be tracked");
            return Ok(false);
        }
    };
    if known == Known::Unknown {
        send_again(app, broadcaster, payout, signed).await;
    } else {
        app.state.stuck.moves(payout.id);
    }
    let mut tx = app.store.begin().await?;
    lock_refunded(tx.as_mut(), payout).await?;
    let moved = match (payout.progress, known) {
        (Progress::Sent, Known::Confirmed(_)) => tx.confirm_payout(payout.id, app.clock.now()).await?,
        (Progress::Confirmed, Known::Confirmed(blocks)) => {
            app.policy.finality.is_reached(payout.pair.network, blocks)
                && tx.move_payout(payout.id, Progress::Confirmed, Progress::Final).await?
        }
        (Progress::Confirmed, Known::Pending | Known::Unknown) => tx.mark_unconfirmed(payout.id).await?,
        _ => false,
    };
    if moved {
        tx.commit().await?;
    }
    Ok(moved)
}

async fn send_again(app: &App, broadcaster: &dyn Broadcaster, payout: &Payout, signed: &Signed) {
    match broadcast(broadcaster, signed).await {
        Ok(()) => {
            app.state.stuck.moves(payout.id);
            tracing::warn!(payout = %payout.id, transaction = signed.transaction_id, "sent again");
        }
        Err(Unsent::Unavailable(error)) => {
            tracing::warn!(payout = %payout.id, %error, "dropped by the network, and not sent again yet");
        }
        Err(Unsent::Refused(reason)) => {
            if app.state.stuck.refused(payout.id, app.clock.now()) {
                tracing::error!(payout = %payout.id, transaction = signed.transaction_id, reason,
                    "dropped by the network and not accepted again: an operator must act; it is retried every second");
            }
        }
    }
}
