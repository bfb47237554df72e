//! `GET /checkout/{paymentId}`: the hosted page. It is the same for every payment, known or not: the page asks the API
//! and says what is wrong.

use aide::transform::TransformOperation;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, Response};

use super::Shared;
use super::openapi::operation::Describe as _;
use super::openapi::tag;
use crate::domain::input::id;
use crate::site;
use checkout_core::wire::schema::NonEmpty;
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about =
        "The hosted page behind `paymentUrl`. It is the same for every payment; the page asks the API.";
    operation
        .id("getCheckoutPage")
        .tag(tag::CHECKOUT)
        .summary("Get the hosted checkout")
        .description(about)
        .input::<Query<PageQuery>>()
        .answers_text(200, "The page.", "text/html; charset=utf-8")
        .refuses(503, &["site_not_built"])
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "camelCase")]
pub(super) struct PagePath {
    /// Identifier of the payment.
    #[schemars(with = "NonEmpty")]
    payment_id: String,
}

#[derive(JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
#[expect(dead_code, reason = "for the document; the page reads its own address")]
struct PageQuery {
    /// Token of the payment. The page moves it into the fragment before it loads anything.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    session_token: Option<String>,
    /// Theme of the page.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none", example = &"LIGHT")]
    theme: Option<String>,
    /// Language of the page.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none", example = &"en-US")]
    locale: Option<String>,
}

pub(super) async fn handle(
    State(app): State<Shared>,
    path: Result<Path<PagePath>, PathRejection>,
    headers: HeaderMap,
) -> Response<Body> {
    let origins = match path.ok().and_then(|Path(path)| id::parse(&path.payment_id)) {
        Some(id) => app.store.allowed_origins(id).await.unwrap_or_else(|error| {
            tracing::error!(%error, "the page goes out without frame ancestors");
            None
        }),
        None => None,
    };
    site::checkout_page(&origins.unwrap_or_default(), &headers)
}
