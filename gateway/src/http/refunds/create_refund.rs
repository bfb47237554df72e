//! `POST /api/v1/payments/{paymentId}/refunds`

use aide::transform::TransformOperation;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use checkout_wire::ListedRefund;
use checkout_wire::refunds::CreateRefund;

use crate::http::Shared;
use crate::http::auth::{Bearer, By, Withdraw};
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::payments::get_payment::PaymentPath;
use crate::http::problem::Refusal;
use crate::http::refused::created;
use crate::requests::id;
use crate::service::refunds::refund_payment;

const ABOUT: &str = "Gives a payer money back, from a balance of the business: the rest without an amount, or a part. All refunds of a payment \
together, automatic ones included, are never more than its confirmed deposits. The payer gets `amount`; the merchant pays the fee of the chain \
in addition, and no service fee. It is worth more than that fee. The limits of withdrawals apply but for their minimum: maximum of \
the pair, daily limit, largest fee, approval, whitelist (an address that sent a deposit of the payment needs not be on it), screening. It is sent once the deposits are final.\n\n\
Without `address` the refund waits for one: no sender is guessed, because the address of an exchange or a contract would lose the money. \
`deposits` of the payment has the senders; `addressRefund` gives the address later.\n\n\
A payment that can still be paid is refused (`payment_open`). The status of the payment stays.\n\n\
`clientRefundId` makes the request idempotent: the same request returns the refund as it is then with status 200; a different request with the \
same id returns 409.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("createRefund")
        .tag(tag::REFUNDS)
        .summary("Refund a payment")
        .description(ABOUT)
        .answers::<ListedRefund>(201, "The refund. Its money is reserved.")
        .answers::<ListedRefund>(200, "The refund of an earlier, identical request, as it is now.")
        .leads_to("getRefund", "refundId", "/refundId")
        .refuses(400, &["own_address"])
        .refuses(403, &["business_disabled"])
        .refuses(409, &["client_refund_id_taken", "payment_open", "nothing_to_refund"])
        .refuses(503, &["outcome_unknown", "no_rate", "network_unavailable"])
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<Withdraw>,
    By(initiator): By,
    path: Result<Path<PaymentPath>, PathRejection>,
    Body(fields, _): Body<CreateRefund>,
) -> Result<Response, Refusal> {
    let id =
        path.ok().and_then(|Path(path)| id::payment(&path.payment_id)).ok_or_else(Refusal::no_payment)?;
    Ok(created(refund_payment::refund(&app, caller, initiator, id, fields).await?))
}
