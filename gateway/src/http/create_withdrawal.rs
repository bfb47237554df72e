//! `POST /api/v1/withdrawals`

use axum::extract::State;
use axum::response::Response;

use super::Shared;
use super::auth::Bearer;
use super::body::Body;
use super::openapi::operation::{MERCHANT, Operation, Tag};
use super::problem::Refusal;
use super::refused::created;
use crate::service::create_withdrawal;
use checkout_core::wire::create_withdrawal::{CreateWithdrawal, Withdrawal};

const ABOUT: &str = "Sends money out of a balance. Recipient, tag, minimum, maximum, precision and balance are checked before anything moves; the \
address is screened (AML) before it is sent. The outcome comes with the withdrawal callback.\n\n\
`clientWithdrawalId` makes it idempotent: the same request again gets the stored answer with status 200, and another one under the same id 409.";

pub(super) fn operation() -> Operation {
    Operation::new("createWithdrawal", Tag::Withdrawals, "Initiate a withdrawal", ABOUT)
        .needs(MERCHANT)
        .takes::<CreateWithdrawal>()
        .answers::<Withdrawal>(201, "The withdrawal; the amount is reserved.")
        .answers::<Withdrawal>(200, "The same request was answered before.")
        .refuses(409, &["client_withdrawal_id_taken"])
        .refuses(503, &["no_rate", "network_unavailable"])
}

pub(super) async fn handle(
    State(app): State<Shared>,
    Bearer(caller): Bearer,
    Body(fields): Body,
) -> Result<Response, Refusal> {
    Ok(created(create_withdrawal::create(&app, caller, fields).await?))
}
