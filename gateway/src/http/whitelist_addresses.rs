//! `GET /whitelist-addresses` and `POST /whitelist-addresses`: without a version in the path, as the interface has them.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use checkout_core::wire::whitelist_address::WhitelistedAddress;

use super::Shared;
use super::auth::Bearer;
use super::body::Body;
use super::problem::Refusal;
use super::refused::created;
use crate::domain::fields::Fields;
use crate::service::whitelist;

pub(super) async fn list(
    State(app): State<Shared>,
    Bearer(caller): Bearer,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Json<Vec<WhitelistedAddress>>, Refusal> {
    let Query(query) = query.map_err(|_| Refusal::unreadable("The query cannot be read."))?;
    Ok(Json(whitelist::list(&app, caller, Fields::of_texts(query)).await?))
}

pub(super) async fn add(
    State(app): State<Shared>,
    Bearer(caller): Bearer,
    Body(fields): Body,
) -> Result<Response, Refusal> {
    Ok(created(whitelist::add(&app, caller, fields).await?))
}
