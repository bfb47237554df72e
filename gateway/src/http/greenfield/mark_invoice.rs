//! `POST /api/v1/stores/{storeId}/invoices/{invoiceId}/status`: what the merchant decides about an invoice, as far as the payment allows it.

use axum::Json;
use axum::extract::State;
use checkout_domain::payment::acceptance::NotAcceptable;
use checkout_domain::ports::StoreError;
use checkout_wire::FieldError;
use serde::Deserialize;

use super::given::Given;
use super::invoices::shown;
use super::shop::ShopInvoice;
use crate::greenfield::invoice::Invoice;
use crate::http::Shared;
use crate::http::auth::ChangePayments;
use crate::http::problem::Refusal;
use crate::service::App;
use crate::service::callbacks::announce_events::EventStamp;
use crate::service::payments::accept_payment::{Accepted, accept};
use crate::service::payments::cancel_payment::{Cancelled, cancel};

#[derive(Deserialize)]
pub(super) struct Mark {
    status: String,
}

pub(super) async fn handle(
    State(app): State<Shared>,
    found: ShopInvoice<ChangePayments>,
    Given(mark): Given<Mark>,
) -> Result<Json<Invoice>, Refusal> {
    let id = found.record.payment.id;
    let refusal = match mark.status.to_ascii_lowercase().as_str() {
        "settled" | "complete" => settle(&app, &found).await?,
        "invalid" => match cancel(&app, id).await? {
            Cancelled::Over(_) => None,
            Cancelled::NoPayment => return Err(Refusal::no_payment()),
            Cancelled::DepositSeen => Some("cannot be Invalid: something has arrived, which can be refunded"),
            Cancelled::Reusable => Some("cannot be Invalid: the payment never ends"),
        },
        _ => Some("must be Settled or Invalid"),
    };
    if let Some(detail) = refusal {
        return Err(Refusal::invalid(vec![FieldError::of("status", "state", detail)]));
    }
    let record = app.store.payment(id).await?.ok_or_else(Refusal::no_payment)?;
    Ok(Json(shown(&app, &found.shop, &record)))
}

/// What has arrived is the price. Nothing that has not arrived is.
async fn settle(app: &App, found: &ShopInvoice<ChangePayments>) -> Result<Option<&'static str>, StoreError> {
    let source = EventStamp { new_id: &|| app.new_id(), now: app.clock.now() };
    Ok(match accept(app.store.as_ref(), &source, found.record.payment.id).await? {
        Accepted::Paid(_) | Accepted::Refused(NotAcceptable::Paid) => None,
        Accepted::NoPayment | Accepted::Refused(NotAcceptable::NothingArrived) => {
            Some("cannot be Settled: nothing that is confirmed has arrived")
        }
        Accepted::Refused(NotAcceptable::GoingBack) => Some("cannot be Settled: money is going back"),
    })
}
