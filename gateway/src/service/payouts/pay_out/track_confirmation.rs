//! Tracks sent payouts until they are final.

use checkout_domain::business::events::EventType;
use checkout_domain::chain::payout::{Payout, Progress, Purpose, Signed};
use checkout_domain::ports::broadcaster::{Broadcaster, Known, Unsent};
use checkout_domain::ports::payouts::Versions;
use checkout_domain::ports::{Stored, Tx};
use checkout_wire::create_withdrawal::WithdrawalStatus;

use super::replace::replace;
use super::reverted::reverted;
use super::send_signed::is_unproven_for_long;
use super::{broadcast, refunded, release, tell};
use crate::events::withdrawal_replaced::WithdrawalReplaced;
use crate::service::App;
use crate::service::callbacks::announce::announce;

/// A sent payout is confirmed by a block that has one of its transactions, and tracked until the block is final. One that
/// the network dropped is sent again with the same bytes; one that waits too long is replaced.
pub(super) async fn track_confirmation(
    app: &App,
    broadcaster: &dyn Broadcaster,
    payout: &Payout,
    shown: &Signed,
) -> Stored<bool> {
    let versions = app.store.versions(payout.id).await?;
    let Some(known) = ask(broadcaster, payout, &versions).await else { return Ok(false) };
    let confirmed = known.iter().find_map(|(signed, known)| match known {
        Known::Confirmed(blocks) => Some((*signed, *blocks)),
        Known::Reverted(_) | Known::Pending | Known::Unknown => None,
    });
    // All of them spend the same coins or have the same number, so a block has one of them at most.
    let moved_nothing = known.iter().find_map(|(_, known)| match known {
        Known::Reverted(blocks) => Some(*blocks),
        Known::Confirmed(_) | Known::Pending | Known::Unknown => None,
    });
    if let (None, Some(blocks)) = (confirmed, moved_nothing) {
        app.state.stuck.moves((payout.pair.network, payout.id));
        return reverted(app, payout, blocks).await;
    }
    let Some((confirmed, blocks)) = confirmed else {
        return wait(app, broadcaster, payout, &versions, &known).await;
    };
    app.state.stuck.moves((payout.pair.network, payout.id));
    let mut tx = app.store.begin().await?;
    let record = refunded(tx.as_mut(), payout).await?;
    let (id, now) = (payout.id, app.clock.now());
    let is_other = confirmed.transaction_id != shown.transaction_id;
    let moved = match payout.progress {
        Progress::Sent => tx.confirm_payout(id, confirmed, now).await?,
        // A reorganisation confirmed another of its transactions.
        Progress::Confirmed if is_other => {
            tx.mark_unconfirmed(id, now).await? && tx.confirm_payout(id, confirmed, now).await?
        }
        Progress::Confirmed => {
            app.policy.finality.is_reached(payout.pair.network, blocks)
                && tx.move_payout(id, Progress::Confirmed, Progress::Final).await?
        }
        Progress::Unaddressed
        | Progress::Waiting
        | Progress::Signed
        | Progress::Final
        | Progress::Cancelled
        | Progress::Failed
        | Progress::Reverted => false,
    };
    if moved {
        if is_other {
            report_replaced(app, tx.as_mut(), payout).await?;
        }
        if is_other || payout.progress == Progress::Sent {
            tell(app, tx.as_mut(), payout, record.as_ref(), EventType::WithdrawalConfirmed).await?;
        }
        tx.commit().await?;
    }
    if moved && payout.progress == Progress::Sent {
        for unused in versions.all.iter().filter(|signed| *signed != confirmed) {
            release(broadcaster, payout, unused, Some(confirmed)).await;
        }
    }
    Ok(moved)
}

/// The state of each transaction on the network, the newest last. `None` if it does not answer for one of them.
async fn ask<'a>(
    broadcaster: &dyn Broadcaster,
    payout: &Payout,
    versions: &'a Versions,
) -> Option<Vec<(&'a Signed, Known)>> {
    let mut known = Vec::with_capacity(versions.all.len());
    for signed in &versions.all {
        match broadcaster.known(&signed.transaction_id).await {
            Ok(answer) => known.push((signed, answer)),
            Err(error) => {
                tracing::warn!(payout = %payout.id, ?error, "a transaction could not be tracked");
                return None;
            }
        }
    }
    Some(known)
}

/// The merchant was told another transaction.
async fn report_replaced(app: &App, tx: &mut dyn Tx, payout: &Payout) -> Stored<()> {
    if payout.purpose == Purpose::Withdrawal
        && let Some(withdrawal) = tx.withdrawal(payout.id).await?
        && withdrawal.status == WithdrawalStatus::Completed
    {
        let event = WithdrawalReplaced::new(&withdrawal, app.policy.both_spellings);
        announce(app, tx, withdrawal.business, app.new_id(), event).await?;
        tell(app, tx, payout, None, EventType::WithdrawalReplaced).await?;
    }
    Ok(())
}

/// No transaction of the payout is in a block.
async fn wait(
    app: &App,
    broadcaster: &dyn Broadcaster,
    payout: &Payout,
    versions: &Versions,
    known: &[(&Signed, Known)],
) -> Stored<bool> {
    let is_pending = known.iter().any(|(_, known)| *known == Known::Pending);
    if is_pending {
        app.state.stuck.moves((payout.pair.network, payout.id));
    }
    if known.last().is_some_and(|(_, known)| *known == Known::Unknown) {
        // A network that has an older one is only asked to take the newest instead.
        let tried = if is_pending { 1 } else { known.len() };
        let newest_first: Vec<&Signed> = known.iter().rev().take(tried).map(|(signed, _)| *signed).collect();
        send_again(app, broadcaster, payout, &newest_first, is_pending).await;
    }
    if payout.progress == Progress::Confirmed {
        let mut tx = app.store.begin().await?;
        let record = refunded(tx.as_mut(), payout).await?;
        let moved = tx.mark_unconfirmed(payout.id, app.clock.now()).await?;
        if moved {
            tell(app, tx.as_mut(), payout, record.as_ref(), EventType::WithdrawalSent).await?;
            tx.commit().await?;
        }
        return Ok(moved);
    }
    match known.last() {
        Some((newest, _)) => replace(app, broadcaster, payout, newest, versions).await,
        None => Ok(false),
    }
}

/// Sends the first of these transactions that the network accepts.
async fn send_again(
    app: &App,
    broadcaster: &dyn Broadcaster,
    payout: &Payout,
    newest_first: &[&Signed],
    is_pending: bool,
) {
    let mut refused = None;
    for signed in newest_first {
        let transaction = &signed.transaction_id;
        match broadcast(broadcaster, signed).await {
            Ok(()) => {
                app.state.stuck.moves((payout.pair.network, payout.id));
                tracing::warn!(payout = %payout.id, transaction, "sent again");
                return;
            }
            Err(error) if is_pending => {
                tracing::debug!(payout = %payout.id, transaction, ?error, "the network keeps an older transaction");
                return;
            }
            Err(Unsent::Unavailable(error))
                if is_unproven_for_long(app, payout, newest_first[0], error.as_ref()) =>
            {
                refused = Some((transaction, error.to_string()));
            }
            Err(Unsent::Unavailable(error)) => {
                tracing::warn!(payout = %payout.id, transaction, %error, "dropped by the network, and not sent again yet");
                return;
            }
            Err(Unsent::Refused(reason) | Unsent::Expired(reason)) => refused = Some((transaction, reason)),
        }
    }
    if let Some((transaction, reason)) = refused
        && app.state.stuck.refused((payout.pair.network, payout.id), app.clock.now())
    {
        tracing::error!(payout = %payout.id, transaction, reason,
            "dropped by the network and not accepted again: an operator must act; it is retried every second");
    }
}
