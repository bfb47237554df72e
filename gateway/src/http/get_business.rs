//! `GET /api/v1/businesses/{id}`

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_core::wire::Business;

use super::Shared;
use super::auth::Bearer;
use super::openapi::operation::{MERCHANT, Operation, Tag};
use super::problem::Refusal;
use crate::domain::input::id;
use crate::service::read_business;

pub(super) fn operation() -> Operation {
    Operation::new("getBusiness", Tag::Businesses, "Get a business", "The settings of a business.")
        .needs(MERCHANT)
        .path("id", "Identifier of the business.", "")
        .answers::<Business>(200, "The business.")
}

pub(super) async fn handle(
    State(app): State<Shared>,
    Bearer(caller): Bearer,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<Business>, Refusal> {
    let missing = || Refusal::not_found("There is no such business for this token.");
    let id = id.ok().and_then(|Path(text)| id::parse(&text)).ok_or_else(missing)?;
    let business = read_business::read(&app, caller, id).await?.ok_or_else(missing)?;
    Ok(Json(business.to_wire()))
}
