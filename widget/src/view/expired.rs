//! Screen `expired`.

use super::icons::sign;
use super::node::{Element, el};
use super::{heading, parts};
use crate::event::Act;
use crate::present::Expired;

pub(super) fn draw(expired: Expired) -> Element {
    let asking = expired.asking;
    let renew = |label| {
        let button = parts::button("button primary", Act::Renew)
            .part("new-quote", "")
            .child_if(asking.map(|_| sign("spinner")))
            .child(el("span", "").text(asking.unwrap_or(label)));
        let busy = asking.is_some();
        el("div", "actions").child(if busy { button.attr("aria-disabled", "true") } else { button })
    };
    el("section", "outcome")
        .child(el("span", "emblem warns").child(sign("clock")))
        .child(heading().text(expired.title))
        .child(el("p", "hint").text_of(expired.text))
        .child_if(expired.notice.map(parts::notice))
        .child_if(expired.renew.map(renew))
        .child(parts::way_back(expired.way_back, "button"))
        .child_if(parts::deposits(expired.deposits))
        .child(parts::status(expired.status))
}
