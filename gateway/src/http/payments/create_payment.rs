//! `POST /api/v1/payments`

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::response::Response;
use checkout_wire::create_payment::{CreatePayment, CreatedPayment};

use crate::http::Shared;
use crate::http::auth::{Bearer, ChangePayments};
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::refused::created;
use crate::service::payments::create_payment;

const ABOUT: &str = "Creates a payment with a price in fiat (`displayAmount`) or in a cryptocurrency (`depositAmount`). The payer chooses \
currency and network on the page at `paymentUrl`; a merchant with its own page sends the choice with PATCH. \
A price that nodes would not relay in the given `depositCurrency`, such as 17 satoshis for €0.01, returns 422 with `too_small`.\n\n\
`clientPaymentId` makes the request idempotent: the same request returns the stored answer with status 200; a different request with \
the same id returns 409.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("createPayment")
        .tag(tag::PAYMENTS)
        .summary("Initiate a payment")
        .description(ABOUT)
        .answers::<CreatedPayment>(201, "The payment and its checkout page.")
        .answers::<CreatedPayment>(200, "The stored answer to an earlier, identical request: the payment as it was created. GET has its current state.")
        .refuses(403, &["business_disabled"])
        .refuses(409, &["client_payment_id_taken"])
        .refuses(503, &["outcome_unknown", "no_rate"])
        .leads_to("getPayment", "paymentId", "/paymentInfo/paymentId")
        .leads_to("updatePayment", "paymentId", "/paymentInfo/paymentId")
        .leads_to("getCheckout", "paymentId", "/paymentInfo/paymentId")
        .leads_to("getBusiness", "id", "/paymentInfo/businessId")
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ChangePayments>,
    Body(fields, _): Body<CreatePayment>,
) -> Result<Response, Refusal> {
    Ok(created(create_payment::create(&app, caller, fields).await?))
}
