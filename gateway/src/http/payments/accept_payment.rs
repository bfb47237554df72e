//! `POST /api/v1/payments/{paymentId}/accept`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use checkout_domain::access::token::Caller;
use checkout_domain::payment::acceptance::NotAcceptable;

use super::get_payment::Visible;
use crate::http::Shared;
use crate::http::auth::ChangePayments;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::render::payment as render;
use crate::service::callbacks::announce_events::EventStamp;
use crate::service::payments::accept_payment::{Accepted, accept};

const ABOUT: &str = "Accepts what has arrived as the price, before or after the end of the payment: its status is `DEPOSITED`, it has \
`acceptedAt`, and the event `payment.status` says so. Deposits that are not confirmed are not accepted; what is first seen later \
follows a paid payment. It holds as long as every accepted deposit stands: if one leaves its chain, the payment is again what it \
was without. A second time changes nothing.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("acceptPayment")
        .tag(tag::PAYMENTS)
        .summary("Accept what has arrived")
        .description(ABOUT)
        .answers::<checkout_wire::Payment>(200, "The payment.")
        .refuses(409, &["nothing_to_accept", "payment_paid", "refund_pending"])
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Visible { caller, id, .. }: Visible<ChangePayments>,
) -> Result<Json<checkout_wire::Payment>, Refusal> {
    if matches!(caller, Caller::Session { .. }) {
        return Err(Refusal::no_route());
    }
    let source = EventStamp { new_id: &|| app.new_id(), now: app.clock.now() };
    match accept(app.store.as_ref(), &source, id).await? {
        Accepted::Paid(record) => Ok(Json(render::payment(&record, source.now))),
        Accepted::NoPayment => Err(Refusal::no_payment()),
        Accepted::Refused(why) => Err(refusal(why)),
    }
}

fn refusal(why: NotAcceptable) -> Refusal {
    let (code, title, detail) = match why {
        NotAcceptable::NothingArrived => (
            "nothing_to_accept",
            "Nothing has arrived",
            "The payment has no confirmed deposit that is not given back.",
        ),
        NotAcceptable::Paid => ("payment_paid", "The payment is paid", "Its price is covered without that."),
        NotAcceptable::GoingBack => (
            "refund_pending",
            "Money is going back",
            "Some of what has arrived is asked for or goes back. Refuse or cancel that, or wait until it is done.",
        ),
    };
    Refusal::conflict(code, title, detail)
}
