//! `PATCH /api/v1/payments/{paymentId}`

use axum::Json;
use axum::extract::{FromRequest as _, Request, State};
use checkout_core::wire::update_payment::UpdatedPayment;

use super::Shared;
use super::body::Body;
use super::get_payment::Visible;
use super::openapi::operation::{ANYONE_WITH_A_TOKEN, Operation, Tag};
use super::problem::Refusal;
use crate::service::choose_deposit::{self, Refused};
use checkout_core::wire::update_payment::UpdatePayment;

const ABOUT: &str = "Chooses currency and network. The payment gets an address and a quote, and is `PENDING`. Not needed when the hosted page is used.\n\n\
For the pair that is quoted already it gives the same quote while its rate holds; for another pair a new one, and earlier addresses stay \
watched. On an `EXPIRED` payment without deposits it opens a new window of the same length. Only a merchant may set the display fields.";

pub(super) fn operation() -> Operation {
    Operation::new("updatePayment", Tag::Payments, "Add payment details", ABOUT)
        .needs(ANYONE_WITH_A_TOKEN)
        .path("paymentId", "", "")
        .takes::<UpdatePayment>()
        .answers::<UpdatedPayment>(200, "The payment with its address and its quote.")
        .refuses(409, &["deposit_seen"])
        .refuses(503, &["no_rate", "network_unavailable"])
}

pub(super) async fn handle(
    State(app): State<Shared>,
    // First: who may not see the payment learns nothing from the body's faults.
    Visible { caller, id, .. }: Visible,
    request: Request,
) -> Result<Json<UpdatedPayment>, Refusal> {
    let Body(fields) = Body::from_request(request, &app).await?;
    let payment_info = choose_deposit::choose(&app, caller, id, fields).await?;
    Ok(Json(UpdatedPayment { payment_info }))
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::NotFound => Self::no_payment(),
            Refused::Invalid(errors) => Self::invalid(errors),
            Refused::DepositSeen => Self::conflict(
                "deposit_seen",
                "A deposit was seen",
                "Something was paid already, so currency and network stay as they are.",
            ),
            Refused::NetworkUnavailable(network) => {
                let detail = format!("The gateway does not watch {network} at the moment.");
                Self::unavailable("network_unavailable", "The network is not available", detail)
            }
            Refused::NoRate => Self::unavailable(
                "no_rate",
                "There is no fresh exchange rate",
                "Nothing is quoted by an old rate. Try again.",
            ),
            Refused::Store(error) => error.into(),
        }
    }
}
