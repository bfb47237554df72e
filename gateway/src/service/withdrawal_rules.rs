//! Changes the limits of a business's withdrawals, also while gateways run.

use checkout_domain::ports::{Store, Stored};
use checkout_domain::withdrawal::rules::{Approval, RuleChanges, Rules};
use uuid::Uuid;

/// Returns the changed rules. The next withdrawal follows them.
pub async fn change(store: &dyn Store, business: Uuid, changes: RuleChanges) -> Stored<Rules> {
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

/// Stores an operator's decision about a withdrawal; false if it does not wait for one. A running gateway applies it.
pub async fn decide(store: &dyn Store, withdrawal: Uuid, approval: Approval) -> Stored<bool> {
    let mut tx = store.begin().await?;
    let done = tx.decide_approval(withdrawal, approval).await?;
    if done {
        tx.commit().await?;
    }
    Ok(done)
}
