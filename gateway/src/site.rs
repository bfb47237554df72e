//! The built site, served from the binary: the hosted page, its assets, `embed.js` and the documentation.

mod accent;
mod brand;
mod docs;
mod encoding;
mod page;
mod policy;
mod refused;
mod respond;

#[cfg(any(test, debug_assertions))]
pub mod fixture;
#[cfg(test)]
mod tests;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use axum::routing::get;
use checkout_core::wire::Problem;

pub(crate) use brand::Brand;
pub(crate) use page::checkout_page;
pub use policy::sanitized_origins;
pub(crate) use refused::{is_refused, refused_page};

/// A file of the site in every stored encoding.
struct File {
    /// Below the site's root, such as `assets/checkout-0123abcd.wasm`.
    path: &'static str,
    mime: &'static str,
    cache: Cache,
    /// Digest of the identity bytes, for the entity tag.
    digest: &'static str,
    identity: &'static [u8],
    br: Option<&'static [u8]>,
    gz: Option<&'static [u8]>,
}

#[allow(dead_code, reason = "without a built site there is no file")]
enum Cache {
    /// The name contains a hash of the content.
    Immutable,
    /// The name is fixed; clients revalidate after some minutes, by entity tag.
    Short,
    /// Not cached: the page's URL contains a secret, or the page is for developers.
    NoStore,
}

#[cfg(not(test))]
mod built {
    include!(concat!(env!("OUT_DIR"), "/site.rs"));
}

/// The embedded site; in tests the small one of `fixture`.
fn files() -> &'static [File] {
    #[cfg(test)]
    {
        fixture::FILES
    }
    #[cfg(all(not(test), debug_assertions))]
    {
        if fixture::is_used() { fixture::FILES } else { built::FILES }
    }
    #[cfg(not(any(test, debug_assertions)))]
    {
        built::FILES
    }
}

fn find(path: &str) -> Option<&'static File> {
    files().iter().find(|file| file.path == path)
}

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

/// The console of the sandbox, which cannot be framed.
pub fn console_page(headers: &HeaderMap) -> Response<Body> {
    let Some(file) = find("console.html") else { return not_built() };
    let mut response = respond::file(file, headers);
    policy::protect_console(response.headers_mut());
    response
}

/// The desk, which cannot be framed.
pub fn desk_page(headers: &HeaderMap) -> Response<Body> {
    let Some(file) = find("desk.html") else { return not_built() };
    let mut response = respond::file(file, headers);
    policy::protect_console(response.headers_mut());
    response
}

/// A file of the demo shop, for its separate listener.
pub fn shop_file(name: &str, headers: &HeaderMap) -> Response<Body> {
    find(&format!("shop/{name}")).map_or_else(not_built, |file| respond::file(file, headers))
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
