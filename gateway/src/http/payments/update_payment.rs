//! `PATCH /api/v1/payments/{paymentId}`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use checkout_wire::update_payment::UpdatePayment;
use checkout_wire::update_payment::UpdatedPayment;

use super::get_payment::Visible;
use crate::http::Shared;
use crate::http::auth::ChangePayments;
use crate::http::body::Body;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::service::payments::choose_deposit::{self, NotChosen};

const ABOUT: &str = "Chooses currency and network. The payment gets an address and a quote, and becomes `PENDING`. The hosted page does this itself.\n\n\
The same choice again returns the same quote while its rate holds. Another choice returns a new quote; earlier addresses stay \
watched. An `EXPIRED` payment without deposits gets a new window of the same length.\n\n\
A pair in which nodes would not relay the price, such as 17 satoshis for €0.01, returns 422 with `too_small`: the checkout page does not offer it. \
A quote that the payment has stays.";

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    operation
        .id("updatePayment")
        .tag(tag::PAYMENTS)
        .summary("Add payment details")
        .description(ABOUT)
        .refuses(409, &["deposit_seen", "payment_cancelled"])
        .refuses(503, &["outcome_unknown", "no_rate", "network_unavailable"])
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    // Before the body: without access to the payment, its errors are not reported.
    Visible { caller, id, .. }: Visible<ChangePayments>,
    Body(fields, _): Body<UpdatePayment>,
) -> Result<Json<UpdatedPayment>, Refusal> {
    Ok(Json(choose_deposit::choose(&app, caller, id, fields).await?))
}

impl From<NotChosen> for Refusal {
    fn from(refused: NotChosen) -> Self {
        match refused {
            NotChosen::NotFound => Self::no_payment(),
            NotChosen::Invalid(errors) => Self::invalid(errors),
            NotChosen::DepositSeen => Self::conflict(
                "deposit_seen",
                "A deposit was seen",
                "A deposit has been received, so currency and network cannot change.",
            ),
            NotChosen::Cancelled => Self::conflict(
                "payment_cancelled",
                "The payment is cancelled",
                "The merchant cancelled the payment.",
            ),
            NotChosen::NetworkUnavailable(network) => {
                let detail = format!("Deposits on {network} are unavailable at the moment.");
                Self::unavailable("network_unavailable", "The network is not available", detail)
            }
            NotChosen::NoRate(missing) => {
                Self::unavailable("no_rate", "There is no fresh exchange rate", missing.to_string())
            }
            NotChosen::Store(error) => error.into(),
        }
    }
}
