//! `GET /api/v1/payments/{paymentId}/deposits`

use aide::transform::TransformOperation;
use axum::Json;
use axum::extract::State;
use checkout_wire::Deposit;
use checkout_wire::list_payment_deposits::ListPaymentDeposits;

use super::get_payment::Visible;
use crate::http::Shared;
use crate::http::auth::ReadPayments;
use crate::http::openapi::operation::Describe as _;
use crate::http::openapi::tag;
use crate::http::parameters::Parameters;
use crate::http::problem::Refusal;
use crate::http::requests::page;
use crate::render::payment as render;

pub(in crate::http) fn operation(operation: TransformOperation<'_>) -> TransformOperation<'_> {
    let about = "A page of the deposits of a payment, for payments with more than a hundred. The cursors `after` and `before` are ids of \
                 deposits, exclusive, and stay valid while deposits are added.";
    operation
        .id("listPaymentDeposits")
        .tag(tag::PAYMENTS)
        .summary("List the deposits of a payment")
        .description(about)
        .answers::<Vec<Deposit>>(200, "The deposits.")
}

pub(in crate::http) async fn handle(
    State(app): State<Shared>,
    Visible { id, .. }: Visible<ReadPayments>,
    Parameters(mut fields, _): Parameters<ListPaymentDeposits>,
) -> Result<Json<Vec<Deposit>>, Refusal> {
    let page = page::read(&mut fields);
    let found = app.store.deposits(id, &page).await?.ok_or_else(Refusal::no_payment)?;
    // A cursor must be a deposit of the payment; one that vanished keeps its place.
    for (name, cursor) in page.cursors() {
        if found.unknown.contains(&cursor) {
            fields.error(name, "unknown_cursor", "is not the id of a deposit of this payment");
        }
    }
    fields.valid().map_err(Refusal::invalid)?;
    let shown = |(deposit, refund): &(_, Option<_>)| render::deposit(deposit, refund.as_ref(), found.fiat);
    Ok(Json(found.deposits.iter().map(shown).collect()))
}
