//! `POST /api/v1/withdrawals`

use aide::transform::TransformOperation;
use axum::extract::State;
use axum::response::Response;
use checkout_wire::create_withdrawal::{CreateWithdrawal, Withdrawal};

use crate::http::Shared;
use crate::http::auth::{Bearer, By, Withdraw};
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::refused::created;
use crate::service::payouts::create_withdrawal;

const ABOUT: &str = "Sends money from a balance. Recipient, tag, minimum, maximum, precision and balance are checked first, and the recipient \
is screened (AML) before the transfer is sent. The withdrawal callback reports the outcome. The business may have a daily limit \
(`above_daily_limit`) or one for the fee of the network (`above_maximum_fee`), pay whitelisted recipients only (`not_whitelisted`), or have large withdrawals approved: those stay `NEW` until then.\n\n\
`clientWithdrawalId` makes the request idempotent: the same request returns the stored answer with status 200; a different request \
with the same id returns 409.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("createWithdrawal")
        .tag(tag::WITHDRAWALS)
        .summary("Initiate a withdrawal")
        .description(ABOUT)
        .answers::<Withdrawal>(201, "The withdrawal. The amount is reserved.")
        .answers::<Withdrawal>(200, "The stored answer to an earlier, identical request, with the status `NEW`. The callback reports the outcome.")
        .leads_to("getWithdrawal", "withdrawalId", "/withdrawId")
        .refuses(400, &["own_address"])
        .refuses(403, &["business_disabled"])
        .refuses(409, &["client_withdrawal_id_taken"])
        .refuses(503, &["outcome_unknown", "no_rate", "network_unavailable"])
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<Withdraw>,
    By(initiator): By,
    Body(fields, _): Body<CreateWithdrawal>,
) -> Result<Response, Refusal> {
    Ok(created(create_withdrawal::create(&app, caller, initiator, fields).await?))
}
