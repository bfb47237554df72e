//! The state machine: the only code that makes decisions.

mod after_event;
mod answer;
mod choose;
mod start;

use crate::connection::Purpose;
use crate::effect::Effect;
use crate::event::{Act, Event, HostMessage, What};
use crate::host::{self, HostEvent};
use crate::state::{Announcement, Copied, Field, Leaving, Problem, QrMode, Say, State};

/// Returns the state after `event`, and the effects for the browser to run.
///
/// The effects always contain an [`Effect::Wake`], so that the page never stops polling by accident.
pub fn step(mut state: State, event: Event) -> (State, Vec<Effect>) {
    let mut effects = Vec::new();
    // Read before the time is updated, because time alone can change the screen.
    let before = after_event::Before::of(&state, &event.what);
    state.now = state.now.max(event.at);
    match event.what {
        What::Started { url, given } => start::start(&mut state, url, given, &mut effects),
        What::Woke { wall } => woke(&mut state, wall),
        What::Answered { call, answer } => answer::answered(&mut state, call, answer),
        What::Returned => returned(&mut state),
        What::Hidden => state.connection.hidden = true,
        What::Online => {
            state.connection.unplugged = false;
            look_now(&mut state);
        }
        What::Offline => state.connection.unplugged = true,
        What::Did(act) => did(&mut state, act, &mut effects),
        What::Copied { field, done } => copied(&mut state, field, done),
        What::Resized(height) => state.host.height = Some(height),
        What::Message(greeting) => greeted(&mut state, &greeting, &mut effects),
    }
    after_event::after_event(&mut state, &before, &mut effects);
    (state, effects)
}

fn did(state: &mut State, act: Act, effects: &mut Vec<Effect>) {
    match act {
        Act::ChooseCurrency(currency) => choose::currency(state, currency, effects),
        Act::ChooseNetwork(network) => choose::network(state, network, effects),
        Act::GoBack => choose::back(state),
        Act::ChangeCurrency => choose::again(state),
        Act::Renew => choose::renew(state, effects),
        Act::Retry => retry(state, effects),
        Act::SwitchQr => switch_qr(state),
        Act::Copy(field) => copy(state, field, effects),
        Act::Stay => state.leaving = Leaving::Stays,
        Act::Close => close(state, effects),
        Act::SwitchLocale(tag) => {
            state.locale = Some(tag.to_owned());
            effects.push(Effect::ShowAddress(state.url.with_locale(tag)));
        }
    }
}

/// How long an announcement stays, in milliseconds.
const SAID_FOR: u64 = 6_000;

/// If the device's clock and the page's differ by more than this since the last wake, the device slept.
const SLEPT: u64 = 4_000;

fn woke(state: &mut State, wall: u64) {
    let elapsed = state.now - state.woke_at;
    let slept = state.wall.is_some_and(|before| wall.abs_diff(before + elapsed) > SLEPT);
    (state.wall, state.woke_at) = (Some(wall), state.now);
    if slept {
        // Only an answer shows how long.
        state.clock.forget();
        look_now(state);
        state.connection.due = state.connection.due.map(|_| state.now);
    }
    let lost =
        state.connection.in_flight.filter(|flight| state.now - flight.since >= crate::connection::CALL_LOST);
    if let Some(flight) = lost {
        answer::answered(state, flight.id, crate::event::Answer::None);
    }
}

fn returned(state: &mut State) {
    state.connection.hidden = false;
    look_now(state);
}

/// Polls at once because the payer or the network is back. A call in flight may be dead and is replaced.
fn look_now(state: &mut State) {
    let old =
        state.connection.in_flight.filter(|f| f.purpose != Purpose::Quote && state.now - f.since > 2_000);
    if let Some(flight) = old {
        state.connection.land(flight.id);
        state.connection.due = Some(state.now);
    }
    let pace = state.pace();
    state.connection.hurry(state.now, pace);
}

fn retry(state: &mut State, effects: &mut Vec<Effect>) {
    if state.problem == Some(Problem::Unreadable) {
        effects.push(Effect::Reload);
    }
    if state.connection.due.is_some() {
        state.connection.due = Some(state.now);
    }
}

fn switch_qr(state: &mut State) {
    let Some(open) = &mut state.open else { return };
    let Some(code) = open.code().filter(|code| code.can_switch) else { return };
    open.qr_mode = Some(match code.mode {
        QrMode::Amount => QrMode::Address,
        QrMode::Address => QrMode::Amount,
    });
}

fn copy(state: &State, field: Field, effects: &mut Vec<Effect>) {
    let Some(open) = &state.open else { return };
    let Some(quote) = &open.quote else { return };
    let text = match field {
        Field::Amount => open.due().map(|due| due.to_text(quote.pair.decimals)),
        Field::Address => Some(quote.address.clone()),
        Field::Tag => quote.tag.as_ref().map(ToString::to_string),
    };
    effects.extend(text.map(|text| Effect::Copy { field, text }));
}

fn copied(state: &mut State, field: Field, done: bool) {
    let until = state.now + if done { 2_500 } else { 10_000 };
    state.copied = Some(Copied { field, done, until });
    say(state, Say::Copied { field, done });
}

fn close(state: &State, effects: &mut Vec<Effect>) {
    if let Some(peer) = &state.host.peer {
        effects.push(Effect::TellHost { peer: peer.clone(), event: HostEvent::Close });
    }
}

fn greeted(state: &mut State, greeting: &HostMessage, effects: &mut Vec<Effect>) {
    let Some(peer) = host::welcome(state, greeting) else { return };
    state.host.meet(peer.clone());
    effects.push(Effect::TellHost { peer, event: HostEvent::Ready });
}

fn say(state: &mut State, what: Say) {
    state.announcement = Some(Announcement { what, until: state.now + SAID_FOR });
}
