//! `GET /counter`: the page of every counter. Which one it is, and its secret, stand behind the `#` of its link.

use aide::transform::TransformOperation;
use axum::body::Body;
use axum::http::{HeaderMap, Response, Uri};

use crate::http::checkout::checkout_page::parameter;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::requests::languages::language;
use crate::site;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("getCounterPage")
        .tag(tag::COUNTERS)
        .summary("Get the page of a counter")
        .description(
            "The page with keys for an amount, in the language of `Accept-Language`. It is the same for all: it sends the secret behind the \
             `#` of its link as the token of its requests, so that no log and no `Referer` has it.",
        )
        .answers_text(200, "The page.", "text/html; charset=utf-8")
}

pub(in crate::http) async fn handle(uri: Uri, headers: HeaderMap) -> Response<Body> {
    let asked = parameter(uri.query().unwrap_or_default(), "locale");
    site::counter_page(language(asked.as_deref(), &headers))
}
