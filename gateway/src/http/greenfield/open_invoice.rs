//! `GET /i/{invoiceId}`: the payer's page of an invoice.

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse as _, Redirect, Response};

use crate::greenfield::invoice_id;
use crate::http::Shared;
use crate::http::problem::Refusal;
use crate::service::payments::create_payment::payment_url;

pub(super) async fn handle(State(app): State<Shared>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let payment = invoice_id::payment_of(&id).ok_or_else(Refusal::no_route)?;
    let record = app.store.payment(payment).await?.ok_or_else(Refusal::no_route)?;
    let business = app.store.business(record.payment.business).await?.ok_or_else(Refusal::no_route)?;
    if business.greenfield.is_none() || !invoice_id::opens(&id, &record.payment) {
        return Err(Refusal::no_route());
    }
    let to = Redirect::to(&payment_url(&app, &business, &record.payment));
    Ok(([(header::CACHE_CONTROL, "no-store"), (header::REFERRER_POLICY, "no-referrer")], to).into_response())
}
