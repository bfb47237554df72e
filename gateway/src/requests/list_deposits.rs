//! The query of `GET /api/v1/deposits`, read and checked.

use checkout_domain::page::Page;
use checkout_domain::payment::deposit_filter::DepositFilter;
use checkout_wire::payment::DepositStatus;

use crate::requests::fields::Fields;
use crate::requests::page;
use crate::requests::search::transactions;

/// Reads the query; all values are texts.
pub fn read(fields: &mut Fields) -> Option<(DepositFilter, Page)> {
    let payment = page::payment(fields);
    let status = fields.word("status", DepositStatus::KNOWN, DepositStatus::known);
    let is_held = fields.parsed("held", "wrong_type", "must be true or false");
    let currency = fields.currency("currency");
    let network = fields.network();
    let transactions = transactions(fields);
    let seen = page::created(fields);
    let page = page::read(fields);
    let is_confirmed = status.map(|status| status == DepositStatus::Confirmed);
    let filter = DepositFilter { payment, is_confirmed, is_held, currency, network, transactions, seen };
    fields.is_valid().then_some((filter, page))
}
