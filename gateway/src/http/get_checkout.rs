//! `GET /api/v1/checkout/{paymentId}`

use axum::Json;
use axum::extract::State;
use checkout_core::wire::checkout_view::CheckoutView;

use super::Shared;
use super::auth::Bearer;
use super::get_payment::PaymentId;
use super::problem::Refusal;
use crate::service::checkout_view;

pub(super) async fn handle(
    State(app): State<Shared>,
    Bearer(caller): Bearer,
    PaymentId(id): PaymentId,
) -> Result<Json<CheckoutView>, Refusal> {
    Ok(Json(checkout_view::view(&app, caller, id).await?.ok_or_else(Refusal::no_payment)?))
}
