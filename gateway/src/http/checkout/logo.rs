//! `GET /logos/{file}`: the logo of a business, which its page shows.

use aide::transform::TransformOperation;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse as _, Response};
use checkout_domain::business::logo::Logo;
use checkout_wire::texts::NonEmpty;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::http::Shared;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("getLogo")
        .tag(tag::CHECKOUT)
        .summary("Get a logo")
        .description("An image that the page of a business shows. Its name contains its hash, so that it never changes.")
        .answers_text(200, "The image.", "image/png")
        .answers_text(200, "The image.", "image/webp")
        .answers_text(200, "The image.", "image/jpeg")
        .refuses(404, &["not_found"])
        .refuses(503, &["store_unavailable"])
}

#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
pub(in crate::http) struct LogoPath {
    /// Name of the image.
    #[schemars(with = "NonEmpty")]
    file: String,
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    path: Result<Path<LogoPath>, PathRejection>,
) -> Result<Response, Refusal> {
    let missing = || Refusal::not_found("There is no such logo.");
    let Path(LogoPath { file }) = path.map_err(|_| missing())?;
    let media_type = Logo::media_type(&file).ok_or_else(missing)?;
    let image = app.store.logo(&file).await?.ok_or_else(missing)?;
    let headers: [(HeaderName, &str); 5] = [
        (header::CONTENT_TYPE, media_type),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"),
        (RESOURCE_POLICY, "same-origin"),
    ];
    Ok((headers, image).into_response())
}
