//! `/docs`: the documentation, a page for each file, which cannot be framed.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Response};
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{MethodRouter, get};

use super::{File, files, find, not_built, policy, respond};

const FOLDER: &str = "docs/";

/// With the slash, so that relative links of the first page work.
const FRONT: &str = "/docs/";

const REFERENCE: &str = "/docs/reference/index.html";

pub(super) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let front = async |headers: HeaderMap| {
        find("docs/index.html").map_or_else(not_built, |file| page(file, &headers))
    };
    let router = Router::new().route(FRONT, get(front)).route("/api/docs", moved(REFERENCE));
    files().iter().filter(|file| file.path.starts_with(FOLDER)).fold(router, |router, file| {
        let path = format!("/{}", file.path);
        let router = router.route(&path, get(async move |headers: HeaderMap| page(file, &headers)));
        match path.strip_suffix(".html").map(|stem| stem.strip_suffix("/index").unwrap_or(stem)) {
            Some("/docs") => router.route("/docs", moved(FRONT)),
            Some(stem) => router.route(stem, moved(&path)).route(&format!("{stem}/"), moved(&path)),
            None => router,
        }
    })
}

/// People type and shorten addresses.
fn moved<S: Clone + Send + Sync + 'static>(path: &str) -> MethodRouter<S> {
    let path = path.to_owned();
    get(async move || Redirect::permanent(&path).into_response())
}

fn page(file: &'static File, request: &HeaderMap) -> Response<Body> {
    let mut response = respond::file(file, request);
    if file.mime.starts_with("text/html") {
        policy::protect_desk(response.headers_mut());
    }
    response
}
