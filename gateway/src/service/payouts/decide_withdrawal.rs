//! Decisions about a withdrawal that is not signed.

use checkout_domain::withdrawal::Withdrawal;
use checkout_domain::withdrawal::approved::Approved;
use checkout_domain::withdrawal::rules::Approval;
use checkout_wire::list_withdrawals::ListedWithdrawal;
use uuid::Uuid;

use crate::render::withdrawal::listed;
use crate::service::App;
use crate::service::payouts::withdrawal_rules;
use crate::service::payouts::withdrawal_rules::{Decided, Decision};
use crate::service::refused::Refused;

/// Approves what was seen, or rejects it. The same decision again changes nothing.
pub async fn decide(app: &App, id: Uuid, decision: Decision<'_>) -> Result<ListedWithdrawal, Refused> {
    let found = find(app, id).await?;
    // A disabled business sends nothing: its token may be stolen.
    let business = app.store.business(found.business).await?;
    if matches!(decision, Decision::Approve(..)) && business.is_some_and(|business| business.disabled) {
        return Err(Refused::Disabled);
    }
    let new = (app.new_id(), app.clock.now());
    let decided = withdrawal_rules::decide(app.store.as_ref(), new, id, decision).await?;
    let now = find(app, id).await?;
    match (decided, decision, now.approval) {
        (Decided::Done, ..) => tracing::info!(withdrawal = %id, ?decision, "decided"),
        (Decided::SameInitiator, ..) => return Err(Refused::SameInitiator),
        (Decided::Changed, ..) => return Err(Refused::AddressChanged),
        (Decided::NotWaiting, Decision::Reject, Some(Approval::Rejected)) => {}
        (Decided::NotWaiting, Decision::Approve(seen, _), Some(Approval::Approved)) => {
            if !seen.is(now.pair, &Approved::of(&now)) {
                return Err(Refused::AddressChanged);
            }
        }
        (Decided::NotWaiting, ..) => return Err(Refused::WithdrawalState("waits for no approval")),
    }
    Ok(listed(&now))
}

/// Cancels it until its bytes are signed. Again, it changes nothing.
pub async fn cancel(app: &App, id: Uuid) -> Result<ListedWithdrawal, Refused> {
    find(app, id).await?;
    let done = withdrawal_rules::cancel(app.store.as_ref(), id).await?;
    let now = find(app, id).await?;
    if !done && now.approval != Some(Approval::Rejected) {
        return Err(Refused::WithdrawalState("is signed, has ended, or may have been sent"));
    }
    if done {
        tracing::info!(withdrawal = %id, "cancelled");
    }
    Ok(listed(&now))
}

/// The store has withdrawals alone here: refunds have decisions of their own.
async fn find(app: &App, id: Uuid) -> Result<Withdrawal, Refused> {
    app.store.withdrawal(id).await?.ok_or(Refused::NoWithdrawal)
}
