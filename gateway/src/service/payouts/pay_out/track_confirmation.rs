//! Tracks sent payouts until they are final.

use checkout_domain::business::events::EventType;
use checkout_domain::chain::payout::state::{PayoutState, Versions};
use checkout_domain::chain::payout::step::{Absent, Tracked, track};
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
    if known.iter().any(|(_, known)| *known != Known::Unknown) {
        app.state.payouts.moves(payout);
    }
    let is_final = |blocks| app.policy.finality.is_reached(payout.pair.network, blocks);
    match track(&payout.state, &known, is_final) {
        Tracked::Confirms(by) => confirm(app, broadcaster, payout, (versions, shown), by).await,
        Tracked::Settles => settle(app, payout).await,
        Tracked::Reverts => reverted(app, payout).await,
        Tracked::Unconfirms(absent) => {
            send_again(app, broadcaster, payout, &absent).await;
            unconfirm(app, payout).await
        }
        Tracked::Waits(absent) => {
            send_again(app, broadcaster, payout, &absent).await;
            replace(app, broadcaster, payout, versions).await
        }
        Tracked::Rests => Ok(false),
    }
}

async fn confirm(
    app: &App,
    broadcaster: &dyn Broadcaster,
    payout: &Payout,
    (versions, shown): (&Versions, &Signed),
    by: &Signed,
) -> Stored<bool> {
    let next = payout.clone().confirmed(by, app.clock.now());
    let Some(mut changed) = Changed::of(app, next).await? else { return Ok(false) };
    if by.transaction_id != shown.transaction_id {
        report_replaced(app, &mut changed).await?;
    }
    changed.tell(app, EventType::WithdrawalConfirmed).await?;
    changed.commit().await?;
    if matches!(payout.state, PayoutState::Sent { .. }) {
        for unused in versions.all().filter(|signed| *signed != by) {
            release(broadcaster, payout, unused, Some(by)).await;
        }
    }
    Ok(true)
}

async fn settle(app: &App, payout: &Payout) -> Stored<bool> {
    let Some(changed) = Changed::of(app, payout.clone().settled()).await? else { return Ok(false) };
    changed.commit().await?;
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

/// Sends the first of these transactions that the network accepts.
async fn send_again(
    app: &App,
    broadcaster: &dyn Broadcaster,
    payout: &Payout,
    Absent { again, is_pending }: &Absent<'_>,
) {
    let mut refused = None;
    for signed in again {
        let transaction = &signed.transaction_id;
        match broadcast(broadcaster, signed).await {
            Ok(()) => {
                app.state.payouts.moves(payout);
                tracing::warn!(payout = %payout.id, transaction, "sent again");
                return;
            }
            Err(error) if *is_pending => {
                tracing::debug!(payout = %payout.id, transaction, ?error, "the network keeps an older transaction");
                return;
            }
            Err(Unsent::Unavailable(error))
                if is_unproven_for_long(app, payout, again[0], error.as_ref()) =>
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
