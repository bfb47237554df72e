//! Broadcasts what is stored of a signed payout.

use std::error::Error;

use checkout_domain::business::events::EventType;
use checkout_domain::chain::payout::{Payout, Progress, Purpose, Signed};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::fail_point;
use checkout_domain::payment::refund_phase::Phase;
use checkout_domain::ports::Stored;
use checkout_domain::ports::broadcaster::{Broadcaster, Unproven, Unsent};
use checkout_wire::create_withdrawal::WithdrawalStatus;

use super::compare::{is_restored_lately, was_in_backup};
use super::prepare_refund::wait_again;
use super::replace::replace;
use super::{book_sent, finish, lock_refunded, refunded, tell};
use crate::service::App;

/// Seconds after which an operator is asked about a transaction of which the network cannot tell whether it was sent.
const OVERDUE: u64 = 3_600;

/// Sends the newest transaction that the network takes, and records that it has it. If the network takes none for now, and that
/// for long, the newest is replaced.
pub(super) async fn send_signed(app: &App, broadcaster: &dyn Broadcaster, payout: &Payout) -> Stored<bool> {
    let versions = app.store.versions(payout.id).await?;
    let (mut waits, mut refused) = (None, None);
    for signed in versions.all.iter().rev() {
        match broadcast(broadcaster, signed).await {
            Ok(()) => return note_sent(app, payout, signed).await,
            Err(Unsent::Unavailable(error)) => waits = waits.or(Some(error)),
            Err(Unsent::Refused(reason)) => refused = refused.or(Some(reason)),
            Err(Unsent::Expired(reason)) if was_in_backup(app, payout).await? => {
                return hold(app, payout, &versions.all, &since_the_backup(&format!("expired: {reason}")))
                    .await;
            }
            Err(Unsent::Expired(reason)) => return sign_again(app, payout, signed, &reason).await,
        }
    }
    match (waits, versions.all.last(), refused) {
        (Some(error), Some(newest), _) => {
            tracing::warn!(payout = %payout.id, %error, "not sent yet");
            if is_unproven_for_long(app, payout, newest, error.as_ref()) {
                // Each of them may have been.
                let ids: Vec<&str> = versions.all.iter().map(|signed| &*signed.transaction_id).collect();
                let reason = format!("its transaction {} may have been sent: {error}", ids.join(" or "));
                return hold(app, payout, &versions.all, &reason).await;
            }
            replace(app, broadcaster, payout, newest, &versions).await
        }
        (_, _, Some(reason)) if is_restored_lately(app).await? => {
            hold(app, payout, &versions.all, &since_the_backup(&format!("is refused: {reason}"))).await
        }
        (_, _, Some(reason)) => {
            let failed = refuse(app, payout, &versions.all, &reason).await?;
            let unused = versions.all.iter().filter(|_| failed);
            for signed in unused {
                release(broadcaster, payout, signed, None).await;
            }
            Ok(failed)
        }
        (Some(_), None, None) | (None, _, None) => Ok(false),
    }
}

/// Whether the network has not been able to tell for an hour if a transaction was sent.
pub(super) fn is_unproven_for_long(
    app: &App,
    payout: &Payout,
    newest: &Signed,
    error: &(dyn Error + Send + Sync + 'static),
) -> bool {
    let now = app.clock.now();
    error.is::<Unproven>() && now >= app.state.doubts.since(payout, newest, now).saturating_add(OVERDUE)
}

async fn note_sent(app: &App, payout: &Payout, by: &Signed) -> Stored<bool> {
    let mut tx = app.store.begin().await?;
    let record = refunded(tx.as_mut(), payout).await?;
    if !tx.send_payout(payout.id, by).await? {
        return Ok(false);
    }
    book_sent(app, tx.as_mut(), payout, record).await?;
    tx.commit().await?;
    tracing::info!(payout = %payout.id, transaction = by.transaction_id, "sent");
    Ok(true)
}

pub(super) async fn broadcast(broadcaster: &dyn Broadcaster, signed: &Signed) -> Result<(), Unsent> {
    fail_point::reach("broadcast.before");
    let sent = broadcaster.broadcast(signed).await;
    fail_point::reach("broadcast.after");
    sent
}

/// A reserved number is not lost, so an error is only logged.
pub(super) async fn release(
    broadcaster: &dyn Broadcaster,
    payout: &Payout,
    unused: &Signed,
    kept: Option<&Signed>,
) {
    if let Err(error) = broadcaster.release(unused, kept).await {
        let transaction = &unused.transaction_id;
        tracing::warn!(payout = %payout.id, transaction, ?error, "its coins stay reserved");
    }
}

/// Returns the money of a withdrawal that can never be sent; a refund waits for another address. `signed`: its transactions, all
/// of which the network refused.
pub(super) async fn refuse(app: &App, payout: &Payout, signed: &[Signed], reason: &str) -> Stored<bool> {
    let from = if signed.is_empty() { Progress::Waiting } else { Progress::Signed };
    let mut tx = app.store.begin().await?;
    let record = refunded(tx.as_mut(), payout).await?;
    if !tx.move_payout(payout.id, from, Progress::Failed).await? {
        return Ok(false);
    }
    if app.store.versions(payout.id).await?.all != signed {
        return Ok(false); // Another process signed it, or replaced it.
    }
    tracing::error!(payout = %payout.id, reason, "it cannot be sent");
    match payout.purpose {
        Purpose::Withdrawal | Purpose::MerchantRefund => {
            finish(app, tx.as_mut(), payout.id, WithdrawalStatus::Failed).await?;
        }
        Purpose::Refund => {
            let phase = Phase::NeedsAddress(NoRefundAddress::Refused);
            wait_again(app, tx.as_mut(), record.as_ref(), payout, phase).await?;
        }
    }
    tell(app, tx.as_mut(), payout, record.as_ref(), EventType::WithdrawalFailed).await?;
    tx.commit().await?;
    Ok(true)
}

/// A transaction that can never be included leaves the payout as if it had not been signed.
async fn sign_again(app: &App, payout: &Payout, expired: &Signed, reason: &str) -> Stored<bool> {
    let mut tx = app.store.begin().await?;
    lock_refunded(tx.as_mut(), payout).await?;
    if !tx.unsign_payout(payout.id, expired).await? {
        return Ok(false);
    }
    tx.commit().await?;
    tracing::warn!(payout = %payout.id, reason, "it is signed again");
    Ok(true)
}

/// After the backup the transaction may have been replaced, or signed again, by one that the restored database does not have.
fn since_the_backup(its_own: &str) -> String {
    format!("it may have been sent by another transaction since the backup, and its transaction {its_own}")
}

/// An operator decides whether it is signed again. `signed`: all its transactions.
async fn hold(app: &App, payout: &Payout, signed: &[Signed], reason: &str) -> Stored<bool> {
    let Some(first) = signed.first() else { return Ok(false) };
    let mut tx = app.store.begin().await?;
    lock_refunded(tx.as_mut(), payout).await?;
    if !tx.unsign_payout(payout.id, first).await? {
        return Ok(false);
    }
    if app.store.versions(payout.id).await?.all != signed {
        return Ok(false); // Another process replaced it.
    }
    tx.hold_payout(payout.id, reason).await?;
    tx.commit().await?;
    tracing::error!(payout = %payout.id, reason, "held: see `checkout payouts held`");
    Ok(true)
}
