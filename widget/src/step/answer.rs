//! Handles the answers of the gateway, and missing ones.

use checkout_core::wire::Payment;
use checkout_core::wire::checkout_view::CheckoutView;

use super::follow::{follow, follow_anew};
use crate::connection::{InFlight, LONGEST_WAIT, Purpose};
use crate::event::{Answer, Body, Reply};
use crate::page::{Opened, Page, Say};
use crate::state::{Failed, Notice, Problem, State};

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
        200 | 304 => took(page, flight, *reply),
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
            page.shared.connection.failed(now, reply.retry_after);
        }
        _ => {
            unanswered(page, flight.purpose, reply.retry_after);
            if let State::Failed(failed) = &mut page.state {
                failed.reference = reply.request_id;
            }
        }
    }
}

fn took(page: &mut Page, flight: InFlight, reply: Reply) {
    match reply.body {
        Body::View(view) => opened(page, *view, reply.request_id),
        Body::Payment(payment) => {
            // The answer of PATCH is newer than the stored ETag.
            page.shared.connection.etag = if flight.purpose == Purpose::Watch { reply.etag } else { None };
            if page.shared.opened.is_some() {
                took_payment(page, *payment, flight.purpose, reply.request_id);
            }
        }
        Body::Empty if reply.status == 304 => {
            page.shared.connection.refusals = 0;
            if page.state.problem().is_some() {
                follow_anew(page);
            }
            succeeded(page);
        }
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

/// Handles the first answer: the payment and the choices.
pub(super) fn opened(page: &mut Page, view: CheckoutView, request_id: Option<String>) {
    let ours = is_ours(page, &view.payment);
    page.shared.opened = Some(Opened::new(view));
    page.state = State::Opening;
    adopted(page, ours, request_id);
}

fn took_payment(page: &mut Page, payment: Payment, purpose: Purpose, request_id: Option<String>) {
    let ours = is_ours(page, &payment);
    if ours && let Some(opened) = &mut page.shared.opened {
        if payment.status != opened.payment.status
            && let Some(request) = page.state.request_mut()
        {
            request.notice = None;
        }
        opened.payment = payment;
    }
    if purpose == Purpose::Quote || page.state.problem().is_some() {
        page.state = State::Opening;
    }
    adopted(page, ours, request_id);
}

fn is_ours(page: &Page, payment: &Payment) -> bool {
    page.shared.session.as_ref().is_some_and(|session| session.payment_id == payment.payment_id)
}

/// Shows the payment that was read, or the reason why it cannot be shown.
fn adopted(page: &mut Page, ours: bool, request_id: Option<String>) {
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
        page.shared.connection.refusals = 0;
        succeeded(page);
    }
}

fn succeeded(page: &mut Page) {
    page.shared.connection.succeeded(page.shared.now, page.state.pace());
}

pub(super) fn fail(page: &mut Page, problem: Problem, reference: Option<String>) {
    page.state = State::Failed(Failed { problem, reference });
}

/// Handles a refused token. A page that already shows the payment keeps showing it for about a minute, and a receipt
/// stays. Every page keeps polling.
pub(super) fn refused(page: &mut Page, purpose: Purpose, request_id: Option<String>) {
    page.shared.connection.refused(page.shared.now);
    let receipt = matches!(page.state, State::Finished(_));
    if !receipt && (purpose != Purpose::Watch || page.shared.connection.refusals > BELIEVED_AFTER) {
        fail(page, Problem::Link, request_id);
    }
}

/// The number of consecutive refusals, about a minute, before the page shows the problem.
const BELIEVED_AFTER: u8 = 5;

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
    }
    page.shared.say(Say::Notice);
}
