//! What the sandbox's own business does with its money: the same as by the API, and its page knows no token.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use checkout_core::wire;

use super::no_business;
use crate::domain::console::Terms;
use crate::http::Shared;
use crate::http::body::Body;
use crate::http::problem::Refusal;
use crate::http::refused::created;
use crate::service::console::money;

pub(super) async fn whitelist(State(app): State<Shared>, Body(fields): Body) -> Result<Response, Refusal> {
    money::whitelist(&app, fields).await?.map(created).ok_or_else(no_business)
}

pub(super) async fn withdraw(State(app): State<Shared>, Body(fields): Body) -> Result<Response, Refusal> {
    money::withdraw(&app, fields).await?.map(created).ok_or_else(no_business)
}

/// 200 also for what would be refused: whoever types is not finished.
pub(super) async fn preview(
    State(app): State<Shared>,
    Body(fields): Body,
) -> Result<Json<money::Preview>, Refusal> {
    money::preview(&app, fields).await?.map(Json).ok_or_else(no_business)
}

pub(super) async fn set_terms(
    State(app): State<Shared>,
    Body(mut fields): Body,
) -> Result<Json<wire::Business>, Refusal> {
    let Some(terms) = Terms::read(&mut fields) else { return Err(Refusal::invalid(fields.into_faults())) };
    money::set_terms(&app, terms).await?.map(Json).ok_or_else(no_business)
}
