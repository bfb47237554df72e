//! `GET /api/v1/payments/{paymentId}/deposits`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use checkout_core::wire::Deposit;
use checkout_core::wire::list_deposits::ListDeposits;

use super::Shared;
use super::auth::ReadPayments;
use super::get_payment::Visible;
use super::openapi::operation::Describe as _;
use super::openapi::tag;
use super::parameters::Parameters;
use super::problem::Refusal;
use crate::service::list_deposits;

pub(super) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "A page of the deposits of a payment, for payments with more than a hundred. The cursors `after` and `before` are ids of \
                 deposits, exclusive, and stay valid while deposits are added.";
    operation
        .id("listDeposits")
        .tag(tag::PAYMENTS)
        .summary("List the deposits of a payment")
        .description(about)
        .answers::<Vec<Deposit>>(200, "The deposits.")
}

pub(super) async fn handle(
    State(app): State<Shared>,
    Visible { id, .. }: Visible<ReadPayments>,
    Parameters(fields, _): Parameters<ListDeposits>,
) -> Result<Json<Vec<Deposit>>, Refusal> {
    let deposits = list_deposits::list(&app, id, fields).await?.ok_or_else(Refusal::no_payment)?;
    Ok(Json(deposits?))
}
