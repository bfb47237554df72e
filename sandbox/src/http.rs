//! The routes of the sandbox: the control API, which is in the OpenAPI document, and the console, which is not.

mod console;
mod control;

use std::sync::Arc;

use aide::axum::ApiRouter;
use aide::axum::routing::get_with as get;
use axum::middleware::from_fn_with_state;
use axum::{Extension, Router};
use checkout_gateway::http::problem::Refusal;
use checkout_gateway::http::same_origin::{self, SameOrigin};
use checkout_gateway::http::{Extra, desk, metrics};
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
    let same_origin = SameOrigin { public_url: world.app.public_url.as_str().into(), page: "/sandbox" };
    let own = Router::from(control::routes())
        .merge(console::routes())
        .merge(desk::open(&world.app))
        .method_not_allowed_fallback(async || Refusal::wrong_method())
        .layer(from_fn_with_state(same_origin, same_origin::only))
        .layer(Extension(world));
    let routes = own.route("/metrics", axum::routing::get(metrics::handle));
    Extra { routes, described }
}
