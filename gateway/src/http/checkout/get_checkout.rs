//! `GET /api/v1/checkout/{paymentId}`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use checkout_wire::checkout_view::CheckoutView;

use crate::http::Shared;
use crate::http::auth::ReadPayments;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::payments::get_payment::{Conditional, ETAG, Visible, unchanged, version_tag};
use crate::http::problem::Refusal;
use crate::service::payments::checkout_view;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Everything that a checkout page shows. To poll it, send the last `ETag` in `If-None-Match`. Estimates alone do not change it.";
    operation
        .id("getCheckout")
        .tag(tag::CHECKOUT)
        .summary("Get what a checkout page shows")
        .description(about)
        .takes_headers::<Conditional>()
        .answers::<CheckoutView>(200, "The payment and its choices.")
        .answers_header(200, "ETag", ETAG)
        .answers_nothing(304, "Nothing has changed.")
        .answers_header(304, "ETag", ETAG)
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Visible { id, version, .. }: Visible<ReadPayments>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let now = app.clock.now();
    if let Some(unchanged) = unchanged(version, now, &headers) {
        return Ok(unchanged);
    }
    let record = app.store.payment(id).await?.ok_or_else(Refusal::no_payment)?;
    let tag = version_tag(record.version, record.payment.window_end(), now);
    let view = checkout_view::view(&app, &record).await?.ok_or_else(Refusal::no_payment)?;
    Ok(([(header::ETAG, tag)], Json(view)).into_response())
}
