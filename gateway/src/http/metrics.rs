//! `GET /metrics`, for Prometheus: on a listener of its own, and in the sandbox beside everything else.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::get;

use super::openapi::operation::{Operation, Tag};
use super::problem::Refusal;
use super::{Shared, envelope};
use crate::service::App;

/// What the listener for supervisors serves.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/metrics", get(handle))
        .fallback(async || Refusal::no_route())
        .layer(from_fn_with_state(Arc::clone(&app), envelope::wrap))
        .with_state(app)
}

pub(super) fn operation() -> Operation {
    let about = "For Prometheus. Outside the sandbox it is on a listener of its own.";
    Operation::new("getMetrics", Tag::Operations, "Get metrics", about)
        .answers_text(200, "The text format, version 0.0.4.", "text/plain; version=0.0.4; charset=utf-8")
        .refuses(503, &["store_unavailable"])
}

pub(super) async fn handle(State(app): State<Shared>) -> Result<impl IntoResponse, Refusal> {
    let now = app.clock.now();
    let mut text = app.metrics.text(app.store.backlog(now).await?, now) + &app.health.text();
    text += &app.store.held_deposits().await?.text();
    text += &app.stuck.text();
    if let Some(feed) = app.rates.feed() {
        text += &feed.text();
    }
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text))
}
