//! `POST /api/v1/withdrawals`

use axum::extract::State;
use axum::response::Response;

use super::Shared;
use super::auth::Bearer;
use super::body::Body;
use super::problem::Refusal;
use super::refused::created;
use crate::service::create_withdrawal;

pub(super) async fn handle(
    State(app): State<Shared>,
    Bearer(caller): Bearer,
    Body(fields): Body,
) -> Result<Response, Refusal> {
    Ok(created(create_withdrawal::create(&app, caller, fields).await?))
}
