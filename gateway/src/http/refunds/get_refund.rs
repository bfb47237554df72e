//! `GET /api/v1/refunds/{refundId}`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_wire::ListedRefund;
use checkout_wire::texts::RefundId;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::http::Shared;
use crate::http::auth::{Bearer, ReadRefunds};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::requests::id;
use crate::render::refund as render;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("getRefund")
        .tag(tag::REFUNDS)
        .summary("Get a refund")
        .description("The refund as it is now. The id of an automatic refund is that of its deposit.")
        .answers::<ListedRefund>(200, "The refund.")
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct RefundPath {
    /// Identifier of the refund.
    #[schemars(with = "RefundId")]
    refund_id: String,
}

/// The id in the path.
pub(in crate::http) fn read(path: Result<Path<RefundPath>, PathRejection>) -> Result<Uuid, Refusal> {
    path.ok().and_then(|Path(path)| id::parse(&path.refund_id)).ok_or_else(Refusal::no_refund)
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadRefunds>,
    path: Result<Path<RefundPath>, PathRejection>,
) -> Result<Json<ListedRefund>, Refusal> {
    let found = app.store.refund(read(path)?).await?.filter(|found| caller.acts_for(found.business));
    found.as_ref().and_then(render::listed).map(Json).ok_or_else(Refusal::no_refund)
}
