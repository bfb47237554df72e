//! `POST /api/v1/payments/{paymentId}/cancel`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use checkout_domain::access::token::Caller;
use checkout_domain::payment::PaymentWithDeposits;

use super::get_payment::Visible;
use crate::http::Shared;
use crate::http::auth::ChangePayments;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::render::payment as render;
use crate::service::payments::cancel_payment::{Cancelled, cancel};

const ABOUT: &str = "Ends a `ONE_TIME` payment to which no deposit was seen: its status is `EXPIRED`, it has `cancelledAt`, and no payer can choose \
a currency for it any more. The payer of one that expired gets no new quote. A transfer that was on its way is a late deposit, \
as after any other end: an amount that was shown pays, and you can refund it.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("cancelPayment")
        .tag(tag::PAYMENTS)
        .summary("Cancel a payment")
        .description(ABOUT)
        .answers::<checkout_wire::Payment>(200, "The payment.")
        .refuses(409, &["deposit_seen", "payment_reusable"])
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Visible { caller, id, .. }: Visible<ChangePayments>,
) -> Result<Json<checkout_wire::Payment>, Refusal> {
    if matches!(caller, Caller::Session { .. }) {
        return Err(Refusal::no_route());
    }
    let record = outcome(cancel(&app, id).await?)?;
    Ok(Json(render::payment(&record, app.clock.now())))
}

/// The payment that is over, or why it is not.
pub(in crate::http) fn outcome(cancelled: Cancelled) -> Result<Box<PaymentWithDeposits>, Refusal> {
    match cancelled {
        Cancelled::Over(record) => Ok(record),
        Cancelled::NoPayment => Err(Refusal::no_payment()),
        Cancelled::DepositSeen => Err(Refusal::conflict(
            "deposit_seen",
            "A deposit was seen",
            "A deposit has been received, so the payment cannot be cancelled. It can be refunded.",
        )),
        Cancelled::Reusable => Err(Refusal::conflict(
            "payment_reusable",
            "The payment never ends",
            "A REUSABLE payment keeps its addresses and cannot be cancelled.",
        )),
    }
}
