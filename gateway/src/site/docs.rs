//! `/docs`: the documentation, a page for each file, which cannot be framed.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Response};
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::get;

use super::{File, files, find, not_built, policy, respond};

const FOLDER: &str = "docs/";

/// With the slash, so that relative links of the first page work.
const FRONT: &str = "/docs/";

const REFERENCE: &str = "/docs/reference/index.html";

pub(super) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let front = async |headers: HeaderMap| {
        find("docs/index.html").map_or_else(not_built, |file| page(file, &headers))
    };
    let router = Router::new()
        .route("/docs", get(async || Redirect::permanent(FRONT).into_response()))
        .route(FRONT, get(front))
        .route("/docs/reference", get(async || Redirect::permanent(REFERENCE).into_response()))
        .route("/api/docs", get(async || Redirect::permanent(REFERENCE).into_response()));
    files().iter().filter(|file| file.path.starts_with(FOLDER)).fold(router, |router, file| {
        router.route(&format!("/{}", file.path), get(async move |headers: HeaderMap| page(file, &headers)))
    })
}

fn page(file: &'static File, request: &HeaderMap) -> Response<Body> {
    let mut response = respond::file(file, request);
    if file.mime.starts_with("text/html") {
        policy::protect_desk(response.headers_mut());
    }
    response
}
