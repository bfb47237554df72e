//! `GET /metrics`, for Prometheus: on a separate listener, and in the sandbox also on the main one.

use std::sync::Arc;

use aide::transform::TransformOperation;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use checkout_core::Currency;
use prometheus::Registry;

use super::health;
use crate::http::Shared;
use crate::http::envelope;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::metrics::{
    CONTENT_TYPE, gauge, register_backlog, register_feed, register_held, register_mails, register_set_aside,
    register_wallets, text,
};
use crate::service::App;
use crate::service::payouts::compare_wallets;

/// The routes of the monitoring listener. Health checks are there, too: the connections of the main listener may be at
/// their limit.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/metrics", get(handle))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .fallback(async || Refusal::no_route())
        .layer(from_fn_with_state(Arc::clone(&app), envelope::wrap))
        .with_state(app)
}

pub fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "For Prometheus. Outside the sandbox it is on a listener of its own.";
    operation
        .id("getMetrics")
        .tag(tag::OPERATIONS)
        .summary("Get metrics")
        .description(about)
        .answers_text(200, "The text format, version 0.0.4.", CONTENT_TYPE)
        .refuses(503, &["store_unavailable"])
}

pub async fn handle(State(app): State<Shared>) -> Result<Response, Refusal> {
    let now = app.clock.now();
    let registry = Registry::new();
    app.state.metrics.register(&registry);
    app.state.health.register(&registry);
    app.state.payouts.register(&registry);
    register_backlog(&app.store.backlog(now).await?, &registry, now);
    if app.mail.is_some() {
        register_mails(&app.store.mail_backlog(now).await?, &registry, now);
    }
    register_held(&app.store.held_deposits().await?, &registry);
    let payouts = app.store.held_payouts().await?.len() as u64;
    let help = "Payouts that wait since a restore for the chain or for an operator.";
    gauge(&registry, "checkout_payouts_held", help, payouts);
    let help = "Sent payouts that wait for a block with the highest fee that is configured.";
    gauge(&registry, "checkout_payouts_capped", help, app.store.capped_payouts().await?);
    let help = "Refunds that wait for an address or an approval.";
    gauge(&registry, "checkout_refunds_waiting", help, app.store.count_waiting_refunds().await?);
    let help = "Withdrawals that wait for an approval.";
    gauge(&registry, "checkout_withdrawals_unapproved", help, app.store.unapproved().await?.len() as u64);
    let help = "Transfers without their tag that payers looked up and that wait for an operator.";
    gauge(&registry, "checkout_transfers_untagged", help, app.store.open_untagged().await?);
    let lacks = compare_wallets::lacking(&app).await?;
    let compared: Vec<Currency> = compare_wallets::compared(&app).into_keys().collect();
    register_wallets(&compared, &lacks, &registry);
    register_set_aside(&app.store.count_set_aside().await?, &registry);
    if let Some(feed) = app.rates.feed() {
        register_feed(&feed, &registry);
    }
    Ok(([(header::CONTENT_TYPE, CONTENT_TYPE)], text(&registry)).into_response())
}
