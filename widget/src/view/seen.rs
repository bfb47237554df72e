//! Screen `seen`.

use super::icons::sign;
use super::node::{Element, el};
use super::{heading, parts};
use crate::present::Seen;

pub(super) fn draw(seen: Seen) -> Element {
    el("section", "outcome")
        .child(el("span", "emblem").child(sign("clock")))
        .child(heading().text(seen.title))
        .child(el("p", "hint").text_of(seen.text))
        .child(parts::status(seen.status))
        .child_if(parts::deposits(seen.deposits))
        .child(el("p", "hint").text_of(seen.hint))
}
