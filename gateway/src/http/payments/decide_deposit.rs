//! `POST /api/v1/deposits/{depositId}/release` and `…/refuse`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_domain::chain::screening::Decision;
use checkout_wire::list_deposits::ListedDeposit;
use checkout_wire::texts::DepositId;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::http::Shared;
use crate::http::auth::{DecideDeposits, Organisation};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::requests::id;
use crate::service::refused::Refused;
use crate::service::transfers::decide_deposit::decide;

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct DepositPath {
    /// Identifier of the deposit.
    #[schemars(with = "DepositId")]
    deposit_id: String,
}

type DepositInPath = Result<Path<DepositPath>, PathRejection>;

pub(in crate::http) fn release_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Credits a held deposit (`heldFor`) and sends its callback: the same decision as `checkout flagged release`. A refused \
                 one can be released later. It is carried out within seconds; until then the deposit has a `decision`. Again, it changes \
                 nothing.";
    operation
        .id("releaseDeposit")
        .tag(tag::PAYMENTS)
        .summary("Release a held deposit")
        .description(about)
        .answers::<ListedDeposit>(200, "The deposit.")
        .refuses(409, &["deposit_state"])
}

pub(in crate::http) async fn release(
    State(app): State<Shared>,
    _: Organisation<DecideDeposits>,
    path: DepositInPath,
) -> Result<Json<ListedDeposit>, Refusal> {
    Ok(Json(decide(&app, read(path)?, Decision::Release).await?))
}

pub(in crate::http) fn refuse_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Removes a held deposit (`heldFor`) from its payment and keeps it: the same decision as `checkout flagged refuse`. It is \
                 not sent back. A deposit that was released cannot be refused any more (`deposit_state`): its callback was sent.";
    operation
        .id("refuseDeposit")
        .tag(tag::PAYMENTS)
        .summary("Refuse a held deposit")
        .description(about)
        .answers::<ListedDeposit>(200, "The deposit.")
        .refuses(409, &["deposit_state"])
}

pub(in crate::http) async fn refuse(
    State(app): State<Shared>,
    _: Organisation<DecideDeposits>,
    path: DepositInPath,
) -> Result<Json<ListedDeposit>, Refusal> {
    Ok(Json(decide(&app, read(path)?, Decision::Refuse).await?))
}

fn read(path: DepositInPath) -> Result<Uuid, Refusal> {
    let id = path.ok().and_then(|Path(path)| id::parse(&path.deposit_id));
    id.ok_or_else(|| Refused::NoDeposit.into())
}
