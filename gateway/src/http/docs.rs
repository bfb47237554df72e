//! `GET /api/docs`: the OpenAPI document as a page. It has no script and loads nothing.

mod fields;
mod html;
mod page;

use std::sync::LazyLock;

use aide::transform::TransformOperation;
use axum::Extension;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::openapi::Document;
use super::openapi::operation::Describe as _;
use super::openapi::tag;

const STYLE: &str = include_str!("docs/style.css");

/// The page contains its only style sheet, identified by hash; nothing else may be loaded, run, sent or
/// framed.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
});

pub(super) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "This document as a page. It has no script and loads nothing.";
    operation
        .id("getDocs")
        .tag(tag::OPERATIONS)
        .summary("Read this document")
        .description(about)
        .answers_text(200, "The page.", "text/html; charset=utf-8")
}

pub(super) async fn handle(Extension(document): Extension<&'static Document>) -> Response {
    let page = document.page.get_or_init(|| page::draw(&document.json, STYLE));
    let headers: [(HeaderName, &str); 3] = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY.as_str()),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, page.as_str()).into_response()
}
