//! `GET /api/docs`: the OpenAPI document as a page for people. It is drawn here, has no script and loads nothing.

mod fields;
mod html;
mod page;

use std::sync::LazyLock;
use std::sync::OnceLock;

use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::IntoResponse;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::Shared;
use super::openapi::document;
use super::openapi::operation::{Operation, Tag};

const STYLE: &str = include_str!("docs/style.css");

/// The one style sheet is in the page and known by its hash; nothing else may be loaded, run, sent or framed.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
});

pub(super) fn operation() -> Operation {
    let about = "This document as a page for people: without script, and without anything from elsewhere.";
    Operation::new("getDocs", Tag::Operations, "Read this document", about).answers_text(
        200,
        "The page.",
        "text/html; charset=utf-8",
    )
}

pub(super) async fn handle(State(app): State<Shared>) -> impl IntoResponse {
    static PAGES: [OnceLock<String>; 2] = [const { OnceLock::new() }; 2];
    let sandbox = app.is_sandbox();
    let page = PAGES[usize::from(sandbox)].get_or_init(|| page::draw(&document(sandbox), STYLE));
    let headers: [(HeaderName, &str); 3] = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY.as_str()),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, page.as_str())
}
