//! An operator's decision about a payout that is held after a restore.

use checkout_domain::chain::payout::Payout;
use checkout_domain::chain::payout::hold::HoldDecision;
use checkout_domain::ports::{Store, Stored, Tx};
use uuid::Uuid;

/// The result of the decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoldDecided {
    /// Stored; a running gateway applies it.
    Done,
    NotHeld,
    /// The transaction belongs to these payouts.
    Taken(Vec<Uuid>),
}

/// Stores the decision. A transaction that belongs to another payout is refused unless it is `shared`: one transaction can pay several.
pub async fn decide(
    store: &dyn Store,
    payout: Uuid,
    decision: &HoldDecision,
    shared: bool,
) -> Stored<HoldDecided> {
    let mut tx = store.begin().await?;
    let others = match decision {
        HoldDecision::Sent(transaction) if !shared => tx.payouts_sent_by(transaction, payout).await?,
        HoldDecision::Sent(_) | HoldDecision::Release => Vec::new(),
    };
    let decided = locked(tx.as_mut(), payout).await?.and_then(|payout| payout.decided(decision));
    let Some(decided) = decided else { return Ok(HoldDecided::NotHeld) };
    if !others.is_empty() {
        return Ok(HoldDecided::Taken(others));
    }
    tx.save_payout(decided).await?;
    tx.commit().await?;
    Ok(HoldDecided::Done)
}

/// Releases all of which nobody decided. Returns how many.
pub async fn release_all(store: &dyn Store, tx: &mut dyn Tx) -> Stored<usize> {
    let (mut released, mut payments) = (0, Vec::new());
    let all = store.held_payouts().await?;
    for held in &all {
        payments.extend(tx.payment_of_refund(held.id).await?);
    }
    tx.lock(&payments).await?;
    for held in all {
        let payout = tx.payout(held.id).await?;
        if let Some(payout) = payout.and_then(|payout| payout.decided(&HoldDecision::Release)) {
            released += usize::from(tx.save_payout(payout).await?.is_some());
        }
    }
    Ok(released)
}

/// A payout, locked after the payment that it refunds.
pub(super) async fn locked(tx: &mut dyn Tx, payout: Uuid) -> Stored<Option<Payout>> {
    let payment = tx.payment_of_refund(payout).await?;
    tx.lock(payment.as_slice()).await?;
    tx.payout(payout).await
}
