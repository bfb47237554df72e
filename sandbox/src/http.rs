//! The routes of the sandbox: the control API, which is in the OpenAPI document, the desk without a sign-in, and what its drawer
//! needs.

mod control;
mod drawer;

use std::sync::Arc;

use aide::axum::ApiRouter;
use aide::axum::routing::get_with as get;
use axum::middleware::from_fn_with_state;
use axum::{Extension, Router};
use checkout_gateway::http::problem::Refusal;
use checkout_gateway::http::public::metrics;
use checkout_gateway::http::same_origin::{self, SameOrigin};
use checkout_gateway::http::{Extra, desk};
use checkout_gateway::service::App;
use checkout_simulator::World;

/// State shared by the handlers.
type Shared = Arc<World>;

/// The routes that the OpenAPI document describes.
pub fn described() -> ApiRouter<Arc<App>> {
    control::routes().api_route("/metrics", get(metrics::handle, metrics::operation))
}

/// The routes that the sandbox adds to the gateway's router.
pub fn extra(world: World) -> Extra {
    let world = Arc::new(world);
    let pages = &[drawer::DESK, drawer::OLD_PAGE];
    let same_origin = SameOrigin { public_url: world.app.public_url.as_str().into(), pages };
    let own = Router::from(control::routes())
        .merge(drawer::routes())
        .merge(desk::open(&world.app))
        .method_not_allowed_fallback(async || Refusal::wrong_method())
        .layer(from_fn_with_state(same_origin, same_origin::only))
        .layer(Extension(world));
    let routes = own.route("/metrics", axum::routing::get(metrics::handle));
    Extra { routes, described }
}
