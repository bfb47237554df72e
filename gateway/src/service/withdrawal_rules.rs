//! Changes the limits of a business's withdrawals, also while gateways run.

use checkout_domain::ids::BusinessId;
use checkout_domain::ports::{Store, Stored};
use checkout_domain::withdrawal::rules::{Approval, RuleChanges, Rules};
use uuid::Uuid;

use crate::service::announce_events::{self, EventStamp};

/// Returns the changed rules. The next withdrawal follows them.
pub async fn change(store: &dyn Store, business: BusinessId, changes: RuleChanges) -> Stored<Rules> {
    let mut tx = store.begin().await?;
    // Locks the business.
    tx.business(business).await?;
    let rules = changes.apply(tx.rules(business).await?);
    if changes != RuleChanges::default() {
        tx.put_rules(business, &rules).await?;
        tx.commit().await?;
    }
    Ok(rules)
}

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
    let done = tx.decide_approval(withdrawal, approval).await?;
    if done {
        if let Some(before) = refunded {
            let source = EventStamp { new_id: &|| id, now };
            announce_events::since_from(store, &source, tx.as_mut(), &before).await?;
        }
        tx.commit().await?;
    }
    Ok(done)
}
