//! Effects of the new state after any event: due calls, messages to the host, announcements, the redirect to the
//! merchant, and the next wake.

use checkout_core::{Currency, Network, Pair};

use super::embedding;
use super::{answer, choose};
use crate::clock::Millis;
use crate::connection::{CALL_LOST, CALL_SLOW, Purpose};
use crate::effect::{Call, Effect};
use crate::event::What;
use crate::opened::Opened;
use crate::page::{Page, Say};
use crate::screen::{Notice, Problem, Screen};
use crate::state::{Leaving, Paying, State, WalletCall};

/// The state before the event.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(super) struct Before {
    stage: (Screen, Option<Currency>),
    layout: Layout,
    /// `None` until the payment is known.
    vanished: Option<bool>,
    online: bool,
    asked: bool,
    /// The page already shows the server's rendering.
    given: bool,
    /// The page was not drawn yet.
    starting: bool,
}

impl Before {
    pub(super) fn of(page: &Page, event: &What) -> Self {
        let quoting = page.shared.connection.in_flight.is_some_and(|flight| flight.purpose == Purpose::Quote);
        let asked = match event {
            What::Answered { .. } => quoting,
            What::Did { .. } => true,
            _ => false,
        };
        let given = matches!(event, What::Started { given: Some(_), .. });
        let online = page.shared.connection.is_online(page.shared.now);
        let vanished = page.shared.opened.as_ref().map(|opened| opened.transfer_vanished);
        let starting = matches!(event, What::Started { .. });
        Self { stage: stage(&page.state), layout: layout(page), vanished, online, asked, given, starting }
    }
}

/// Everything that decides where the controls of a screen are, and what they do: the screen, the currency whose networks are listed,
/// where is paid to, and the messages above.
type Layout = (Screen, Option<Currency>, Option<Destination>, Option<Notice>, bool);

/// The currency, the network and the address.
type Destination = (Currency, Network, String);

fn layout(page: &Page) -> Layout {
    let Page { state, shared } = page;
    let paid = match state {
        State::Paying(Paying { quote, .. }) => {
            Some((quote.pair.currency, quote.pair.network, quote.address.clone()))
        }
        _ => None,
    };
    let notice = state.request().and_then(|request| request.notice);
    (state.screen(), state.chosen(), paid, notice, shared.connection.is_told(shared.now))
}

/// Presses decide nothing until the changed controls are painted. A browser that does not say when cannot block them
/// longer than this.
const PAINTED_WITHIN: Millis = 3_000;

fn stage(state: &State) -> (Screen, Option<Currency>) {
    (state.screen(), state.chosen())
}

/// How long the page shows that the payment is complete before it redirects to the merchant.
pub(crate) const LEAVES_AFTER: Millis = 5_000;

/// The marks of the countdown that are announced, in seconds.
const MARKS: [u64; 3] = [180, 60, 30];

pub(super) fn after_event(page: &mut Page, before: &Before, effects: &mut Vec<Effect>) {
    offer(page, before, effects);
    changed(page, before, effects);
    tell_news(page, before);
    settle(page, before, effects);
    announce(page, before);
    leave(page, effects);
    call(page, effects);
    for event in embedding::news(page) {
        effects.extend(page.shared.host.peer.clone().map(|peer| Effect::TellHost { peer, event }));
    }
    effects.push(Effect::Wake { after: wake(page).saturating_sub(page.shared.now) });
}

/// Skips the choice if there is only one offer, once the page is drawn.
fn offer(page: &mut Page, before: &Before, effects: &mut Vec<Effect>) {
    let (State::Choosing(_), Some(opened)) = (&page.state, &page.shared.opened) else { return };
    if opened.offers.is_empty() {
        page.shared.connection.due = None;
        answer::fail(page, Problem::NothingOffered, None);
    } else if let Some(pair) = only_offer(page).filter(|_| !before.starting) {
        choose::ask(page, pair, effects);
    }
}

/// The offer that needs no choice, in a frame that is seen: the merchant's page opened it. Elsewhere the gateway has taken
/// it if a person opened the page, and a robot with a script must not.
fn only_offer(page: &Page) -> Option<&'static Pair> {
    let (State::Choosing(choosing), Some(opened)) = (&page.state, &page.shared.opened) else { return None };
    let idle = choosing.request.asking.is_none() && choosing.request.notice.is_none() && !choosing.again;
    let seen = page.shared.url.framed && !page.shared.connection.hidden;
    match opened.offers.as_slice() {
        [only] if idle && seen => Some(only.pair),
        _ => None,
    }
}

fn changed(page: &mut Page, before: &Before, effects: &mut Vec<Effect>) {
    let after = stage(&page.state);
    if after == before.stage {
        return;
    }
    if after.0 != before.stage.0 {
        page.shared.connection.refresh(page.shared.now, page.state.pace());
        if !before.given {
            page.shared.say(Say::Screen);
        }
        if after.0 == Screen::Expired {
            // This page computed the end itself; the gateway may have newer data.
            page.shared.connection.hurry(page.shared.now, page.state.pace());
        }
    }
    if before.stage.0 != Screen::Loading {
        effects.push(Effect::Focus { asked: before.asked });
    }
}

/// Announces news from elsewhere as what it is, and not as the screen that it leads to.
fn tell_news(page: &mut Page, before: &Before) {
    let vanished = page.shared.opened.as_ref().is_some_and(|opened| opened.transfer_vanished);
    if vanished && before.vanished == Some(false) {
        return page.shared.say(Say::Vanished);
    }
    let (_, _, was, ..) = &before.layout;
    let (_, _, is, ..) = layout(page);
    if let State::Paying(Paying { changed_elsewhere: true, .. }) = &page.state
        && was.is_some()
        && *was != is
    {
        page.shared.say(Say::Changed);
    }
}

fn settle(page: &mut Page, before: &Before, effects: &mut Vec<Effect>) {
    if layout(page) == before.layout {
        return;
    }
    page.shared.copied = None;
    if !before.given {
        page.shared.settles_at = page.shared.now + PAINTED_WITHIN;
        effects.push(Effect::ReportPaint);
    }
}

fn announce(page: &mut Page, before: &Before) {
    let left = if page.counts_down() { page.shared.seconds_left() } else { None };
    let shared = &mut page.shared;
    if let (Some(now), Some(last)) = (left, shared.last_left)
        && MARKS.iter().any(|mark| now <= *mark && *mark < last)
    {
        shared.say(Say::SecondsLeft(now));
    }
    shared.last_left = left;
    match (before.online, shared.connection.is_online(shared.now)) {
        (true, false) => shared.say(Say::Offline),
        (false, true) => shared.say(Say::Online),
        _ => {}
    }
    shared.announcement = shared.announcement.filter(|saying| saying.until > shared.now);
    shared.copied = shared.copied.filter(|copied| copied.until > shared.now);
    if let State::Paying(paying) = &mut page.state
        && let Some(WalletCall::Until(at)) = paying.wallet
        && at <= shared.now
    {
        paying.wallet = Some(WalletCall::Missing);
        shared.say(Say::NoWallet);
    }
}

/// Redirects to the merchant, once, unless the page is embedded: an embedding page redirects itself.
fn leave(page: &mut Page, effects: &mut Vec<Effect>) {
    let State::Finished(finished) = &mut page.state else { return };
    let shared = &page.shared;
    let has_claims = shared.opened.as_ref().is_some_and(Opened::has_claims);
    match (finished.leaving, shared.way_back()) {
        (Leaving::NotYet, Some(_))
            if !finished.twice && !has_claims && !shared.url.framed && !shared.connection.hidden =>
        {
            finished.leaving = Leaving::At(shared.now + LEAVES_AFTER);
        }
        (Leaving::At(_), None) => finished.leaving = Leaving::NotYet,
        (Leaving::At(at), Some(url)) if at <= shared.now => {
            effects.push(Effect::Leave(url.to_owned()));
            finished.leaving = Leaving::Gone;
        }
        _ => {}
    }
}

/// How long the page waits after it asked for an amount of now.
const RENEWS_EVERY: Millis = 60_000;

fn call(page: &mut Page, effects: &mut Vec<Effect>) {
    let shared = &mut page.shared;
    let due = shared.connection.due.is_some_and(|due| due <= shared.now);
    let (Some(session), None, true) = (&shared.session, shared.connection.in_flight, due) else { return };
    if let State::Paying(Paying { arrived: None, quote, .. }) = &page.state
        && shared.renews_at <= shared.now
        && !shared.connection.hidden
        && shared.is_stale()
    {
        shared.renews_at = shared.now + RENEWS_EVERY;
        return choose::request(shared, quote.pair, effects);
    }
    let purpose = if shared.opened.is_some() { Purpose::Watch } else { Purpose::Open };
    effects.push(Effect::Call(Call {
        id: shared.connection.start(purpose, shared.now),
        purpose,
        method: "GET",
        path: [&session.base, "/api/v1/checkout/", &session.payment_id].concat(),
        token: session.token.clone(),
        etag: shared.connection.etag.clone(),
        body: None,
    }));
}

/// The earliest time at which the page changes without an event.
fn wake(page: &Page) -> Millis {
    let Page { state, shared } = page;
    let now = shared.now;
    let call = match shared.connection.in_flight {
        Some(call) if now < call.since + CALL_SLOW => Some(call.since + CALL_SLOW),
        Some(call) => Some(call.since + CALL_LOST),
        None => shared.connection.due,
    };
    let own = match state {
        // The page shows the remaining seconds.
        State::Finished(finished) => match finished.leaving {
            Leaving::At(at) => Some(now + until_next_second(at.saturating_sub(now))),
            _ => None,
        },
        State::Paying(paying) => match paying.wallet {
            Some(WalletCall::Until(at)) => Some(at),
            _ => None,
        },
        _ => None,
    };
    let left = shared.millis_left().filter(|left| *left > 0);
    let ticks = left.filter(|_| page.counts_down() && !shared.connection.hidden);
    let ticks = ticks.map(|left| now + until_next_second(left));
    let ends = left.map(|left| now + left);
    let said = shared.announcement.map(|saying| saying.until);
    let copied = shared.copied.map(|copied| copied.until);
    let settles = shared.is_settling().then_some(shared.settles_at);
    let takes = only_offer(page).map(|_| now);
    // Also every 20 seconds, to detect that the device slept.
    let idle = now + 20_000;
    [call, own, ticks, ends, said, copied, settles, takes].into_iter().flatten().fold(idle, Millis::min)
}

/// The time until `left` milliseconds display as one second less.
fn until_next_second(left: Millis) -> Millis {
    left % 1_000 + 1
}
