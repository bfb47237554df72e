//! What several screens are made of.

use super::icons::sign;
use super::node::{Element, el};
use crate::event::Act;
use crate::present::{CopyButton, DepositLine, Link, RefundLine, Return, Sentence, Span, Status};
use crate::state::Field;
use crate::words::translated;

/// A sentence with the asset and the network as facts of their own.
pub(super) fn sentence(sentence: Sentence) -> Element {
    sentence.into_iter().fold(el("span", ""), |drawn, span| match span {
        Span::Text(text) => drawn.text_of(text),
        Span::Asset { code } => drawn.child(el("strong", "").part("currency", code).text(code)),
        Span::Network { code, name } => drawn.child(el("strong", "").part("network", code).text_of(name)),
    })
}

pub(super) fn button(class: &'static str, act: Act) -> Element {
    el("button", class).attr("type", "button").click(act)
}

pub(super) fn copy_button(button: CopyButton) -> Element {
    let part = match button.field {
        Field::Amount => "copy-amount",
        Field::Address => "copy-address",
        Field::Tag => "copy-tag",
    };
    let (class, icon, result) = match button.done {
        None => ("copy", "copy", ""),
        Some(true) => ("copy done", "check", "done"),
        Some(false) => ("copy failed", "warning", "failed"),
    };
    self::button(class, Act::Copy(button.field))
        .part(part, result)
        .attr_of("aria-label", button.label)
        .child(sign(icon))
        .child(el("span", "").text(button.text))
}

/// The line that says how the payment stands.
pub(super) fn status(status: Status) -> Element {
    el("p", "status")
        .part_of("status", status.value)
        .child(sign("spinner"))
        .child(el("span", "").text(status.text))
}

pub(super) fn notice(text: &'static str) -> Element {
    el("p", "notice").child(sign("warning")).child(el("span", "").text(text))
}

/// An address or a transaction: never translated, never turned around, broken anywhere.
pub(super) fn code(text: String) -> Element {
    isolated("code").text_of(text)
}

pub(super) fn isolated(class: &'static str) -> Element {
    el("bdi", class).attr("dir", "ltr").attr("translate", "no")
}

pub(super) fn deposits(deposits: Vec<DepositLine>) -> Option<Element> {
    (!deposits.is_empty()).then(|| el("ul", "deposits").children(deposits.into_iter().map(deposit)))
}

fn deposit(deposit: DepositLine) -> Element {
    let (class, icon) = if deposit.confirmed { ("badge good", "check") } else { ("badge", "clock") };
    let head = el("p", "deposit-head")
        .child(el("span", "").text_of(deposit.amount))
        .child(el("span", class).child(sign(icon)).text(deposit.status));
    el("li", "deposit")
        .child(head)
        .child(el("p", "deposit-fact").text_of(deposit.time))
        .child(fact(deposit.transaction_label, deposit.transaction))
        .child_if(deposit.refund.map(refund))
}

fn fact(label: &'static str, value: String) -> Element {
    el("p", "deposit-fact").text(label).text(" ").child(code(value))
}

fn refund(refund: RefundLine) -> Element {
    el("div", "refund")
        .part_of("refund", refund.value)
        .child(el("p", "").text_of(refund.text))
        .children(refund.facts.into_iter().map(|(label, value)| fact(label, value)))
}

pub(super) fn link(class: &'static str, link: Link) -> Element {
    el("a", class)
        .part("return", "")
        .attr_of("href", link.href)
        .attr("target", "_top")
        .attr("rel", "noreferrer")
        .child(el("span", "").text_of(link.label))
        .child(sign("arrow-right"))
}

/// The way back to the merchant.
pub(super) fn way_back(way_back: Return, class: &'static str) -> Element {
    let close = |label| button(class, Act::Close).part("return", "").text(label);
    let leaving = way_back.leaving.zip(way_back.stay).map(|(leaving, stay)| {
        let stay = button("quiet", Act::Stay).text(stay);
        el("p", "leaving").child(el("span", "").text_of(leaving)).child(stay)
    });
    el("div", "actions")
        .child_if(way_back.link.map(|to| link(class, to)))
        .child_if(way_back.close.map(close))
        .child_if(leaving)
}

/// The language of the page; a choice when there are several.
pub(super) fn locale(
    label: &'static str,
    current: &'static str,
    languages: &[(&'static str, &'static str)],
) -> Element {
    if let [(_, name)] = languages {
        return el("p", "").child(el("span", "").part("locale", current).text(name));
    }
    let option = |(tag, name): &(&'static str, &'static str)| {
        let option = el("option", "").attr("value", tag).attr("lang", tag).text(name);
        if *tag == current { option.attr("selected", "") } else { option }
    };
    let select = el("select", "")
        .attr("aria-label", label)
        .part("locale", current)
        .select(|tag| translated().find(|language| language.tag == tag).map(|l| Act::SwitchLocale(l.tag)))
        .children(languages.iter().map(option));
    el("p", "locale").child(select).child(sign("chevron-down"))
}
