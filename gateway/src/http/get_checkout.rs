//! `GET /api/v1/checkout/{paymentId}`

use axum::Json;
use axum::extract::State;
use checkout_core::wire::checkout_view::CheckoutView;

use super::Shared;
use super::get_payment::Visible;
use super::openapi::operation::{ANYONE_WITH_A_TOKEN, Operation, Tag};
use super::problem::Refusal;
use crate::service::checkout_view;

pub(super) fn operation() -> Operation {
    let about =
        "All that a checkout page needs to start, in one answer. It goes on with polls of the payment.";
    Operation::new("getCheckout", Tag::Checkout, "Get what a checkout page shows", about)
        .needs(ANYONE_WITH_A_TOKEN)
        .path("paymentId", "", "")
        .answers::<CheckoutView>(200, "The payment, its merchant, and what the payer may choose from.")
}

pub(super) async fn handle(
    State(app): State<Shared>,
    Visible { id, .. }: Visible,
) -> Result<Json<CheckoutView>, Refusal> {
    let record = app.store.payment(id).await?.ok_or_else(Refusal::no_payment)?;
    Ok(Json(checkout_view::view(&app, &record).await?.ok_or_else(Refusal::no_payment)?))
}
