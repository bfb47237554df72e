//! An operator's decision about a payout that is held after a restore.

use checkout_domain::chain::payout_hold::HoldDecision;
use checkout_domain::ports::{Store, Stored};
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
    if !tx.decide_hold(payout, decision).await? {
        return Ok(HoldDecided::NotHeld);
    }
    if !others.is_empty() {
        return Ok(HoldDecided::Taken(others));
    }
    tx.commit().await?;
    Ok(HoldDecided::Done)
}
