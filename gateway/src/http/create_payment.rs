//! `POST /api/v1/payments`

use axum::extract::State;
use axum::response::Response;

use super::Shared;
use super::auth::Bearer;
use super::body::Body;
use super::openapi::operation::{MERCHANT, Operation, Tag};
use super::problem::Refusal;
use super::refused::created;
use crate::service::create_payment;
use checkout_core::wire::create_payment::{CreatePayment, CreatedPayment};

const ABOUT: &str = "Names a price, in fiat (`displayAmount`) or in a cryptocurrency (`depositAmount`). The payer chooses how to pay on the page \
at `paymentUrl`; a merchant with a page of its own sends that choice with PATCH.\n\n\
`clientPaymentId` makes it idempotent: the same request again gets the stored answer with status 200, and another one under the same id 409.";

pub(super) fn operation() -> Operation {
    Operation::new("createPayment", Tag::Payments, "Initiate a payment", ABOUT)
        .needs(MERCHANT)
        .takes::<CreatePayment>()
        .answers::<CreatedPayment>(201, "The payment, and where it is paid.")
        .answers::<CreatedPayment>(200, "The same request was answered before: that payment, as it is now.")
        .refuses(409, &["client_payment_id_taken"])
        .refuses(503, &["no_rate"])
        .leads_to("getPayment", "paymentId", "/paymentInfo/paymentId")
        .leads_to("updatePayment", "paymentId", "/paymentInfo/paymentId")
        .leads_to("getCheckout", "paymentId", "/paymentInfo/paymentId")
        .leads_to("getBusiness", "id", "/paymentInfo/businessId")
}

pub(super) async fn handle(
    State(app): State<Shared>,
    Bearer(caller): Bearer,
    Body(fields): Body,
) -> Result<Response, Refusal> {
    Ok(created(create_payment::create(&app, caller, fields).await?))
}
