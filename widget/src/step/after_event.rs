//! Effects of the new state after any event: due calls, messages to the host, announcements, the redirect to the
//! merchant, and the next wake.

use checkout_core::Currency;

use super::{choose, say};
use crate::clock::Millis;
use crate::connection::{CALL_LOST, CALL_SLOW, Purpose};
use crate::effect::{Call, Effect};
use crate::event::What;
use crate::host;
use crate::state::{Leaving, Problem, Say, Screen, State};

/// The state before the event.
pub(super) struct Before {
    stage: (Screen, Option<Currency>),
    online: bool,
    asked: bool,
    /// The page already shows what the server drew.
    given: bool,
}

impl Before {
    pub(super) fn of(state: &State, event: &What) -> Self {
        let quoting = state.connection.in_flight.is_some_and(|flight| flight.purpose == Purpose::Quote);
        let asked = match event {
            What::Answered { .. } => quoting,
            What::Did(_) => true,
            _ => false,
        };
        let given = matches!(event, What::Started { given: Some(_), .. });
        Self { stage: stage(state), online: state.connection.is_online(state.now), asked, given }
    }
}

fn stage(state: &State) -> (Screen, Option<Currency>) {
    (state.screen(), state.open.as_ref().and_then(|open| open.chosen))
}

/// How long the page shows that the payment is complete before it redirects to the merchant.
pub(crate) const LEAVES_AFTER: Millis = 5_000;

/// The marks of the countdown that are announced, in seconds.
const MARKS: [u64; 3] = [180, 60, 30];

pub(super) fn after_event(state: &mut State, before: &Before, effects: &mut Vec<Effect>) {
    offer(state, effects);
    changed(state, before, effects);
    announce(state, before);
    leave(state, effects);
    call(state, effects);
    for event in host::news(state) {
        effects.extend(state.host.peer.clone().map(|peer| Effect::TellHost { peer, event }));
    }
    effects.push(Effect::Wake { after: wake(state).saturating_sub(state.now) });
}

/// Skips the choice when there is only one offer.
fn offer(state: &mut State, effects: &mut Vec<Effect>) {
    if state.screen() != Screen::Choose {
        return;
    }
    let Some(open) = &state.open else { return };
    match open.offers.as_slice() {
        [] => (state.problem, state.connection.due) = (Some(Problem::NothingOffered), None),
        [only] if !open.choosing_again && open.asking.is_none() && open.notice.is_none() => {
            choose::ask(state, only.pair, effects);
        }
        _ => {}
    }
}

fn changed(state: &mut State, before: &Before, effects: &mut Vec<Effect>) {
    let after = stage(state);
    if after == before.stage {
        return;
    }
    if after.0 != before.stage.0 {
        let pace = state.pace();
        state.connection.refresh(state.now, pace);
        if !before.given {
            say(state, Say::Screen);
        }
        if after.0 == Screen::Expired {
            // This page computed the end by itself; the gateway may know more.
            state.connection.hurry(state.now, pace);
        }
    }
    if before.stage.0 != Screen::Loading {
        effects.push(Effect::Focus { asked: before.asked });
    }
}

fn announce(state: &mut State, before: &Before) {
    let left = if state.counts_down() { state.seconds_left() } else { None };
    if let (Some(now), Some(last)) = (left, state.last_left)
        && MARKS.iter().any(|mark| now <= *mark && *mark < last)
    {
        say(state, Say::SecondsLeft(now));
    }
    state.last_left = left;
    match (before.online, state.connection.is_online(state.now)) {
        (true, false) => say(state, Say::Offline),
        (false, true) => say(state, Say::Online),
        _ => {}
    }
    state.announcement = state.announcement.filter(|saying| saying.until > state.now);
    state.copied = state.copied.filter(|copied| copied.until > state.now);
}

/// Redirects to the merchant, once, unless the page is embedded: an embedding page redirects itself.
fn leave(state: &mut State, effects: &mut Vec<Effect>) {
    let complete = state.screen().is_complete();
    match state.leaving {
        Leaving::NotYet
            if complete && !state.url.framed && !state.connection.hidden && state.way_back().is_some() =>
        {
            state.leaving = Leaving::At(state.now + LEAVES_AFTER);
        }
        Leaving::At(_) if !complete => state.leaving = Leaving::NotYet,
        Leaving::At(at) if at <= state.now => {
            effects.extend(state.way_back().map(|url| Effect::Leave(url.to_owned())));
            state.leaving = Leaving::Gone;
        }
        _ => {}
    }
}

fn call(state: &mut State, effects: &mut Vec<Effect>) {
    let due = state.connection.due.is_some_and(|due| due <= state.now);
    let (Some(session), None, true) = (&state.session, state.connection.in_flight, due) else { return };
    let (purpose, path) = if state.open.is_some() {
        (Purpose::Watch, "/api/v1/payments/")
    } else {
        (Purpose::Open, "/api/v1/checkout/")
    };
    effects.push(Effect::Call(Call {
        id: state.connection.start(purpose, state.now),
        purpose,
        method: "GET",
        path: [&session.base, path, &session.payment_id].concat(),
        token: session.token.clone(),
        etag: state.connection.etag.clone().filter(|_| purpose == Purpose::Watch),
        body: None,
    }));
}

/// The earliest time at which anything on the page changes without an event.
fn wake(state: &State) -> Millis {
    let call = match state.connection.in_flight {
        Some(call) if state.now < call.since + CALL_SLOW => Some(call.since + CALL_SLOW),
        Some(call) => Some(call.since + CALL_LOST),
        None => state.connection.due,
    };
    let leaving = match state.leaving {
        // The page shows the remaining seconds.
        Leaving::At(at) => Some(state.now + until_next_second(at.saturating_sub(state.now))),
        _ => None,
    };
    let left =
        state.millis_left().filter(|left| *left > 0 && state.counts_down() && !state.connection.hidden);
    let ticks = left.map(|left| state.now + until_next_second(left));
    let ends = state.millis_left().filter(|left| *left > 0).map(|left| state.now + left);
    let words = [state.announcement.map(|saying| saying.until), state.copied.map(|copied| copied.until)];
    // Also every 20 seconds, to detect that the device slept.
    let idle = state.now + 20_000;
    [call, leaving, ticks, ends, words[0], words[1]].into_iter().flatten().fold(idle, Millis::min)
}

/// The time until `left` milliseconds display as one second less.
fn until_next_second(left: Millis) -> Millis {
    left % 1_000 + 1
}
