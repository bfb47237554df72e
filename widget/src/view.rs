//! Draws the view model, and decides nothing.

mod choose;
mod done;
mod expired;
mod icons;
pub mod node;
mod parts;
mod pay;
mod problem;
mod seen;

use crate::present::{Body, Connection, Countdown, Footer, Header, ViewModel};
use icons::sign;
use node::{Element, el};

/// The whole page.
pub fn draw(model: ViewModel) -> Element {
    // The first answer brings a page of its own: what was a placeholder does not move aside.
    let kind = if matches!(model.body, Body::Loading { .. }) { "placeholder" } else { "" };
    // Nor do the parts around a screen when another one takes its place.
    let header = model.header.map(|part| header(part).kind(model.screen));
    let card = el("div", "card").child_if(header).child(body(model.body, model.screen));
    el("main", if model.framed { "checkout framed" } else { "checkout" })
        .kind(kind)
        .attr("data-screen", model.screen)
        .child_if(model.sandbox.map(|text| el("p", "sandbox").child(sign("sandbox")).text(text)))
        .child(card)
        .child(connection(&model.connection))
        .child(footer(model.footer).kind(model.screen))
        .child(el("p", "offscreen").attr("role", "status").text_of(model.announcement))
}

fn body(body: Body, screen: &'static str) -> Element {
    let section = match body {
        Body::Loading { text } => loading(text),
        Body::Choose(choose) => choose::draw(choose),
        Body::Pay(pay) => pay::draw(*pay),
        Body::Seen(seen) => seen::draw(seen),
        Body::Done(done) => done::draw(done),
        Body::Expired(expired) => expired::draw(expired),
        Body::Problem(problem) => problem::draw(problem),
    };
    section.kind(screen)
}

/// As in the page before this widget runs, so that nothing changes when it does.
fn loading(text: &'static str) -> Element {
    let shape = ["line", "amount", "row", "row", "row", "row"];
    let bars = shape.into_iter().map(|class| el("i", class).attr("aria-hidden", "true"));
    el("section", "loading").child(el("div", "offscreen").child(heading().text(text))).children(bars)
}

/// The heading of a screen, to which the focus goes when the screen changes.
fn heading() -> Element {
    el("h1", "").attr("tabindex", "-1").attr("data-heading", "")
}

fn header(header: Header) -> Element {
    el("header", "order")
        .child(el("p", "order-merchant").text_of(header.pay_to))
        .child_if(header.fiat.map(|fiat| el("p", "order-fiat").text_of(fiat)))
        .child_if(header.countdown.map(countdown))
}

fn countdown(countdown: Countdown) -> Element {
    let seconds = countdown.seconds.map_or(String::new(), |seconds| seconds.to_string());
    let time = el("span", "countdown-time").attr("role", "timer").attr("aria-live", "off");
    el("p", if countdown.urgent { "countdown urgent" } else { "countdown" })
        .child(sign("clock"))
        .child(el("span", "countdown-label").text(countdown.label))
        .child(time.part_of("countdown", seconds).text_of(countdown.text))
}

fn connection(connection: &Connection) -> Element {
    el("p", "connection")
        .part("connection", if connection.online { "online" } else { "offline" })
        .child(sign("offline"))
        .child(el("span", "").text(connection.text))
}

fn footer(footer: Footer) -> Element {
    el("footer", "foot")
        .child_if(footer.not_translated.map(|text| el("p", "").text_of(text)))
        .child(parts::locale(footer.language_label, footer.language, &footer.languages))
}
