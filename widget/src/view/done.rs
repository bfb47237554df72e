//! Screens `paid` and `overpaid`.

use super::icons::sign;
use super::node::{Element, el};
use super::{heading, parts};
use crate::present::{Done, Row};

pub(super) fn draw(done: Done) -> Element {
    let status = el("span", "offscreen").part_of("status", done.status.value).text(done.status.text);
    let note = |text| {
        let note = el("p", "notice").part("refund", "").child(sign("warning"));
        note.child(el("span", "").text_of(text))
    };
    el("section", "outcome")
        .child(el("span", "emblem good").child(sign("check")))
        .child(heading().text(done.title))
        .child(el("p", "hint").text_of(done.text))
        .child(parts::way_back(done.way_back, "button primary"))
        .child(el("dl", "rows").children(done.rows.into_iter().map(row)))
        .child_if(done.excess_note.map(note))
        .child_if(parts::deposits(done.deposits))
        .child(status)
}

fn row(row: Row) -> Element {
    let value = el("dd", "");
    let value = if row.code { value.child(parts::code(row.value)) } else { value.text_of(row.value) };
    el("div", if row.code { "long" } else { "" }).child(el("dt", "").text(row.label)).child(value)
}
