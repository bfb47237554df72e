//! `GET /checkout/{paymentId}`: the hosted page. It is the same for every payment, known or not: the page asks the API
//! and says what is wrong.

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Response};

use super::Shared;
use super::openapi::operation::{Operation, Tag};
use crate::domain::input::id;
use crate::site;
use serde_json::{Value, json};

pub(super) fn operation() -> Operation {
    let about = "The hosted page behind `paymentUrl`. It is the same for every payment, known or not: the page asks the API.";
    Operation::new("getCheckoutPage", Tag::Checkout, "Get the hosted checkout", about)
        .any_path("paymentId", "", "")
        .query("sessionToken", json!({}), "", Value::Null)
        .query("theme", json!({"enum": null}), "", "LIGHT")
        .query("locale", json!({"enum": null}), "", "en-US")
        .answers_text(200, "The page.", "text/html; charset=utf-8")
        .refuses(503, &["site_not_built"])
}

pub(super) async fn handle(
    State(app): State<Shared>,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Response<Body> {
    let origins = match id.ok().and_then(|Path(text)| id::parse(&text)) {
        Some(id) => app.store.allowed_origins(id).await.unwrap_or_else(|error| {
            tracing::error!(%error, "the page goes out without frame ancestors");
            None
        }),
        None => None,
    };
    site::checkout_page(&origins.unwrap_or_default(), &headers)
}
