//! Payouts that end unsent, or wait for somebody again.

use checkout_domain::business::events::EventType;
use checkout_domain::chain::payout::{Payout, Purpose};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ports::{Stored, Tx};
use checkout_domain::withdrawal::may_leave::Why;
use checkout_wire::create_withdrawal::WithdrawalStatus;
use uuid::Uuid;

use super::books::finish;
use super::changed::{Changed, refunded};
use super::prepare_refund::{Prepared, hold, wait_again};
use crate::service::App;
use crate::service::callbacks::announce_events;
use crate::service::payments::keep_link;

/// Takes a refund of the merchant back that is not signed: its money is back on the balance. Returns false if it is too late. The
/// caller locked its payment.
pub async fn cancel(app: &App, tx: &mut dyn Tx, id: Uuid) -> Stored<bool> {
    let Some(cancelled) = tx.payout(id).await?.and_then(Payout::cancelled) else { return Ok(false) };
    if tx.save_payout(cancelled).await?.is_none() {
        return Ok(false);
    }
    finish(app, tx, id, WithdrawalStatus::Failed).await?;
    Ok(true)
}

/// An operator rejected or cancelled a withdrawal: its money is back on the balance.
pub(super) async fn reject(app: &App, payout: Payout) -> Stored<bool> {
    let Some(mut changed) = Changed::of(app, payout.failed()).await? else { return Ok(false) };
    finish(app, changed.tx.as_mut(), changed.payout.id, WithdrawalStatus::Blocked).await?;
    changed.tell(app, EventType::WithdrawalFailed).await?;
    let payout = changed.commit().await?;
    tracing::info!(payout = %payout.id, "a withdrawal was rejected");
    Ok(true)
}

/// Returns the money of a withdrawal that can never be sent; a refund waits for another address.
pub(super) async fn refuse(app: &App, payout: Payout, reason: &str) -> Stored<bool> {
    let Some(mut changed) = Changed::of(app, payout.failed()).await? else { return Ok(false) };
    tracing::error!(payout = %changed.payout.id, reason, "it cannot be sent");
    match changed.payout.purpose {
        Purpose::Withdrawal | Purpose::MerchantRefund => {
            finish(app, changed.tx.as_mut(), changed.payout.id, WithdrawalStatus::Failed).await?;
        }
        Purpose::Refund => {
            wait_again(app, &mut changed, |refund| refund.needs_address(NoRefundAddress::Refused)).await?;
        }
    }
    changed.tell(app, EventType::WithdrawalFailed).await?;
    changed.commit().await?;
    Ok(true)
}

/// What was approved is not what would be sent: it waits for another approval.
pub(super) async fn approve_again(app: &App, payout: &Payout) -> Stored<()> {
    if payout.purpose.is_charged() {
        let mut tx = app.store.begin().await?;
        let before = refunded(tx.as_mut(), payout).await?;
        tx.require_approval(payout.id).await?;
        if let Some(before) = &before {
            announce_events::since(app, tx.as_mut(), before).await?;
        }
        return tx.commit().await;
    }
    let Some(Changed { mut tx, before: Some(record), .. }) =
        Changed::of(app, payout.clone().cancelled()).await?
    else {
        return Ok(());
    };
    let Some((_, refund)) = record.refund_by_payout(payout.id) else { return Ok(()) };
    let Some(refund) = refund.clone().undecided() else { return Ok(()) };
    tx.put_refund(record.payment.id, payout.business, &refund).await?;
    keep_link::keep_link(app, tx.as_mut(), record.payment.id).await?;
    announce_events::since(app, tx.as_mut(), &record).await?;
    tx.commit().await
}

/// What would be sent to ourselves: its money is back on the balance, or it waits for another address.
pub(super) async fn end_own(app: &App, payout: Payout, why: Why) -> Stored<bool> {
    match payout.purpose {
        Purpose::Withdrawal | Purpose::MerchantRefund => refuse(app, payout, why.sentence()).await,
        Purpose::Refund => {
            let held = hold(app, payout, |refund| refund.needs_address(NoRefundAddress::OwnAddress)).await?;
            Ok(matches!(held, Prepared::Ended))
        }
    }
}
