//! The query of `GET /api/v1/callbacks`, read and checked.

use checkout_domain::page::Page;
use checkout_domain::webhook::State;
use checkout_domain::webhook::filter::Filter;

use crate::requests::fields::Fields;
use crate::requests::page::{self, uuid};

/// Reads the query; all values are texts.
pub fn read(fields: &mut Fields) -> Option<(Filter, Page)> {
    let state = fields.word("status", State::KNOWN, State::known);
    let subject = uuid(fields, "subjectId");
    let created = page::created(fields);
    let page = page::read(fields);
    fields.is_valid().then_some((Filter { state, subject, created }, page))
}
