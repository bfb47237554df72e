//! The query of `GET /api/v1/ledger`, read and checked.

use checkout_domain::ledger::filter::LedgerFilter;
use checkout_domain::page::Page;

use crate::requests::fields::Fields;
use crate::requests::page;

/// Reads the query; all values are texts.
pub fn read(fields: &mut Fields) -> Option<(LedgerFilter, Page)> {
    let payment = page::payment(fields);
    let booked = page::created(fields);
    let page = page::read(fields);
    fields.is_valid().then_some((LedgerFilter { payment, booked }, page))
}
