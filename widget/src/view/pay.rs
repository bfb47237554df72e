//! Screens `pay` and `partial`.

use std::cell::RefCell;

use super::heading;
use super::icons::{coin, network, sign};
use super::node::{Element, el};
use super::parts::{button, copy_button, isolated, notice, sentence, status};
use crate::event::Act;
use crate::present::{Address, AmountLine, Help, Pay, Qr, Tag, Wallet};
use crate::qr;

pub(super) fn draw(pay: Pay) -> Element {
    let pair = el("span", "pair")
        .child(coin(pay.currency.code()))
        .child_if(pay.network.map(|emblem| network(emblem.code())));
    let send_only = |element: Element| element.child(pair).child(sentence(pay.send_only));
    let head = el("div", "pay-head");
    let head = match pay.arrived {
        None => head.child(send_only(heading().attr("class", "send-only"))),
        Some(arrived) => head
            .child(heading().text(arrived.title))
            .child(el("p", "hint").text_of(arrived.text))
            .child(send_only(el("p", "send-only"))),
    };
    let facts = el("div", "facts")
        .child(amount(pay.amount))
        .child(address(pay.address))
        .child_if(pay.tag.map(tag))
        .child_if(pay.copy_failed.map(notice));
    let (code, switch) = code(pay.qr);
    let scan = el("div", "scan").child(code).child_if(switch).child_if(pay.wallet.map(wallet));
    let change = |label| button("quiet", Act::ChangeCurrency).part("change-currency", "").text(label);
    let foot = el("div", "pay-foot")
        .child(status(pay.status))
        .child(help(pay.help))
        .child_if(pay.change_currency.map(change));
    el("section", "pay").child(head).child(facts).child(scan).child(foot)
}

fn amount(amount: AmountLine) -> Element {
    let value = isolated("").part_of(amount.part, amount.value.clone()).text_of(amount.value);
    let code = el("span", "amount-code").text(amount.code);
    let line = el("p", amount.class).child(value).text(" ").child(code);
    fact("fact", el("p", "label").text(amount.label), line, copy_button(amount.copy))
}

fn address(address: Address) -> Element {
    let value = isolated("address").part_of("address", address.value);
    let value = address
        .groups
        .into_iter()
        .fold(value, |value, group| value.child(el("span", "").text_of(group)).child(el("wbr", "")));
    fact("fact", el("p", "label").text(address.label), value, copy_button(address.copy))
}

fn tag(tag: Tag) -> Element {
    let label = el("p", "label")
        .child(sign("warning"))
        .child(el("span", "").text(tag.label))
        .child(el("span", "badge").text(tag.required));
    let value = isolated("tag-value").part_of("tag", tag.value.clone()).text_of(tag.value);
    let warning = el("p", "tag-warning").text_of(tag.warning);
    fact("fact tag", label, value, copy_button(tag.copy)).child(warning)
}

fn fact(class: &'static str, label: Element, value: Element, copy: Element) -> Element {
    el("div", class).child(label).child(el("div", "fact-row").child(value).child(copy))
}

fn code(qr: Qr) -> (Element, Option<Element>) {
    let drawing = el("div", "qr").attr("role", "img").attr_of("aria-label", qr.label);
    let drawing = drawing.markup(svg(&qr.payload)).part_of("qr", qr.payload);
    let switch = qr.switch.map(|label| {
        button("switch", Act::SwitchQr)
            .part("qr-mode", qr.mode)
            .attr("role", "switch")
            .attr("aria-checked", if qr.mode == "amount" { "true" } else { "false" })
            .child(el("span", "switch-track").attr("aria-hidden", "true"))
            .child(el("span", "").text(label))
    });
    (drawing, switch)
}

thread_local! {
    static LAST: RefCell<(String, String)> = const { RefCell::new((String::new(), String::new())) };
}

/// The drawing of `payload`, computed once while it stays the same.
fn svg(payload: &str) -> String {
    LAST.with_borrow_mut(|(last, drawing)| {
        if last != payload {
            *drawing = qr::draw(payload).map(|code| code.to_svg()).unwrap_or_default();
            payload.clone_into(last);
        }
        drawing.clone()
    })
}

fn wallet(wallet: Wallet) -> Element {
    el("a", "button")
        .part("open-wallet", "")
        .attr_of("href", wallet.href)
        .attr("target", "_blank")
        .attr("rel", "noopener noreferrer")
        .child(sign("wallet"))
        .child(el("span", "").text(wallet.label))
}

fn help(help: Help) -> Element {
    let summary = el("summary", "").child(el("span", "").text(help.question)).child(sign("chevron-down"));
    el("details", "help").child(summary).child(el("p", "").text_of(help.answer))
}
