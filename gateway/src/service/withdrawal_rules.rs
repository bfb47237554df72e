//! Decisions about withdrawals above a limit of the business.

use checkout_domain::ports::{Store, Stored};
use checkout_domain::withdrawal::rules::Approval;
use uuid::Uuid;

use crate::service::announce_events::{self, EventStamp};

/// Stores an operator's decision about a withdrawal; false if it does not wait for one. A running gateway applies it. `id` becomes that
/// of an event.
pub async fn decide(
    store: &dyn Store,
    (id, now): (Uuid, u64),
    withdrawal: Uuid,
    approval: Approval,
) -> Stored<bool> {
    let mut tx = store.begin().await?;
    let refunded = match tx.payment_of_refund(withdrawal).await? {
        Some(payment) => tx.payment(payment).await?,
        None => None,
    };
    let done = tx.decide_approval(withdrawal, approval, now).await?;
    if done {
        if let Some(before) = refunded {
            let source = EventStamp { new_id: &|| id, now };
            announce_events::since_from(store, &source, tx.as_mut(), &before).await?;
        }
        tx.commit().await?;
    }
    Ok(done)
}

/// Cancels a withdrawal until its bytes are signed; false if it does not wait for that. A running gateway returns its money.
pub async fn cancel(store: &dyn Store, withdrawal: Uuid) -> Stored<bool> {
    let mut tx = store.begin().await?;
    let done = tx.cancel_withdrawal(withdrawal).await?;
    if done {
        tx.commit().await?;
    }
    Ok(done)
}
