//! `PATCH /api/v1/payments/{paymentId}`

use axum::Json;
use axum::extract::{FromRequest as _, Request, State};
use checkout_core::wire::update_payment::UpdatedPayment;

use super::Shared;
use super::auth::Bearer;
use super::body::Body;
use super::get_payment::PaymentId;
use super::problem::Refusal;
use crate::service::choose_deposit::{self, Refused};

pub(super) async fn handle(
    State(app): State<Shared>,
    Bearer(caller): Bearer,
    PaymentId(id): PaymentId,
    request: Request,
) -> Result<Json<UpdatedPayment>, Refusal> {
    choose_deposit::find(&app, caller, id).await?;
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
