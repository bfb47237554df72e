//! `GET /api/v1/withdrawals/{withdrawalId}`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_wire::list_withdrawals::ListedWithdrawal;
use checkout_wire::texts::WithdrawalId;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::http::Shared;
use crate::http::auth::{Bearer, ReadWithdrawals};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::requests::id;
use crate::render::withdrawal as render;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("getWithdrawal")
        .tag(tag::WITHDRAWALS)
        .summary("Get a withdrawal")
        .description(
            "The withdrawal with its status as it is now. The answer to POST keeps the status `NEW`.",
        )
        .answers::<ListedWithdrawal>(200, "The withdrawal.")
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct WithdrawalPath {
    /// Identifier of the withdrawal.
    #[schemars(with = "WithdrawalId")]
    withdrawal_id: String,
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadWithdrawals>,
    path: Result<Path<WithdrawalPath>, PathRejection>,
) -> Result<Json<ListedWithdrawal>, Refusal> {
    let found = app.store.withdrawal(read(path)?).await?.filter(|found| caller.acts_for(found.business));
    Ok(Json(render::listed(&found.ok_or_else(Refusal::no_withdrawal)?)))
}

pub(in crate::http) fn read(path: Result<Path<WithdrawalPath>, PathRejection>) -> Result<Uuid, Refusal> {
    path.ok().and_then(|Path(path)| id::parse(&path.withdrawal_id)).ok_or_else(Refusal::no_withdrawal)
}
