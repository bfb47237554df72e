//! The desk: the page of operators, and what its requests may do.
//!
//! The browser has a session and never a token. A request of a signed-in operator is passed on to the routes of the public
//! API in this process, as far as `table` lets the operator's role.

mod audit_log;
mod pass;
mod proxy;
mod session;
pub mod table;

use std::net::IpAddr;
use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{any, get};
use axum::{Extension, Router};
use checkout_core::Decimal;
use checkout_domain::access::operator::Name;
use checkout_domain::access::rate_limits::Quota;
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;

use super::middleware::envelope;
use super::middleware::limit::buckets::Buckets;
use super::problem::{self, Refusal};
use super::same_origin::{self, SameOrigin};
use super::{Shared, routes};
use crate::service::App;
use crate::site;

/// Passwords that are checked at the same time: each takes 19 MiB.
const HASHING: usize = 2;

/// Sign-ins under one name, whoever tries: codes of six digits cannot be guessed at this rate.
const OF_A_NAME: Quota = Quota { per_minute: 1, burst: 10 };

/// Sign-ins of one client.
const OF_A_CLIENT: Quota = Quota { per_minute: 10, burst: 20 };

/// How operators sign in, and what they may do.
#[derive(Clone, Debug)]
pub struct DeskPolicy {
    /// The desk's URL for browsers.
    pub public_url: String,
    /// Whether a password and a one-time code are asked for.
    pub takes_passwords: bool,
    pub proxy: Option<Proxy>,
    /// The most that a payment may be worth, in EUR, which `support` refunds.
    pub support_refund_limit: Decimal,
}

/// A proxy that signs people on and names them in a header.
#[derive(Clone, Debug)]
pub struct Proxy {
    pub header: HeaderName,
    /// Addresses of the proxy. From others the header is not believed.
    pub addresses: Vec<IpAddr>,
}

struct Desk {
    app: Arc<App>,
    /// The public API, limited by the table.
    api: Router,
    /// `None` in the sandbox, where everybody may do everything.
    operators: Option<Operators>,
}

struct Operators {
    settings: DeskPolicy,
    names: Buckets<Option<Name>>,
    clients: Buckets<IpAddr>,
    hashing: Semaphore,
}

/// All routes of the listener of operators.
pub fn router(app: Arc<App>, settings: DeskPolicy) -> Router {
    let same_origin = SameOrigin { public_url: settings.public_url.as_str().into(), pages: &["/"] };
    let operators = Operators {
        settings,
        names: Buckets::new(OF_A_NAME),
        clients: Buckets::new(OF_A_CLIENT),
        hashing: Semaphore::new(HASHING),
    };
    Router::new()
        .route("/", get(page))
        .merge(own(&app, Some(operators)))
        .fallback(async || Refusal::no_route())
        .method_not_allowed_fallback(async || Refusal::wrong_method())
        .layer(from_fn_with_state(same_origin, same_origin::only))
        // Scripts and styles, which are public.
        .merge(site::router())
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(from_fn_with_state(Arc::clone(&app), envelope::wrap))
        .with_state(app)
}

/// The desk at `/desk` without operators, for the sandbox, which lets only its own pages in.
pub fn open(app: &Arc<App>) -> Router<Shared> {
    own(app, None).route("/desk", get(page))
}

fn own(app: &Arc<App>, operators: Option<Operators>) -> Router<Shared> {
    let limit = operators.as_ref().map(|operators| operators.settings.support_refund_limit);
    let desk = Arc::new(Desk { app: Arc::clone(app), api: api(app, limit), operators });
    Router::new()
        .route("/desk/session", get(session::show).post(session::begin).delete(session::end))
        .route("/desk/audit", get(audit_log::list))
        .route("/desk/gateway/{*path}", any(pass::json))
        .route("/desk/csv/{*path}", get(pass::csv))
        .layer(Extension(desk))
}

/// The public API for callers with an authority instead of a token.
fn api(app: &Arc<App>, support_refund_limit: Option<Decimal>) -> Router {
    let limits = table::RoleLimits { app: Arc::clone(app), support_refund_limit };
    Router::from(routes::merchant())
        .merge(Router::from(routes::session()))
        .merge(Router::from(routes::public()))
        .merge(Router::from(routes::health()))
        .route_layer(from_fn_with_state(limits, table::only))
        .fallback(async || Refusal::no_route())
        .method_not_allowed_fallback(async || Refusal::wrong_method())
        .layer(Extension(app.opt_ins()))
        .with_state(Arc::clone(app))
}

async fn page(headers: HeaderMap) -> Response {
    site::desk_page(&headers)
}
