//! The HTTP interface: one line per route. Only these files know status codes.

mod auth;
mod body;
mod checkout_page;
mod cors;
mod create_payment;
mod create_withdrawal;
mod envelope;
mod get_business;
mod get_checkout;
mod get_payment;
mod get_rates;
mod health;
mod limit;
mod list_currencies;
pub mod metrics;
mod problem;
mod refused;
mod sandbox;
pub mod server;
mod update_payment;
mod validate_address;
mod whitelist_addresses;
mod withdraw_fees;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;

use self::limit::Limiter;
use self::problem::Refusal;
use crate::service::App;
use crate::site;

/// Handlers share it.
type Shared = Arc<App>;

/// Every route of the gateway.
pub fn router(app: Arc<App>) -> Router {
    let limiter = Arc::new(Limiter::new(app.limits));
    let limit = || from_fn_with_state(Arc::clone(&limiter), limit::limit);
    let sandbox = if app.is_sandbox() { sandbox_routes() } else { Router::new() };
    Router::new()
        .merge(merchant_routes().layer(limit()))
        // Inside CORS, so that a browser may read that it has to wait.
        .merge(
            session_routes()
                .layer(limit())
                .layer(from_fn_with_state(Arc::clone(&app), cors::allow_merchant_origins)),
        )
        .merge(public_routes().layer(limit()))
        .merge(unlimited_routes())
        .merge(sandbox)
        .fallback(async || Refusal::no_route())
        .method_not_allowed_fallback(async || Refusal::wrong_method())
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(from_fn_with_state(Arc::clone(&app), envelope::wrap))
        .with_state(app)
}

/// For back ends: no browser has a business token, so no CORS.
fn merchant_routes() -> Router<Shared> {
    Router::new()
        .route("/api/v1/payments", post(create_payment::handle))
        .route("/api/v1/businesses/{id}", get(get_business::handle))
        .route("/api/v1/withdrawals", post(create_withdrawal::handle))
        .route("/whitelist-addresses", get(whitelist_addresses::list).post(whitelist_addresses::add))
}

/// For payers' browsers, too, from the origins that the merchant allows.
fn session_routes() -> Router<Shared> {
    Router::new()
        .route("/api/v1/payments/{id}", get(get_payment::handle).patch(update_payment::handle))
        .route("/api/v1/checkout/{id}", get(get_checkout::handle))
        // Before the layer, so that preflight requests pass through it.
        .method_not_allowed_fallback(async || Refusal::wrong_method())
}

/// For everybody.
fn public_routes() -> Router<Shared> {
    let validation = "/api/v1/currency/{currency}/network/{network}/address/{address}";
    Router::new()
        .route("/api/v1/currencies", get(list_currencies::handle))
        .route("/api/v1/rates", get(get_rates::handle))
        .route("/api/v1/fees/withdraw/{coin}", get(withdraw_fees::handle))
        .route(&format!("{validation}/valid"), get(validate_address::without_tag))
        .route(&format!("{validation}/destinationTag/{{tag}}/valid"), get(validate_address::with_tag))
        .route("/checkout/{id}", get(checkout_page::handle))
}

/// For supervisors, and what browsers load once and keep.
fn unlimited_routes() -> Router<Shared> {
    Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .merge(site::router())
}

/// The control API of the simulated world; not there without it.
fn sandbox_routes() -> Router<Shared> {
    Router::new()
        .route("/sandbox/transfers", post(sandbox::transfers))
        .route("/sandbox/blocks", post(sandbox::blocks))
        .route("/sandbox/reorgs", post(sandbox::reorgs))
        .route("/sandbox/drops", post(sandbox::drops))
        .route("/sandbox/clock", post(sandbox::clock))
        .route("/sandbox/rates", post(sandbox::rates))
        .route("/metrics", get(metrics::handle))
}

#[cfg(test)]
mod tests;
