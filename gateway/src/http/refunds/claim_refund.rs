//! `POST /api/v1/checkout/{paymentId}/claims`

use aide::OperationInput;
use aide::generate::GenContext;
use aide::operation::ParamLocation;
use aide::transform::TransformOperation;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::response::Response;
use checkout_domain::access::token::Caller;
use checkout_domain::ids::PaymentId;
use checkout_wire::claim_refund::{ClaimRefund, RefundClaim};
use uuid::Uuid;

use crate::http::Shared;
use crate::http::auth::ChangePayments;
use crate::http::body::Body;
use crate::http::openapi::operation::{Describe as _, needs, takes};
use crate::http::openapi::{SESSION, tag};
use crate::http::payments::get_payment::{PaymentPath, Visible};
use crate::http::problem::Refusal;
use crate::http::refused::created;
use crate::http::requests::fields::Fields;
use crate::http::requests::{id, recipient};
use crate::service::payouts::recipient::NamedRecipient;
use crate::service::refunds::claim_refund;
use crate::service::refused::Refused;

const ABOUT: &str = "The payer asks for money back and names the address, checked like that of a withdrawal: `claims` of the checkout has what can be \
asked for. With the session token of the payment only. Each is asked for once: the same request returns the claim as it is then with status 200; another \
address is 409 `already_claimed`. The merchant approves it (`approveRefund`) or refuses it (`refuseRefund`), unless it is within the `claimLimit` of the \
business.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("claimRefund")
        .tag(tag::CHECKOUT)
        .summary("Ask for money back")
        .description(ABOUT)
        .answers::<RefundClaim>(201, "The claim.")
        .answers::<RefundClaim>(200, "The claim of an earlier, identical request, as it is now.")
        .refuses(400, &["own_address"])
        .refuses(409, &["already_claimed", "not_claimable"])
        .refuses(503, &["outcome_unknown", "no_rate"])
}

/// The payment of the session whose token the request has.
pub(in crate::http) struct OwnPayment(PaymentId);

impl OperationInput for OwnPayment {
    fn operation_input(context: &mut GenContext, operation: &mut aide::openapi::Operation) {
        needs(operation, &[SESSION], &[]);
        takes::<PaymentPath>(context, operation, ParamLocation::Path);
    }
}

impl FromRequestParts<Shared> for OwnPayment {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Refusal> {
        let Visible { caller, id, .. } = Visible::<ChangePayments>::from_request_parts(parts, app).await?;
        match caller {
            Caller::Session { .. } => Ok(Self(id)),
            Caller::Organisation | Caller::Business(_) => Err(Refusal::no_route()),
        }
    }
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    OwnPayment(payment): OwnPayment,
    Body(fields, _): Body<ClaimRefund>,
) -> Result<Response, Refusal> {
    let (id, to) = read(fields)?;
    Ok(created(claim_refund::claim(&app, payment, id, &to).await?))
}

/// What is asked for, and where it is to go.
pub(in crate::http) fn read(fields: Fields) -> Result<(Uuid, NamedRecipient), Refused> {
    let asked = fields.read(|fields| fields.required_text("claimId").zip(recipient::read_named(fields)));
    let (id, to) = asked.map_err(Refused::Invalid)?;
    Ok((id::parse(&id).ok_or(Refused::NoClaim)?, to))
}
