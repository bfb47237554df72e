//! `GET /healthz` and `GET /readyz`, for supervisors and load balancers.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::Shared;
use super::problem::Refusal;
use crate::service::readiness::{self, NotReady};

/// The process answers.
pub(super) async fn alive() -> Json<Value> {
    Json(json!({"status": "ok"}))
}

/// It can do its work.
pub(super) async fn ready(State(app): State<Shared>) -> Result<Json<Value>, Refusal> {
    readiness::check(&app).await?;
    Ok(Json(json!({"status": "ready"})))
}

impl From<NotReady> for Refusal {
    fn from(not_ready: NotReady) -> Self {
        match not_ready {
            NotReady::Store => {
                let detail = "The store cannot be written.";
                Self::unavailable("store_unavailable", "The store is not available", detail)
            }
            NotReady::Background(work) => {
                let detail = format!("There is a fault in: {}. The log says which.", work.join(", "));
                Self::unavailable("background_fault", "The background work is at fault", detail)
            }
        }
    }
}
