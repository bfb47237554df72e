//! The HTTP interface: one file per endpoint, one line per route in `routes.rs`. Only these files know status codes.

mod auth;
mod body;
mod checkout_page;
mod console;
mod create_payment;
mod create_withdrawal;
mod docs;
mod get_business;
mod get_checkout;
mod get_payment;
mod get_rates;
mod health;
mod list_currencies;
pub mod metrics;
mod middleware;
mod openapi;
mod own_site;
mod parameters;
mod problem;
mod refused;
mod routes;
mod sandbox;
pub mod server;
mod update_payment;
mod validate_address;
mod whitelist_addresses;
mod withdraw_fees;

use std::sync::Arc;

use axum::middleware::from_fn_with_state;
use axum::{Extension, Router};
use tower_http::catch_panic::CatchPanicLayer;

use self::middleware::limit::Limiter;
use self::middleware::{cors, envelope, limit};
use self::problem::Refusal;
use crate::service::App;
use crate::site;

/// Handlers share it.
type Shared = Arc<App>;

/// Every route of the gateway.
pub fn router(app: Arc<App>) -> Router {
    let limiter = Arc::new(Limiter::new(app.limits));
    let limit = || from_fn_with_state(Arc::clone(&limiter), limit::limit);
    let sandbox = if app.is_sandbox() { sandbox_routes(&app) } else { Router::new() };
    // Before the layer, so that preflight requests pass through it.
    let session =
        Router::from(routes::session()).method_not_allowed_fallback(async || Refusal::wrong_method());
    Router::new()
        .merge(Router::from(routes::merchant()).layer(limit()))
        // Inside CORS, so that a browser may read that it has to wait.
        .merge(
            session.layer(limit()).layer(from_fn_with_state(Arc::clone(&app), cors::allow_merchant_origins)),
        )
        .merge(
            Router::from(routes::public())
                .layer(Extension(routes::document(app.is_sandbox())))
                .layer(limit()),
        )
        .merge(routes::health())
        // What browsers load once and keep.
        .merge(site::router())
        .merge(sandbox)
        .fallback(async || Refusal::no_route())
        .method_not_allowed_fallback(async || Refusal::wrong_method())
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(from_fn_with_state(Arc::clone(&app), envelope::wrap))
        .with_state(app)
}

/// The control API of the simulated world and its console; not there without it.
fn sandbox_routes(app: &Shared) -> Router<Shared> {
    Router::from(routes::sandbox())
        .merge(console::routes())
        .method_not_allowed_fallback(async || Refusal::wrong_method())
        .layer(from_fn_with_state(Arc::clone(app), own_site::only))
}

#[cfg(test)]
mod tests;
