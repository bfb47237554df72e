//! The query of `GET /api/v1/whitelist-addresses`, read and checked. Interface section 4.6.

use checkout_domain::page;
use checkout_domain::withdrawal::whitelist::Page;

use crate::requests::fields::Fields;
use crate::requests::page::{self as cursors, uuid};

/// Reads the query; all values are texts.
pub fn read(fields: &mut Fields) -> Option<Page> {
    let (id, client_address_id) = (uuid(fields, "id"), fields.text("clientAddressId"));
    let currency = fields.currency("currency");
    let label = fields.text("label");
    let page::Page { after, before, descending, limit } = cursors::read(fields);
    let page = Page { id, client_address_id, currency, label, after, before, descending, limit };
    fields.is_valid().then_some(page)
}
