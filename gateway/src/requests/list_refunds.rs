//! The query of `GET /api/v1/refunds`, read and checked.

use checkout_domain::page::Page;
use checkout_domain::payment::refund_filter::RefundFilter;
use checkout_wire::payment::RefundWait;
use checkout_wire::refunds::RefundState;

use crate::requests::fields::Fields;
use crate::requests::page;

/// Reads the query; all values are texts.
pub fn read(fields: &mut Fields) -> Option<(RefundFilter, Page)> {
    let payment = page::payment(fields);
    let client_refund_id = fields.text("clientRefundId");
    let status = fields.word("status", RefundState::KNOWN, RefundState::known);
    let waits = fields.word("waitingFor", RefundWait::KNOWN, RefundWait::known);
    let currency = fields.currency("currency");
    let network = fields.network();
    let created = page::created(fields);
    let page = page::read(fields);
    let filter = RefundFilter { payment, client_refund_id, status, waits, currency, network, created };
    fields.is_valid().then_some((filter, page))
}
