//! `GET /api/v1/businesses/{id}`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_core::wire::Business;
use checkout_core::wire::texts::BusinessId;
use checkout_domain::access::token::Caller;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Shared;
use super::auth::{Bearer, ReadBusiness};
use super::openapi::tag;
use super::problem::Refusal;
use crate::render::business as render;
use crate::requests::id;

pub(super) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("getBusiness")
        .tag(tag::BUSINESSES)
        .summary("Get a business")
        .description("The settings of a business.")
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct BusinessPath {
    /// Identifier of the business.
    #[schemars(with = "BusinessId")]
    id: String,
}

pub(super) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadBusiness>,
    path: Result<Path<BusinessPath>, PathRejection>,
) -> Result<Json<Business>, Refusal> {
    let missing = || Refusal::not_found("The business does not exist, or the token cannot access it.");
    let id = path.ok().and_then(|Path(path)| id::parse(&path.id)).ok_or_else(missing)?;
    let may_see = match caller {
        Caller::Organisation => true,
        Caller::Business(own) => own == id,
        Caller::Session { .. } => false,
    };
    let business = if may_see { app.store.business(id).await? } else { None };
    Ok(Json(render::business(&business.ok_or_else(missing)?)))
}
