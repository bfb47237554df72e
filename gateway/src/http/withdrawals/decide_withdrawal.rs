//! `POST /api/v1/withdrawals/{withdrawalId}/approve`, `…/reject` and `…/cancel`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_domain::withdrawal::Withdrawal;
use checkout_domain::withdrawal::approved::Approved;
use checkout_domain::withdrawal::rules::Approval;
use checkout_wire::Approve;
use checkout_wire::list_withdrawals::ListedWithdrawal;
use uuid::Uuid;

use super::get_withdrawal::{WithdrawalPath, read};
use crate::http::Shared;
use crate::http::auth::{By, Organisation, Withdraw};
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::requests::seen;
use crate::render::withdrawal::listed;
use crate::service::App;
use crate::service::payouts::withdrawal_rules::{self, Decided, Decision};
use crate::service::refused::Refused;

type WithdrawalInPath = Result<Path<WithdrawalPath>, PathRejection>;

pub(in crate::http) fn approve_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Lets a withdrawal go that waits for an approval (`waitingFor`), because it is above `withdrawalApprovalAbove` of the \
                 business: the same decision as `checkout payouts approve`, with an organisation key, so that a stolen token of the \
                 business does not approve what it withdraws. Who asked for it does not approve it (`same_initiator`): another credential or operator does. The request names address, tag and amount as they were seen: \
                 if another address stands there now, nothing is approved (`address_changed`). Again, it changes nothing.";
    operation
        .id("approveWithdrawal")
        .tag(tag::WITHDRAWALS)
        .summary("Approve a withdrawal")
        .description(about)
        .answers::<ListedWithdrawal>(200, "The withdrawal, which is sent now.")
        .refuses(400, &["unseen"])
        .refuses(403, &["business_disabled", "same_initiator"])
        .refuses(409, &["withdrawal_state", "address_changed"])
}

pub(in crate::http) async fn approve(
    State(app): State<Shared>,
    _: Organisation<Withdraw>,
    By(by): By,
    path: WithdrawalInPath,
    body: Body<Approve>,
) -> Result<Json<ListedWithdrawal>, Refusal> {
    let seen = seen::read(body)?;
    decide(&app, read(path)?, Decision::Approve(&seen, &by)).await
}

pub(in crate::http) fn reject_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Refuses a withdrawal that waits for an approval (`waitingFor`): its money returns to the balance, its status becomes \
                 `BLOCKED`, and the callback says so. The same decision as `checkout payouts reject`, with an organisation key. \
                 Again, it changes nothing.";
    operation
        .id("rejectWithdrawal")
        .tag(tag::WITHDRAWALS)
        .summary("Reject a withdrawal")
        .description(about)
        .answers::<ListedWithdrawal>(200, "The withdrawal, which becomes `BLOCKED`.")
        .refuses(409, &["withdrawal_state"])
}

pub(in crate::http) async fn reject(
    State(app): State<Shared>,
    _: Organisation<Withdraw>,
    path: WithdrawalInPath,
) -> Result<Json<ListedWithdrawal>, Refusal> {
    decide(&app, read(path)?, Decision::Reject).await
}

pub(in crate::http) fn cancel_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Cancels a withdrawal that waits, until its transaction is signed: its money returns to the balance, its status becomes \
                 `BLOCKED`, and the callback says so. It needs no approval, or has one already; its business may be disabled. The same \
                 as `checkout payouts cancel`, with an organisation key. Again, it changes nothing.";
    operation
        .id("cancelWithdrawal")
        .tag(tag::WITHDRAWALS)
        .summary("Cancel a withdrawal")
        .description(about)
        .answers::<ListedWithdrawal>(200, "The withdrawal, which becomes `BLOCKED`.")
        .refuses(409, &["withdrawal_state"])
}

pub(in crate::http) async fn cancel(
    State(app): State<Shared>,
    _: Organisation<Withdraw>,
    path: WithdrawalInPath,
) -> Result<Json<ListedWithdrawal>, Refusal> {
    let id = read(path)?;
    find(&app, id).await?;
    let done = withdrawal_rules::cancel(app.store.as_ref(), id).await?;
    let now = find(&app, id).await?;
    if !done && now.approval != Some(Approval::Rejected) {
        return Err(state("is signed, has ended, or may have been sent"));
    }
    if done {
        tracing::info!(withdrawal = %id, "cancelled");
    }
    Ok(Json(listed(&now)))
}

/// Approves what was seen, or rejects it. The same decision again changes nothing.
async fn decide(app: &App, id: Uuid, decision: Decision<'_>) -> Result<Json<ListedWithdrawal>, Refusal> {
    let found = find(app, id).await?;
    // A disabled business sends nothing: its token may be stolen.
    let business = app.store.business(found.business).await?;
    if matches!(decision, Decision::Approve(..)) && business.is_some_and(|business| business.disabled) {
        return Err(Refused::Disabled.into());
    }
    let new = (app.new_id(), app.clock.now());
    let decided = withdrawal_rules::decide(app.store.as_ref(), new, id, decision).await?;
    let now = find(app, id).await?;
    match (decided, decision, now.approval) {
        (Decided::Done, ..) => tracing::info!(withdrawal = %id, ?decision, "decided"),
        (Decided::SameInitiator, ..) => return Err(Refused::SameInitiator.into()),
        (Decided::Changed, ..) => return Err(Refused::AddressChanged.into()),
        (Decided::NotWaiting, Decision::Reject, Some(Approval::Rejected)) => {}
        (Decided::NotWaiting, Decision::Approve(seen, _), Some(Approval::Approved)) => {
            if !seen.is(now.pair, &Approved::of(&now)) {
                return Err(Refused::AddressChanged.into());
            }
        }
        (Decided::NotWaiting, ..) => return Err(state("waits for no approval")),
    }
    Ok(Json(listed(&now)))
}

/// The store has withdrawals alone here: refunds have decisions of their own.
async fn find(app: &App, id: Uuid) -> Result<Withdrawal, Refusal> {
    app.store.withdrawal(id).await?.ok_or_else(Refusal::no_withdrawal)
}

/// It is in no state for this: the end of a sentence.
fn state(state: &str) -> Refusal {
    let title = "The withdrawal is in another state";
    Refusal::conflict("withdrawal_state", title, &format!("The withdrawal {state}."))
}
