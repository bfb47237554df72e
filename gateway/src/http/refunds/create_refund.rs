//! `POST /api/v1/payments/{paymentId}/refunds`

use aide::transform::TransformOperation;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use checkout_wire::ListedRefund;
use checkout_wire::create_withdrawal::WithdrawalAccount;
use checkout_wire::refunds::CreateRefund;

use crate::http::Shared;
use crate::http::auth::{Bearer, By, Withdraw};
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::payments::get_payment::PaymentPath;
use crate::http::problem::Refusal;
use crate::http::refused::created;
use crate::http::requests::client_id::client_id;
use crate::http::requests::fields::Fields;
use crate::http::requests::id;
use crate::http::requests::recipient::memo_type;
use crate::service::payouts::recipient::NamedRecipient;
use crate::service::refunds::refund_payment;
use crate::service::refunds::refund_request::RefundRequest;

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
    body: Body<CreateRefund>,
) -> Result<Response, Refusal> {
    let id =
        path.ok().and_then(|Path(path)| id::payment(&path.payment_id)).ok_or_else(Refusal::no_payment)?;
    let request = body.read(read)?;
    Ok(created(refund_payment::refund(&app, caller, initiator, id, &request).await?))
}

/// Reads the body, before the payment is known.
fn read(fields: &mut Fields) -> Option<RefundRequest> {
    let client_refund_id = client_id(fields, "clientRefundId");
    let currency = fields.currency("currency");
    let network = fields.network();
    let amount = fields.decimal_text("amount");
    let display_amount = fields.decimal_text("displayAmount");
    if amount.is_some() && display_amount.is_some() {
        fields.error("displayAmount", "conflicting_amounts", "is given beside amount");
    }
    let address = fields.text("address");
    let tag = fields.decimal_text("destinationTag");
    let memo_type = memo_type(fields);
    if (tag.is_some() || memo_type.is_some()) && !fields.has("address") {
        fields.error("address", "required", "is required with destinationTag");
    }
    let account = fields.word("withdrawalAccount", WithdrawalAccount::KNOWN, WithdrawalAccount::known);
    let tag_field = fields.given("destinationTag");
    let to = address.map(|address| NamedRecipient { field: "address", address, tag_field, tag, memo_type });
    let client_refund_id = client_refund_id?;
    Some(RefundRequest {
        client_refund_id,
        currency,
        network,
        amount,
        display_amount,
        to,
        account,
        claim_of: None,
    })
}
