//! The built site: the hosted page, its assets, `embed.js` and the documentation.

mod accent;
mod brand;
mod busy;
mod counter;
mod docs;
mod encoding;
mod files;
mod notice;
mod page;
mod policy;
mod refused;
mod respond;
mod sale;

#[cfg(any(test, debug_assertions))]
pub mod fixture;
#[cfg(test)]
mod tests;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use axum::routing::get;
use checkout_wire::Problem;

pub(crate) use brand::Brand;
pub(crate) use busy::busy_page;
pub(crate) use counter::counter_page;
pub use files::mime;
use files::{Cache, File, files, find};
pub(crate) use notice::notice;
pub(crate) use page::checkout_page;
pub use policy::sanitized_origins;
pub(crate) use refused::{is_refused, refused_page};
pub(crate) use sale::{PrintedCode, Says, Seller, Typed, Wrong, key_page, sale_page};

/// `/assets/*`, `/embed.js`, `/embed.d.ts` and `/embed.json`: public, and loadable from any origin; and `/docs`. One route per
/// file, so that the enclosing router answers unknown paths.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let public = |file: &&File| file.path.starts_with("assets/") || file.path.starts_with("embed.");
    files().iter().filter(public).fold(docs::router(), |router, file| {
        let handler = async move |headers: HeaderMap| {
            let mut response = respond::file(file, &headers);
            policy::share(response.headers_mut());
            response
        };
        router.route(&format!("/{}", file.path), get(handler))
    })
}

/// The desk, which cannot be framed.
pub fn desk_page(headers: &HeaderMap) -> Response<Body> {
    let Some(file) = find("desk.html") else { return not_built() };
    let mut response = respond::file(file, headers);
    policy::protect_desk(response.headers_mut());
    response
}

/// A file that [`router`] does not serve: of the demo shop, or of the sandbox's drawer.
pub fn own_file(path: &str, headers: &HeaderMap) -> Response<Body> {
    find(path).map_or_else(not_built, |file| respond::file(file, headers))
}

/// Only a manually built binary can lack its pages.
fn not_built() -> Response<Body> {
    let problem = Problem {
        kind: "urn:crypto-checkout:problem:site_not_built".to_owned(),
        title: "The site is not built".to_owned(),
        status: StatusCode::SERVICE_UNAVAILABLE.as_u16(),
        detail: "This binary was built without its pages. Run `cargo xtask build`, then start it again."
            .to_owned(),
        code: "site_not_built".to_owned(),
        request_id: String::new(),
        errors: Vec::new(),
    };
    let body = serde_json::to_vec(&problem).expect("a problem of texts and a number is JSON");
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::RETRY_AFTER, HeaderValue::from_static("60"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
