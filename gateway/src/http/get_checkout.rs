//! `GET /api/v1/checkout/{paymentId}`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use checkout_core::wire::checkout_view::CheckoutView;

use super::Shared;
use super::get_payment::Visible;
use super::openapi::tag;
use super::problem::Refusal;
use crate::service::checkout_view;

pub(super) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Everything that a checkout page needs to start. After that it polls the payment.";
    operation
        .id("getCheckout")
        .tag(tag::CHECKOUT)
        .summary("Get what a checkout page shows")
        .description(about)
}

pub(super) async fn handle(
    State(app): State<Shared>,
    Visible { id, .. }: Visible,
) -> Result<Json<CheckoutView>, Refusal> {
    let record = app.store.payment(id).await?.ok_or_else(Refusal::no_payment)?;
    Ok(Json(checkout_view::view(&app, &record).await?.ok_or_else(Refusal::no_payment)?))
}
