//! A page of the deposits of a payment.

use checkout_core::wire;
use checkout_domain::ports::Stored;
use uuid::Uuid;

use crate::render::payment as render;
use crate::requests::fields::Fields;
use crate::requests::page;
use crate::service::App;
use crate::service::refused::Refused;

/// A cursor must be a deposit of the payment; one that vanished keeps its place. `None` if there is no such payment.
pub async fn list(
    app: &App,
    payment: Uuid,
    mut query: Fields,
) -> Stored<Option<Result<Vec<wire::Deposit>, Refused>>> {
    let page = page::read(&mut query);
    let Some(found) = app.store.deposits(payment, &page).await? else { return Ok(None) };
    for (name, cursor) in page.cursors() {
        if found.unknown.contains(&cursor) {
            query.error(name, "unknown_cursor", "is not the id of a deposit of this payment");
        }
    }
    if !query.is_valid() {
        return Ok(Some(Err(Refused::Invalid(query.into_errors()))));
    }
    let deposits = found.deposits.iter().map(|deposit| render::deposit(deposit, found.fiat));
    Ok(Some(Ok(deposits.collect())))
}
