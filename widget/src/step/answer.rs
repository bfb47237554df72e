//! Handles the answers of the gateway, and missing ones.

use checkout_wire::Payment;
use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::update_payment::UpdatedPayment;

use super::follow::{follow, follow_anew};
use crate::clock::Millis;
use crate::connection::{InFlight, LONGEST_WAIT, Purpose};
use crate::event::{Answer, Body, Reply};
use crate::opened::Opened;
use crate::page::{Page, Say};
use crate::screen::{Notice, Problem};
use crate::state::{Failed, State};

pub(super) fn answered(page: &mut Page, call: u32, answer: Answer) {
    let Some(flight) = page.shared.connection.land(call) else { return };
    if let Some(request) = page.state.request_mut() {
        request.asking = None;
    }
    let Answer::Reply(reply) = answer else { return unanswered(page, flight.purpose, None) };
    let now = page.shared.now;
    if let Some(time) = reply.server_time {
        page.shared.clock.learn(flight.since, now, time);
    }
    match reply.status {
        200 | 304 => accept_answer(page, flight, *reply),
        401 | 404 => refused(page, flight.purpose, reply.request_id),
        429 => {
            page.shared.connection.slowed(now, page.state.pace(), reply.retry_after);
            if flight.purpose == Purpose::Quote {
                notice(page, Notice::NotReached);
            }
        }
        400..=499 if flight.purpose == Purpose::Quote => {
            // The payment may have changed, so read it again at once.
            let closed = reply.status == 409;
            notice(page, if closed { Notice::Closed } else { Notice::NotPossible });
            page.shared.connection.due = Some(now);
        }
        400 | 403 | 422 if flight.purpose == Purpose::Open => {
            refused(page, flight.purpose, reply.request_id);
        }
        503 if flight.purpose == Purpose::Quote => {
            notice(page, Notice::NoRate);
            // It asks to wait for a rate or a network, and not because the gateway is busy.
            page.shared.connection.failed(now, None);
        }
        _ => {
            unanswered(page, flight.purpose, reply.retry_after);
            if let State::Failed(failed) = &mut page.state {
                failed.reference = reply.request_id;
            }
        }
    }
}

fn accept_answer(page: &mut Page, flight: InFlight, reply: Reply) {
    match reply.body {
        Body::View(view) if is_older(page, &view) => {
            page.shared.connection.etag = None;
            accept_unchanged(page);
        }
        Body::View(view) => {
            page.shared.connection.etag = reply.etag;
            opened(page, *view, reply.request_id);
        }
        Body::Chosen(chosen) => {
            // It is newer than the stored ETag.
            page.shared.connection.etag = None;
            accept_choice(page, *chosen, reply.request_id);
        }
        Body::Empty if reply.status == 304 => accept_unchanged(page),
        Body::Empty | Body::Unreadable => {
            if page.shared.opened.is_none() {
                fail(page, Problem::Unreadable, reply.request_id);
            } else if flight.purpose == Purpose::Quote {
                notice(page, Notice::NotReached);
            }
            page.shared.connection.etag = None;
            page.shared.connection.failed(page.shared.now, reply.retry_after);
        }
    }
}

/// An answer of the gateway that does not change the payment.
fn accept_unchanged(page: &mut Page) {
    if page.state.problem() == Some(Problem::Link) {
        follow_anew(page);
    }
    succeeded(page);
}

/// Whether an answer is older than the page. Version 0 is that of a gateway without versions.
fn is_older(page: &Page, view: &CheckoutView) -> bool {
    let shown = page.shared.opened.as_ref();
    view.version != 0 && shown.is_some_and(|opened| view.version < opened.version)
}

/// Handles the payment and the choices, at the start and later.
pub(super) fn opened(page: &mut Page, view: CheckoutView, request_id: Option<String>) {
    let ours = is_ours(page, &view.payment);
    let status = page.shared.opened.as_ref().map(|opened| &opened.payment.status);
    if status.is_some_and(|status| *status != view.payment.status)
        && let Some(request) = page.state.request_mut()
    {
        request.notice = None;
    }
    if page.state.problem().is_some() {
        page.state = State::Opening;
    }
    page.shared.opened = Some(Opened::new(view));
    show_payment(page, ours, request_id);
}

/// Handles the answer to the payer's choice.
fn accept_choice(page: &mut Page, chosen: UpdatedPayment, request_id: Option<String>) {
    let ours = is_ours(page, &chosen.payment_info);
    let Some(opened) = page.shared.opened.as_mut() else { return };
    if ours {
        opened.take_choice(chosen);
    }
    page.state = State::Opening;
    show_payment(page, ours, request_id);
}

fn is_ours(page: &Page, payment: &Payment) -> bool {
    page.shared.session.as_ref().is_some_and(|session| payment.payment_id == *session.payment_id)
}

/// Shows the payment that was read, or the reason why it cannot be shown.
fn show_payment(page: &mut Page, ours: bool, request_id: Option<String>) {
    if ours {
        follow(page);
    } else {
        fail(page, Problem::Unreadable, None);
    }
    if let State::Failed(failed) = &mut page.state {
        failed.reference = request_id;
        // A later answer may be valid.
        page.shared.connection.etag = None;
        page.shared.connection.due = Some(page.shared.now + LONGEST_WAIT);
    } else {
        succeeded(page);
    }
}

fn succeeded(page: &mut Page) {
    page.shared.connection.succeeded(page.shared.now, page.state.pace());
}

pub(super) fn fail(page: &mut Page, problem: Problem, reference: Option<String>) {
    page.state = State::Failed(Failed { problem, reference });
}

/// Handles a refused token. A page that already shows the payment keeps showing it for a minute, and a receipt stays.
/// Every page keeps polling.
pub(super) fn refused(page: &mut Page, purpose: Purpose, request_id: Option<String>) {
    let now = page.shared.now;
    if matches!(page.state, State::Finished(_)) {
        return page.shared.connection.retired(now);
    }
    let refused_for = page.shared.connection.refused(now);
    if page.shared.opened.is_none() || refused_for >= BELIEVED_AFTER {
        fail(page, Problem::Link, request_id);
    } else if purpose == Purpose::Quote {
        notice(page, Notice::NotReached);
    }
}

/// How long a token must be refused before the page shows the problem.
const BELIEVED_AFTER: Millis = 60_000;

pub(super) fn unanswered(page: &mut Page, purpose: Purpose, retry_after: Option<u32>) {
    page.shared.connection.failed(page.shared.now, retry_after);
    if page.shared.opened.is_none() {
        fail(page, Problem::Unreachable, None);
    } else if purpose == Purpose::Quote {
        notice(page, Notice::NotReached);
    }
}

fn notice(page: &mut Page, notice: Notice) {
    if let Some(request) = page.state.request_mut() {
        request.notice = Some(notice);
        page.shared.say(Say::Notice);
    }
}
