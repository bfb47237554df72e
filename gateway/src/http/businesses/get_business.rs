//! `GET /api/v1/businesses/{id}`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_domain::access::token::Caller;
use checkout_domain::ids::BusinessId;
use checkout_wire::manage_businesses::ManagedBusiness;
use checkout_wire::texts;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::http::Shared;
use crate::http::auth::{Bearer, ReadBusiness};
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::requests::id;
use crate::render::business as render;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("getBusiness")
        .tag(tag::BUSINESSES)
        .summary("Get a business")
        .description("The settings of a business; with an organisation key, all of them.")
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
pub(in crate::http) struct BusinessPath {
    /// Identifier of the business.
    #[schemars(with = "texts::BusinessId")]
    id: String,
}

/// 404, also for a business of others.
pub(in crate::http) fn missing() -> Refusal {
    Refusal::not_found("The business does not exist, or the token cannot access it.")
}

pub(in crate::http) fn id_of(path: Result<Path<BusinessPath>, PathRejection>) -> Result<BusinessId, Refusal> {
    let id = path.ok().and_then(|Path(path)| id::parse(&path.id));
    id.map(BusinessId).ok_or_else(missing)
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadBusiness>,
    path: Result<Path<BusinessPath>, PathRejection>,
) -> Result<Json<ManagedBusiness>, Refusal> {
    let id = Some(id_of(path)?).filter(|id| caller.acts_for(*id)).ok_or_else(missing)?;
    let business = app.store.business(id).await?.ok_or_else(missing)?;
    if caller != Caller::Organisation {
        return Ok(Json(render::own(&business)));
    }
    Ok(Json(render::managed(&business, &app.store.rules(id, app.clock.now()).await?)))
}
