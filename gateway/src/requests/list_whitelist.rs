//! The query of `GET /api/v1/whitelist-addresses`, read and checked. Interface section 4.6.

use checkout_domain::page::Page;
use checkout_domain::withdrawal::whitelist::WhitelistFilter;

use crate::requests::fields::Fields;
use crate::requests::page::{self, uuid};

/// Reads the query; all values are texts.
pub fn read(fields: &mut Fields) -> Option<(WhitelistFilter, Page)> {
    let (id, client_address_id) = (uuid(fields, "id"), fields.text("clientAddressId"));
    let currency = fields.currency("currency");
    let label = fields.text("label");
    let page = page::read(fields);
    fields.is_valid().then_some((WhitelistFilter { id, client_address_id, currency, label }, page))
}
