//! Screen `problem`.

use super::icons::sign;
use super::node::{Element, el};
use super::{heading, parts};
use crate::event::Act;
use crate::present::ProblemView;

pub(super) fn draw(problem: ProblemView) -> Element {
    let icon = if problem.retrying { "offline" } else { "warning" };
    let actions = el("div", "actions")
        .child_if(problem.retry.map(|label| parts::button("button primary", Act::Retry).text(label)))
        .child_if(problem.way_back.map(|to| parts::link("button", to)));
    el("section", "outcome")
        .attr("data-problem", problem.code)
        .child(el("span", "emblem bad").child(sign(icon)))
        .child(heading().text(problem.title))
        .child(el("p", "hint").text(problem.text))
        .child(actions)
        .child_if(problem.reference.map(|text| el("p", "reference").text_of(text)))
}
