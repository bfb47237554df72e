//! After a restore payouts are compared with the chain: what was sent after the backup is not sent again.

use checkout_domain::chain::payout::{Payout, Purpose};
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

/// Whether an operator has to decide about it, or decided that it was sent before.
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
        Some((None, None)) | None => {}
    }
    let (answer, what) = match (sought(app, payout).await?, hold) {
        (Sought::Nothing, None) => return Ok(Compared::Unsent),
        (Sought::Anything, _) => {
            (broadcaster.sent_elsewhere(payout).await, "it may have been sent to another address before, by")
        }
        (Sought::Same | Sought::Nothing, _) => {
            (broadcaster.sent_before(payout).await, "the same amount was sent to the same address before:")
        }
    };
    let reason = match answer {
        Ok(SentBefore::No) => None,
        Ok(SentBefore::Perhaps(transactions)) => {
            let unknown = app.store.unknown_transactions(transactions).await?;
            (!unknown.is_empty()).then(|| format!("{what} {}", named(&unknown)))
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

/// What the lost gateway may have sent of a payout.
enum Sought {
    Nothing,
    /// The same to the same address.
    Same,
    /// Anything to any address: the address of a refund is named by the payer or the merchant, who may have named another one after
    /// the backup.
    Anything,
}

async fn sought(app: &App, payout: &Payout) -> Stored<Sought> {
    let Some(at) = restored_at(app).await? else { return Ok(Sought::Nothing) };
    let is_late = app.clock.now() >= at.saturating_add(COMPARED_FOR);
    let elsewhere = match named_refund(app, payout).await? {
        Some(refund) => refund.of_payment_at <= at && (refund.is_asked || !is_late),
        None => false,
    };
    Ok(match (elsewhere, is_late) {
        (true, _) => Sought::Anything,
        (false, false) => Sought::Same,
        (false, true) => Sought::Nothing,
    })
}

/// A refund to an address that the payer, the merchant or an operator named.
struct NamedRefund {
    of_payment_at: u64,
    /// The approval may come long after the payer's claim.
    is_asked: bool,
}

async fn named_refund(app: &App, payout: &Payout) -> Stored<Option<NamedRefund>> {
    if !payout.claimed && payout.purpose != Purpose::MerchantRefund {
        return Ok(None);
    }
    let Some(payment) = app.store.refunded_payment(payout.id).await? else { return Ok(None) };
    let Some(record) = app.store.payment(payment).await? else { return Ok(None) };
    let is_asked = payout.claimed || record.refund(payout.id).is_some_and(|refund| refund.claim.is_some());
    Ok(Some(NamedRefund { of_payment_at: record.payment.initiated_at, is_asked }))
}

/// Transactions that a reason names.
const NAMED: usize = 20;

/// The newest of these transactions, which come last.
fn named(transactions: &[String]) -> String {
    let newest = &transactions[transactions.len().saturating_sub(NAMED)..];
    let listed = newest.join(", ");
    match transactions.len() - newest.len() {
        0 => listed,
        older => format!("one of {older} older transactions or {listed}"),
    }
}

pub(super) async fn is_restored_lately(app: &App) -> Stored<bool> {
    Ok(restored_lately(app).await?.is_some())
}

/// The lost gateway knew the payout, too, and may have signed it again.
pub(super) async fn was_in_backup(app: &App, payout: &Payout) -> Stored<bool> {
    Ok(restored_lately(app).await?.is_some_and(|at| payout.created_at <= at))
}

async fn restored_at(app: &App) -> Stored<Option<u64>> {
    Ok(app.store.setting(RESTORED_AT).await?.and_then(|text| text.parse().ok()))
}

async fn restored_lately(app: &App) -> Stored<Option<u64>> {
    let restored = restored_at(app).await?;
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
