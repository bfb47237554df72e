//! Broadcasts what is stored of a signed payout.

use std::error::Error;

use checkout_domain::chain::payout::state::Versions;
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::fail_point;
use checkout_domain::ports::Stored;
use checkout_domain::ports::broadcaster::{Broadcaster, Unproven, Unsent};

use super::books::book_sent;
use super::changed::Changed;
use super::compare::{is_restored_lately, was_in_backup};
use super::ended::refuse;
use super::replace::replace;
use crate::service::App;
use crate::service::payouts::hourly_limit;

/// Seconds after which an operator is asked about a transaction of which the network cannot tell whether it was sent.
const OVERDUE: u64 = 3_600;

/// Sends the newest transaction that the network takes, and records that it has it. If the network takes none for now, and that
/// for long, the newest is replaced.
pub(super) async fn send_signed(
    app: &App,
    broadcaster: &dyn Broadcaster,
    payout: &Payout,
    versions: &Versions,
) -> Stored<bool> {
    let (mut waits, mut refused) = (None, None);
    for signed in versions.all().rev() {
        match broadcast(broadcaster, signed).await {
            Ok(()) => return note_sent(app, payout, signed).await,
            Err(Unsent::Unavailable(error)) => waits = waits.or(Some(error)),
            Err(Unsent::Refused(reason)) => refused = refused.or(Some(reason)),
            Err(Unsent::Expired(reason)) if was_in_backup(app, payout).await? => {
                return hold(app, payout, &since_the_backup(&format!("expired: {reason}"))).await;
            }
            Err(Unsent::Expired(reason)) if *signed == versions.first => {
                return sign_again(app, payout, &reason).await;
            }
            Err(Unsent::Expired(_)) => return Ok(false),
        }
    }
    match (waits, refused) {
        (Some(error), _) => {
            tracing::warn!(payout = %payout.id, %error, "not sent yet");
            if is_unproven_for_long(app, payout, versions.newest(), error.as_ref()) {
                // Each of them may have been.
                let ids: Vec<&str> = versions.all().map(|signed| &*signed.transaction_id).collect();
                let reason = format!("its transaction {} may have been sent: {error}", ids.join(" or "));
                return hold(app, payout, &reason).await;
            }
            replace(app, broadcaster, payout, versions).await
        }
        (None, Some(reason)) if is_restored_lately(app).await? => {
            hold(app, payout, &since_the_backup(&format!("is refused: {reason}"))).await
        }
        (None, Some(reason)) => {
            let failed = refuse(app, payout.clone(), &reason).await?;
            for signed in versions.all().filter(|_| failed) {
                release(broadcaster, payout, signed, None).await;
            }
            Ok(failed)
        }
        (None, None) => Ok(false),
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
    error.is::<Unproven>()
        && now >= app.state.payouts.unproven_since(payout, newest, now).saturating_add(OVERDUE)
}

async fn note_sent(app: &App, payout: &Payout, by: &Signed) -> Stored<bool> {
    let Some(mut changed) = Changed::of(app, payout.clone().sent(by)).await? else { return Ok(false) };
    book_sent(app, &mut changed).await?;
    hourly_limit::note_sent(app, changed.tx.as_mut(), payout).await?;
    changed.commit().await?;
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

/// A transaction that can never be included leaves the payout as if it had not been signed.
async fn sign_again(app: &App, payout: &Payout, reason: &str) -> Stored<bool> {
    let Some(changed) = Changed::of(app, payout.clone().unsigned()).await? else { return Ok(false) };
    changed.commit().await?;
    tracing::warn!(payout = %payout.id, reason, "it is signed again");
    Ok(true)
}

/// After the backup the transaction may have been replaced, or signed again, by one that the restored database does not have.
fn since_the_backup(its_own: &str) -> String {
    format!("it may have been sent by another transaction since the backup, and its transaction {its_own}")
}

/// An operator decides whether it is signed again.
async fn hold(app: &App, payout: &Payout, reason: &str) -> Stored<bool> {
    let Some(changed) = Changed::of(app, payout.clone().doubted(reason)).await? else { return Ok(false) };
    changed.commit().await?;
    tracing::error!(payout = %payout.id, reason, "held: see `checkout payouts held`");
    Ok(true)
}
