//! The query of `GET /api/v1/payments`, read and checked.

use checkout_domain::chain::environment::Environments;
use checkout_domain::page::Page;
use checkout_domain::payment::filter::PaymentFilter;
use checkout_domain::payment::note_words::words;
use checkout_wire::PaymentStatus;

use crate::requests::fields::Fields;
use crate::requests::search::{addresses, amounts, transactions};
use crate::requests::{notes, page};

/// Reads the query; all values are texts.
pub fn read(fields: &mut Fields, environments: &Environments) -> Option<(PaymentFilter, Page)> {
    let client_payment_id = fields.text("clientPaymentId");
    let status = fields.word("status", PaymentStatus::KNOWN, PaymentStatus::known);
    let currency = fields.currency("currency");
    let network = fields.network();
    let tag = fields.text("destinationTag");
    let (addresses, inside) = addresses(fields, network, environments).unzip();
    let tag = tag.or(inside.flatten());
    if tag.is_some() && addresses.is_none() {
        fields.error("destinationTag", "required", "needs the address that it belongs to");
    }
    let transactions = transactions(fields);
    let amounts = amounts(fields);
    let description = fields.text("description");
    let words = description.map(|text| words(&text).into_iter().collect()).unwrap_or_default();
    let metadata = notes::entry(fields);
    let created = page::created(fields);
    let page = page::read(fields);
    let filter = PaymentFilter {
        client_payment_id,
        status,
        currency,
        network,
        addresses,
        tag,
        transactions,
        amounts,
        words,
        metadata,
        created,
    };
    fields.is_valid().then_some((filter, page))
}
