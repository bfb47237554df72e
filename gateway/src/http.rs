//! The HTTP interface: one file per endpoint, one line per route in `routes.rs`. Only these files use status
//! codes.

mod auth;
pub mod body;
pub mod businesses;
pub mod callbacks;
pub mod checkout;
pub mod counters;
pub mod desk;
pub mod etag;
mod greenfield;
mod list;
mod middleware;
pub mod openapi;
pub mod parameters;
pub mod payments;
pub mod problem;
pub mod public;
pub mod refunds;
pub mod refused;
pub mod requests;
mod resolve_business;
mod routes;
pub mod sales;
pub mod same_origin;
pub mod server;
pub mod withdrawals;

use std::collections::BTreeMap;
use std::sync::Arc;

use aide::axum::ApiRouter;
use axum::http::Uri;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use axum::{Extension, Router};
use checkout_core::Network;
use checkout_domain::chain::opt_ins::OptIns;
use parking_lot::Mutex;
use tower_http::catch_panic::CatchPanicLayer;

use self::middleware::limit::{self, Guard, Limiter};
use self::middleware::{cors, envelope};
use self::openapi::Document;
use self::problem::Refusal;
use crate::service::App;
use crate::site;

/// State shared by the handlers.
type Shared = Arc<App>;

/// The routes of another crate.
pub struct Extra {
    /// With their layers.
    pub routes: Router<Arc<App>>,
    /// Those in the OpenAPI document.
    pub described: fn() -> ApiRouter<Arc<App>>,
}

impl Default for Extra {
    fn default() -> Self {
        Self { routes: Router::new(), described: ApiRouter::new }
    }
}

/// All routes of the gateway, and those of `extra`.
pub fn router(app: Arc<App>, extra: Extra) -> Router {
    let limiter = Arc::new(Limiter::new(&app));
    let opt_ins = app.opt_ins();
    let document = document(extra.described, &opt_ins);
    let limit = |is_private| from_fn_with_state(Guard::new(&limiter, is_private), limit::limit);
    // Before the layer, so that preflight requests pass through it.
    let session =
        Router::from(routes::session()).method_not_allowed_fallback(async || Refusal::wrong_method());
    Router::new()
        .merge(Router::from(routes::merchant()).layer(limit(true)))
        // CORS asks the store which origins are allowed, so the limit comes before it.
        .merge(
            session
                .layer(from_fn_with_state(Arc::clone(&app), cors::allow_merchant_origins))
                .layer(limit(true))
                .layer(from_fn(cors::expose_refusals)),
        )
        .merge(greenfield::translated(greenfield::private().layer(limit(true))))
        .merge(greenfield::public().layer(limit(false)))
        .merge(Router::from(routes::public()).layer(Extension(document)).layer(limit(false)))
        .merge(routes::health())
        .route("/", get(public::front::handle))
        // Static files.
        .merge(site::router())
        .merge(extra.routes)
        .fallback(async |uri: Uri| Refusal::no_route_at(uri.path()))
        .method_not_allowed_fallback(async || Refusal::wrong_method())
        .layer(Extension(opt_ins))
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(from_fn_with_state(Arc::clone(&app), envelope::wrap))
        .with_state(app)
}

/// The OpenAPI document with these additional routes and networks, computed once.
pub fn document(extra: fn() -> ApiRouter<Arc<App>>, opt_ins: &OptIns) -> &'static Document {
    static WRITTEN: Mutex<BTreeMap<(usize, Vec<Network>), &'static Document>> = Mutex::new(BTreeMap::new());
    let mut written = WRITTEN.lock();
    let key = (extra as usize, opt_ins.networks().to_vec());
    let write = || &*Box::leak(Box::new(Document::of(|| routes::all(extra), opt_ins)));
    written.entry(key).or_insert_with(write)
}
