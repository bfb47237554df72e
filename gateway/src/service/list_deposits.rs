//! A page of the deposits of a payment.

use checkout_core::wire;
use checkout_domain::page::Page;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::deposit::Deposit;

use crate::render::payment as render;
use crate::requests::fields::Fields;
use crate::requests::page;
use crate::service::refused::Refused;

/// A cursor must be a deposit of the payment; one that vanished keeps its place.
pub fn list(record: &PaymentWithDeposits, mut query: Fields) -> Result<Vec<wire::Deposit>, Refused> {
    let page = page::read(&mut query);
    for (name, cursor) in page.cursors() {
        if record.deposits.iter().all(|deposit| deposit.id != cursor) {
            query.error(name, "unknown_cursor", "is not the id of a deposit of this payment");
        }
    }
    if !query.is_valid() {
        return Err(Refused::Invalid(query.into_errors()));
    }
    let fiat = record.payment.display_currency;
    Ok(page_of(record, &page).into_iter().map(|deposit| render::deposit(deposit, fiat)).collect())
}

fn page_of<'a>(record: &'a PaymentWithDeposits, page: &Page) -> Vec<&'a Deposit> {
    let place = |id| record.deposits.iter().position(|deposit| deposit.id == id);
    let (above, below) = page.bounds();
    let from = above.and_then(place).map_or(0, |place| place + 1);
    let to = below.and_then(place).unwrap_or(record.deposits.len());
    let between = record.deposits.get(from..to).unwrap_or_default();
    let standing = between.iter().filter(|deposit| deposit.stands());
    let limit = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let newest = page.descending != page.is_backwards();
    let mut found: Vec<&Deposit> =
        if newest { standing.rev().take(limit).collect() } else { standing.take(limit).collect() };
    if page.is_backwards() {
        found.reverse();
    }
    found
}
