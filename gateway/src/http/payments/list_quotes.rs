//! `GET /api/v1/payments/{paymentId}/quotes`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use checkout_wire::list_quotes::ShownQuote;

use super::get_payment::PaymentPath;
use crate::http::Shared;
use crate::http::auth::{Bearer, ReadPayments};
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::problem::Refusal;
use crate::http::requests::id;
use crate::render::quote as render;

/// The most that are listed.
const MOST: usize = 100;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "What the payer was shown, newest first: the first is in the payment itself. Each amount pays within its window. The \
                 last hundred of them; of a payment without a quote none.";
    operation
        .id("listQuotes")
        .tag(tag::PAYMENTS)
        .summary("List the quotes of a payment")
        .description(about)
        .answers::<Vec<ShownQuote>>(200, "The quotes.")
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Bearer(caller, _): Bearer<ReadPayments>,
    path: Result<Path<PaymentPath>, PathRejection>,
) -> Result<Json<Vec<ShownQuote>>, Refusal> {
    let id =
        path.ok().and_then(|Path(path)| id::payment(&path.payment_id)).ok_or_else(Refusal::no_payment)?;
    let found = app.store.payment(id).await?.filter(|found| caller.acts_for(found.payment.business));
    let quotes = found.ok_or_else(Refusal::no_payment)?.quotes;
    Ok(Json(quotes.iter().rev().take(MOST).map(render::shown).collect()))
}
