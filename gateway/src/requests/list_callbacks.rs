//! The query of `GET /api/v1/callbacks`, read and checked.

use checkout_domain::callback::filter::CallbackFilter;
use checkout_domain::callback::{Kind, State};
use checkout_domain::page::Page;

use crate::events;
use crate::requests::fields::Fields;
use crate::requests::page::{self, uuid};

/// Reads the query; all values are texts.
pub fn read(fields: &mut Fields) -> Option<(CallbackFilter, Page)> {
    let state = fields.word("status", State::KNOWN, State::known);
    let kind = event(fields);
    let subject = uuid(fields, "subjectId");
    let created = page::created(fields);
    let page = page::read(fields);
    fields.is_valid().then_some((CallbackFilter { state, kind, subject, created }, page))
}

fn event(fields: &mut Fields) -> Option<Kind> {
    let name = fields.text("event")?;
    let kind = events::named(&name).map(|listed| listed.about.kind.clone());
    fields
        .accept("event", kind.ok_or_else(|| ("unknown_value", format!("must be one of {}", events::names()))))
}
