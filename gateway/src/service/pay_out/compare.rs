//! After a restore payouts are compared with the chain: what was sent after the backup is not sent again.

use checkout_domain::chain::payout::Payout;
use checkout_domain::chain::payout_hold::{COMPARED_FOR, HoldDecision, RESTORED_AT};
use checkout_domain::ports::Stored;
use checkout_domain::ports::broadcaster::{Broadcaster, SentBefore};

use super::{book_sent, refunded};
use crate::service::App;

pub(super) enum Compared {
    /// It was not sent before.
    Unsent,
    /// An operator decides, or the chain is asked again.
    Held,
    /// It was sent before, which is in the books now.
    Adopted,
}

/// Whether an operator has to decide about it, or decided that it was sent before. Asked before anything of it is changed.
pub(super) async fn held(app: &App, payout: &Payout) -> Stored<Compared> {
    match app.store.payout_hold(payout.id).await?.map(|hold| (hold.decision, hold.reason)) {
        Some((Some(HoldDecision::Sent(transaction)), _)) => adopt(app, payout, &transaction).await,
        Some((None, Some(_))) => Ok(Compared::Held),
        Some((Some(HoldDecision::Release), _) | (None, None)) | None => Ok(Compared::Unsent),
    }
}

/// Whether it was in the backup, and is not released.
pub(super) async fn is_held(app: &App, payout: &Payout) -> Stored<bool> {
    let hold = app.store.payout_hold(payout.id).await?;
    Ok(hold.is_some_and(|hold| hold.decision != Some(HoldDecision::Release)))
}

pub(super) async fn compare(app: &App, broadcaster: &dyn Broadcaster, payout: &Payout) -> Stored<Compared> {
    let hold = app.store.payout_hold(payout.id).await?;
    match hold.as_ref().map(|hold| (&hold.decision, &hold.reason)) {
        Some((Some(HoldDecision::Release), _)) => return Ok(Compared::Unsent),
        Some((Some(HoldDecision::Sent(transaction)), _)) => return adopt(app, payout, transaction).await,
        Some((None, Some(_))) => return Ok(Compared::Held),
        None if !is_restored_lately(app).await? => return Ok(Compared::Unsent),
        Some((None, None)) | None => {}
    }
    let reason = match broadcaster.sent_before(payout).await {
        Ok(SentBefore::No) => None,
        Ok(SentBefore::Perhaps(transactions)) => {
            let unknown = app.store.unknown_transactions(transactions).await?;
            (!unknown.is_empty()).then(|| {
                format!("the same amount was sent to the same address before: {}", unknown.join(", "))
            })
        }
        Ok(SentBefore::Unknown(why)) => Some(why),
        Err(error) => {
            tracing::warn!(payout = %payout.id, ?error, "the chain could not be asked for what was sent before");
            return Ok(Compared::Held);
        }
    };
    let mut tx = app.store.begin().await?;
    // Meanwhile an operator may have decided, or another gateway had another answer.
    let is_unsent = if let Some(reason) = &reason {
        if tx.hold_compared(payout.id, reason).await? {
            tracing::error!(payout = %payout.id, reason,
                "held, because it may have been sent before the restore: see `checkout payouts held`");
        }
        false
    } else {
        tx.release_compared(payout.id).await?
    };
    tx.commit().await?;
    Ok(if is_unsent { Compared::Unsent } else { Compared::Held })
}

pub(super) async fn is_restored_lately(app: &App) -> Stored<bool> {
    Ok(restored_lately(app).await?.is_some())
}

/// The lost gateway knew the payout, too, and may have signed it again.
pub(super) async fn was_in_backup(app: &App, payout: &Payout) -> Stored<bool> {
    Ok(restored_lately(app).await?.is_some_and(|at| payout.created_at <= at))
}

async fn restored_lately(app: &App) -> Stored<Option<u64>> {
    let restored: Option<u64> = app.store.setting(RESTORED_AT).await?.and_then(|text| text.parse().ok());
    Ok(restored.filter(|at| app.clock.now() < at.saturating_add(COMPARED_FOR)))
}

async fn adopt(app: &App, payout: &Payout, transaction: &str) -> Stored<Compared> {
    let mut tx = app.store.begin().await?;
    let record = refunded(tx.as_mut(), payout).await?;
    if !tx.adopt_payout(payout.id, transaction, app.clock.now()).await? {
        return Ok(Compared::Held);
    }
    book_sent(app, tx.as_mut(), payout, record).await?;
    tx.commit().await?;
    tracing::info!(payout = %payout.id, transaction, "sent before the restore");
    Ok(Compared::Adopted)
}
