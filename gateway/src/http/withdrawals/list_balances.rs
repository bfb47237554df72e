//! `GET /api/v1/balances`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use checkout_wire::list_balances::{Balance, ListBalances};

use crate::http::Shared;
use crate::http::auth::{Bearer, ReadWithdrawals};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::parameters::Parameters;
use crate::http::problem::Refusal;
use crate::http::resolve_business;
use crate::render::balance::balances;

const ABOUT: &str = "The money of a business that this server keeps account of, by account and currency; those that never had money are not listed. \
The coins themselves are on the chains, under the keys of the operator.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("listBalances")
        .tag(tag::WITHDRAWALS)
        .summary("List balances")
        .description(ABOUT)
        .answers::<Vec<Balance>>(200, "The balances.")
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadWithdrawals>,
    Parameters(fields, _): Parameters<ListBalances>,
) -> Result<Json<Vec<Balance>>, Refusal> {
    let (business, ()) = resolve_business::read(&app, caller, fields, |_| Some(())).await?;
    let (all, pending) = app.store.balances_and_pending(business.id).await?;
    Ok(Json(balances(&all, &pending)))
}
