//! The state machine: the only code that makes decisions.

mod after_event;
mod answer;
mod choose;
mod embedding;
mod follow;
mod start;

use checkout_core::uri;

use crate::clock::Millis;
use crate::connection::{CALL_LOST, Purpose};
use crate::effect::Effect;
use crate::event::{Act, Answer, Event, What};
use crate::host::HostEvent;
use crate::host::HostMessage;
use crate::page::{Announcement, Page, Say, Shared};
use crate::quote::Quote;
use crate::screen::{Field, Problem, QrMode};
use crate::state::{Copied, Leaving, State, WalletCall};

/// Returns the page after `event`, and the effects for the browser to run.
///
/// The effects always contain an [`Effect::Wake`], so that the page never stops polling.
pub fn step(mut page: Page, event: Event) -> (Page, Vec<Effect>) {
    let mut effects = Vec::new();
    // Read before the time is updated, because time alone can change the screen.
    let before = after_event::Before::of(&page, &event.what);
    page.shared.now = page.shared.now.max(event.at);
    match event.what {
        What::Started { url, given } => start::start(&mut page, url, given, &mut effects),
        What::Woke { wall } => woke(&mut page, wall),
        What::Answered { call, answer } => answer::answered(&mut page, call, answer),
        What::Returned => returned(&mut page),
        What::Hidden => {
            page.shared.connection.hidden = true;
            hid(&mut page);
        }
        What::WalletMissing => wallet_missing(&mut page),
        What::Online => {
            page.shared.connection.unplugged = false;
            look_now(&mut page);
        }
        What::Offline => page.shared.connection.unplugged = true,
        What::Did { act, pressed } => did(&mut page, act, pressed, &mut effects),
        What::Painted => page.shared.settles_at = page.shared.now + SETTLES_AFTER,
        What::Copied { field, done } => copied(&mut page, field, done),
        What::Resized(height) => page.shared.host.height = Some(height),
        What::Message(greeting) => greeted(&mut page, &greeting, &mut effects),
    }
    follow::follow(&mut page);
    after_event::after_event(&mut page, &before, &mut effects);
    (page, effects)
}

/// How long presses decide nothing after the controls have changed: longer than between the clicks of a double click.
const SETTLES_AFTER: Millis = 500;

/// A page handles a press at most this much later. A browser that gives wrong times cannot block presses longer.
const HANDLED_WITHIN: Millis = 5_000;

fn did(page: &mut Page, act: Act, pressed: Millis, effects: &mut Vec<Effect>) {
    // The second click of a double click, or a finger on its way while the screen changed.
    let now = page.shared.now;
    let pressed = pressed.clamp(now.saturating_sub(HANDLED_WITHIN), now);
    if pressed < page.shared.settles_at && act != Act::Close {
        return;
    }
    match act {
        Act::ChooseCurrency(currency) => choose::currency(page, currency, effects),
        Act::ChooseNetwork(network) => choose::network(page, network, effects),
        Act::GoBack => choose::back(page),
        Act::ChangeCurrency => choose::again(page),
        Act::Renew => choose::renew(page, effects),
        Act::Retry => retry(page, effects),
        Act::SwitchQr => switch_qr(page),
        Act::OpenWallet => open_wallet(page, effects),
        Act::Copy(field) => copy(page, field, effects),
        Act::HandOver => hand_over(page),
        Act::Print => effects.push(Effect::Print),
        Act::Share => share(page, effects),
        Act::Stay => stay(page),
        Act::Close => close(page, effects),
    }
}

/// How long an announcement stays, in milliseconds.
const SAID_FOR: u64 = 6_000;

/// If the device's clock and the page's clock diverge by more than this since the last wake, the device
/// slept.
const SLEPT: u64 = 4_000;

fn woke(page: &mut Page, wall: u64) {
    let shared = &mut page.shared;
    let elapsed = shared.now - shared.woke_at;
    let slept = shared.wall.is_some_and(|before| wall.abs_diff(before + elapsed) > SLEPT);
    (shared.wall, shared.woke_at) = (Some(wall), shared.now);
    if slept {
        // Only an answer shows for how long.
        shared.clock.forget();
        look_now(page);
        page.shared.connection.due = page.shared.connection.due.map(|_| page.shared.now);
    }
    let now = page.shared.now;
    let lost = page.shared.connection.in_flight.filter(|flight| now - flight.since >= CALL_LOST);
    if let Some(flight) = lost {
        answer::answered(page, flight.id, Answer::None);
    }
}

fn returned(page: &mut Page) {
    page.shared.connection.hidden = false;
    look_now(page);
}

/// Polls at once because the payer or the network is back. Replaces a call in flight, which may be dead.
fn look_now(page: &mut Page) {
    let Shared { now, connection, .. } = &mut page.shared;
    let old = connection.in_flight.filter(|f| f.purpose != Purpose::Quote && *now - f.since > 2_000);
    if let Some(flight) = old {
        connection.land(flight.id);
        connection.due = Some(*now);
    }
    connection.hurry(*now, page.state.pace());
}

fn retry(page: &mut Page, effects: &mut Vec<Effect>) {
    if page.state.problem() == Some(Problem::Unreadable) {
        effects.push(Effect::Reload);
    }
    let Shared { now, connection, .. } = &mut page.shared;
    connection.due = connection.due.map(|_| *now);
}

fn switch_qr(page: &mut Page) {
    let State::Paying(paying) = &mut page.state else { return };
    let code = paying.code();
    if code.can_switch {
        paying.qr_mode = Some(match code.mode {
            QrMode::Amount => QrMode::Address,
            QrMode::Address => QrMode::Amount,
        });
    }
}

/// A wallet comes to the front sooner than this.
const WALLET_OPENS_WITHIN: u64 = 2_000;

fn open_wallet(page: &mut Page, effects: &mut Vec<Effect>) {
    let State::Paying(paying) = &mut page.state else { return };
    let Quote { pair, address, tag, .. } = &paying.quote;
    let links = uri::wallet_links(pair, address, tag.as_ref(), paying.due);
    if let Some(link) = links.into_iter().find(|link| link.wallet.is_none()) {
        effects.push(Effect::OpenWallet(link.url));
        paying.wallet = Some(WalletCall::Until(page.shared.now + WALLET_OPENS_WITHIN));
    }
}

/// Said with this event.
fn wallet_missing(page: &mut Page) {
    if let State::Paying(paying) = &mut page.state {
        paying.wallet = Some(WalletCall::Until(page.shared.now));
    }
}

/// The payer sees a wallet, or another tab.
fn hid(page: &mut Page) {
    if let State::Paying(paying) = &mut page.state {
        paying.wallet = None;
    }
}

fn hand_over(page: &mut Page) {
    if let State::Paying(paying) = &mut page.state {
        paying.hand_over = !paying.hand_over;
    }
}

/// A receipt as a text: who was paid, for what, and the transactions.
fn share(page: &Page, effects: &mut Vec<Effect>) {
    let (State::Finished(_), Some(opened)) = (&page.state, &page.shared.opened) else { return };
    let payment = &opened.payment;
    let mut text = [&payment.client_payment_id, "\n", &payment.actual_display_amount, " "].concat();
    text.push_str(&payment.display_currency);
    for deposit in &payment.deposits {
        let line =
            ["\n", &deposit.deposit_amount, " ", &deposit.deposit_currency, " ", &deposit.transaction_id];
        text.push_str(&line.concat());
    }
    effects.push(Effect::Share { title: opened.merchant.clone(), text });
}

fn copy(page: &Page, field: Field, effects: &mut Vec<Effect>) {
    let text = match (&page.state, field) {
        (_, Field::Reference) => {
            page.shared.opened.as_ref().map(|opened| opened.payment.client_payment_id.to_string())
        }
        (State::Paying(paying), Field::Amount) => Some(paying.due.to_text(paying.quote.pair.decimals)),
        (State::Paying(paying), Field::Address) => Some(paying.quote.address.clone()),
        (State::Paying(paying), Field::Tag) => paying.quote.tag.as_ref().map(ToString::to_string),
        (State::Finished(_), Field::Transaction) => {
            let deposits = page.shared.opened.iter().flat_map(|opened| &opened.payment.deposits);
            deposits.map(|deposit| deposit.transaction_id.clone()).next()
        }
        _ => None,
    };
    effects.extend(text.map(|text| Effect::Copy { field, text }));
}

fn copied(page: &mut Page, field: Field, done: bool) {
    let until = page.shared.now + if done { 2_500 } else { 10_000 };
    page.shared.copied = Some(Copied { field, done, until });
    page.shared.say(Say::Copied { field, done });
}

fn stay(page: &mut Page) {
    if let State::Finished(finished) = &mut page.state {
        finished.leaving = Leaving::Stays;
    }
}

fn close(page: &Page, effects: &mut Vec<Effect>) {
    if let Some(peer) = &page.shared.host.peer {
        effects.push(Effect::TellHost { peer: peer.clone(), event: HostEvent::Close });
    }
}

fn greeted(page: &mut Page, greeting: &HostMessage, effects: &mut Vec<Effect>) {
    let Some(peer) = embedding::welcome(&page.shared, greeting) else { return };
    page.shared.host.meet(peer.clone());
    effects.push(Effect::TellHost { peer, event: HostEvent::Ready });
}

impl Shared {
    fn say(&mut self, what: Say) {
        self.announcement = Some(Announcement { what, until: self.now + SAID_FOR });
    }
}
