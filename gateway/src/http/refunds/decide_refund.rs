//! `POST /api/v1/refunds/{refundId}/address`, `…/approve` and `…/cancel`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_wire::refunds::{AddressRefund, RefuseRefund};
use checkout_wire::{Approve, ListedRefund};

use super::get_refund::{RefundPath, read};
use crate::http::Shared;
use crate::http::auth::{Bearer, By, Withdraw};
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::requests::{recipient, seen};
use crate::service::refunds::decide_refund as service;

/// The longest reason of a refusal, in characters.
const LONGEST_REASON: usize = 200;

type RefundInPath = Result<Path<RefundPath>, PathRejection>;

pub(in crate::http) fn address_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Gives a refund that waits for an address (`waitingFor`) its recipient, checked like that of a withdrawal: the same decision as \
                 `checkout refunds send`. A refund above a limit of the business's withdrawals is refused \
                 (`above_limit`); an operator sends an automatic one. The same address again changes nothing.";
    operation
        .id("addressRefund")
        .tag(tag::REFUNDS)
        .summary("Give a refund its address")
        .description(about)
        .answers::<ListedRefund>(200, "The refund, which is sent now.")
        .refuses(400, &["own_address"])
        .refuses(403, &["business_disabled"])
        .refuses(409, &["refund_state", "above_limit"])
        .refuses(503, &["outcome_unknown", "no_rate"])
}

pub(in crate::http) async fn address(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<Withdraw>,
    By(by): By,
    path: RefundInPath,
    body: Body<AddressRefund>,
) -> Result<Json<ListedRefund>, Refusal> {
    let to = body.read(recipient::read_named)?;
    Ok(Json(service::address(&app, caller, &by, read(path)?, &to).await?))
}

pub(in crate::http) fn approve_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Lets a refund go that waits for an approval (`waitingFor`): an automatic one beyond those of a day, to its sender, as \
                 `checkout refunds send` does; one that the payer asked for (`waitingReason` is `CLAIM`), to `claimedAddress`. One that the merchant asked for above the limit of the business needs an organisation key \
                 (`organisation_only`), or an operator: `checkout payouts approve`, and another one than that which asked for it or named its address (`same_initiator`). The request names address, tag and amount as they were seen (`address` or \
                 `claimedAddress`, `amount`): if others stand there now, nothing is approved (`address_changed`).";
    operation
        .id("approveRefund")
        .tag(tag::REFUNDS)
        .summary("Approve a refund")
        .description(about)
        .answers::<ListedRefund>(200, "The refund, which is sent now.")
        .refuses(400, &["unseen"])
        .refuses(403, &["organisation_only", "same_initiator", "business_disabled"])
        .refuses(409, &["refund_state", "above_limit", "not_whitelisted", "address_changed"])
        .refuses(503, &["no_rate"])
}

pub(in crate::http) async fn approve(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<Withdraw>,
    By(by): By,
    path: RefundInPath,
    body: Body<Approve>,
) -> Result<Json<ListedRefund>, Refusal> {
    let seen = seen::read(body)?;
    Ok(Json(service::approve(&app, caller, &by, read(path)?, &seen).await?))
}

pub(in crate::http) fn refuse_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Refuses what a payer asked for on the page (`waitingReason` is `CLAIM`), with a reason that the payer reads there. An automatic refund \
                 waits for an address again, which you can give it; the money of another one is back on the balance. The page takes no other \
                 address: the link may be in wrong hands. Again, it changes nothing.";
    operation
        .id("refuseRefund")
        .tag(tag::REFUNDS)
        .summary("Refuse a claim")
        .description(about)
        .answers::<ListedRefund>(200, "The refund, which is not sent to that address.")
        .refuses(409, &["refund_state"])
}

pub(in crate::http) async fn refuse(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<Withdraw>,
    path: RefundInPath,
    body: Body<RefuseRefund>,
) -> Result<Json<ListedRefund>, Refusal> {
    let reason = body.read(|fields| {
        let reason = fields.text("reason").unwrap_or_default();
        if reason.chars().count() > LONGEST_REASON {
            fields.error("reason", "too_long", format!("must have at most {LONGEST_REASON} characters"));
        }
        Some(reason)
    })?;
    Ok(Json(service::refuse(&app, caller, read(path)?, &reason).await?))
}

pub(in crate::http) fn cancel_operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "Takes a refund back that the merchant asked for and that is not signed, for example because the payer names no address. Its \
                 money is back on the balance. An automatic refund cannot be cancelled.";
    operation
        .id("cancelRefund")
        .tag(tag::REFUNDS)
        .summary("Cancel a refund")
        .description(about)
        .answers::<ListedRefund>(200, "The refund, which is `CANCELLED`.")
        .refuses(409, &["refund_state"])
}

pub(in crate::http) async fn cancel(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<Withdraw>,
    path: RefundInPath,
) -> Result<Json<ListedRefund>, Refusal> {
    Ok(Json(service::cancel(&app, caller, read(path)?).await?))
}
