//! Tracks sent payouts until they are final.

use checkout_domain::business::events::EventType;
use checkout_domain::chain::payout::state::{PayoutState, Versions};
use checkout_domain::chain::payout::{Payout, Purpose, Signed};
use checkout_domain::ports::Stored;
use checkout_domain::ports::broadcaster::{Broadcaster, Known, Unsent};
use checkout_wire::create_withdrawal::WithdrawalStatus;

use super::changed::Changed;
use super::replace::replace;
use super::reverted::{reverted, unconfirm};
use super::send_signed::is_unproven_for_long;
use super::{broadcast, release};
use crate::events::withdrawal_replaced::WithdrawalReplaced;
use crate::service::App;
use crate::service::callbacks::announce::announce;

/// A sent payout is confirmed by a block that has one of its transactions, and tracked until the block is final. One that
/// the network dropped is sent again with the same bytes; one that waits too long is replaced.
pub(super) async fn track_confirmation(
    app: &App,
    broadcaster: &dyn Broadcaster,
    payout: &Payout,
    (versions, shown): (&Versions, &Signed),
) -> Stored<bool> {
    let Some(known) = ask(broadcaster, payout, versions).await else { return Ok(false) };
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
        app.state.payouts.moves(payout);
        return reverted(app, payout, blocks).await;
    }
    let Some((confirmed, blocks)) = confirmed else {
        return wait(app, broadcaster, payout, versions, &known).await;
    };
    app.state.payouts.moves(payout);
    let is_other = confirmed.transaction_id != shown.transaction_id;
    let is_sent = matches!(payout.state, PayoutState::Sent { .. });
    let next = if is_sent || is_other {
        payout.clone().confirmed(confirmed, app.clock.now())
    } else if app.policy.finality.is_reached(payout.pair.network, blocks) {
        payout.clone().settled()
    } else {
        None
    };
    let Some(mut changed) = Changed::of(app, next).await? else { return Ok(false) };
    if is_other {
        report_replaced(app, &mut changed).await?;
    }
    if is_other || is_sent {
        changed.tell(app, EventType::WithdrawalConfirmed).await?;
    }
    changed.commit().await?;
    if is_sent {
        for unused in versions.all().filter(|signed| *signed != confirmed) {
            release(broadcaster, payout, unused, Some(confirmed)).await;
        }
    }
    Ok(true)
}

/// The state of each transaction on the network, the newest last. `None` if it does not answer for one of them.
async fn ask<'a>(
    broadcaster: &dyn Broadcaster,
    payout: &Payout,
    versions: &'a Versions,
) -> Option<Vec<(&'a Signed, Known)>> {
    let mut known = Vec::with_capacity(1 + versions.later.len());
    for signed in versions.all() {
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
async fn report_replaced(app: &App, changed: &mut Changed) -> Stored<()> {
    if changed.payout.purpose == Purpose::Withdrawal
        && let Some(withdrawal) = changed.tx.withdrawal(changed.payout.id).await?
        && withdrawal.status == WithdrawalStatus::Completed
    {
        let event = WithdrawalReplaced::new(&withdrawal, app.policy.both_spellings);
        announce(app, changed.tx.as_mut(), withdrawal.business, app.new_id(), event).await?;
        changed.tell(app, EventType::WithdrawalReplaced).await?;
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
        app.state.payouts.moves(payout);
    }
    if known.last().is_some_and(|(_, known)| *known == Known::Unknown) {
        // A network that has an older one is only asked to take the newest instead.
        let tried = if is_pending { 1 } else { known.len() };
        let newest_first: Vec<&Signed> = known.iter().rev().take(tried).map(|(signed, _)| *signed).collect();
        send_again(app, broadcaster, payout, &newest_first, is_pending).await;
    }
    if matches!(payout.state, PayoutState::Confirmed { .. }) {
        return unconfirm(app, payout).await;
    }
    replace(app, broadcaster, payout, versions).await
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
                app.state.payouts.moves(payout);
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
        && app.state.payouts.refused(payout, app.clock.now())
    {
        tracing::error!(payout = %payout.id, transaction, reason,
            "dropped by the network and not accepted again: an operator must act; it is retried every second");
    }
}
