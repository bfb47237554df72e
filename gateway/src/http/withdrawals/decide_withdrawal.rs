//! `POST /api/v1/withdrawals/{withdrawalId}/approve`, `…/reject` and `…/cancel`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_wire::Approve;
use checkout_wire::list_withdrawals::ListedWithdrawal;

use super::get_withdrawal::{WithdrawalPath, read};
use crate::http::Shared;
use crate::http::auth::{By, Organisation, Withdraw};
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::requests::seen::Seen;
use crate::service::payouts::decide_withdrawal::{self, decide};
use crate::service::payouts::withdrawal_rules::Decision;

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
    Body(fields, _): Body<Approve>,
) -> Result<Json<ListedWithdrawal>, Refusal> {
    let seen = Seen::read(fields).map_err(Refusal::unseen)?;
    Ok(Json(decide(&app, read(path)?, Decision::Approve(&seen, &by)).await?))
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
    Ok(Json(decide(&app, read(path)?, Decision::Reject).await?))
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
    Ok(Json(decide_withdrawal::cancel(&app, read(path)?).await?))
}
