//! `GET /healthz` and `GET /readyz`, for supervisors and load balancers.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::Shared;
use super::problem::Refusal;

/// The process answers.
pub(super) async fn alive() -> Json<Value> {
    Json(json!({"status": "ok"}))
}

/// The store answers, too.
pub(super) async fn ready(State(app): State<Shared>) -> Result<Json<Value>, Refusal> {
    app.store.ping().await?;
    Ok(Json(json!({"status": "ready"})))
}
