//! Handles the answers of the gateway, and missing ones.

use checkout_core::wire::checkout_view::CheckoutView;
use checkout_core::wire::{Payment, PaymentStatus};

use crate::connection::{InFlight, LONGEST_WAIT, Purpose};
use crate::event::{Answer, Body, Reply};
use crate::quote::{Quote, Refusal, quote};
use crate::state::{Notice, Open, Problem, Say, Screen, State};

pub(super) fn answered(state: &mut State, call: u32, answer: Answer) {
    let Some(flight) = state.connection.land(call) else { return };
    if let Some(open) = &mut state.open {
        open.asking = None;
    }
    let Answer::Reply(reply) = answer else { return unanswered(state, flight.purpose, None) };
    if let Some(time) = reply.server_time {
        state.clock.learn(flight.since, state.now, time);
    }
    match reply.status {
        200 | 304 => took(state, flight, *reply),
        401 | 404 => refused(state, flight.purpose, reply.request_id),
        429 => {
            let pace = state.pace();
            state.connection.slowed(state.now, pace, reply.retry_after);
            if flight.purpose == Purpose::Quote {
                notice(state, Notice::NotReached);
            }
        }
        400..=499 if flight.purpose == Purpose::Quote => {
            // The payment may have changed, so read it again at once.
            let closed = reply.status == 409;
            notice(state, if closed { Notice::Closed } else { Notice::NotPossible });
            state.connection.due = Some(state.now);
        }
        400 | 403 | 422 if flight.purpose == Purpose::Open => {
            refused(state, flight.purpose, reply.request_id);
        }
        503 if flight.purpose == Purpose::Quote => {
            notice(state, Notice::NoRate);
            state.connection.failed(state.now, reply.retry_after);
        }
        _ => {
            state.reference = reply.request_id;
            unanswered(state, flight.purpose, reply.retry_after);
        }
    }
}

fn took(state: &mut State, flight: InFlight, reply: Reply) {
    match reply.body {
        Body::View(view) => opened(state, *view),
        Body::Payment(payment) => {
            // The answer of PATCH is newer than the stored ETag.
            state.connection.etag = if flight.purpose == Purpose::Watch { reply.etag } else { None };
            let checked = check(state, &payment);
            let Some(open) = &mut state.open else { return };
            if flight.purpose == Purpose::Quote {
                (open.choosing_again, open.chosen, open.qr_mode) = (false, None, None);
            }
            if payment.status != open.payment.status {
                open.notice = None;
            }
            match checked {
                Ok(quote) => {
                    (open.payment, open.quote) = (*payment, quote);
                    if !open.is_choosing() && open.payment.status != PaymentStatus::New {
                        (open.choosing_again, open.chosen) = (false, None);
                    }
                    adopted(state);
                }
                Err(refusal) => refuse(state, refusal),
            }
        }
        Body::Empty if reply.status == 304 => {
            state.connection.refusals = 0;
            let pace = state.pace();
            state.connection.succeeded(state.now, pace);
        }
        Body::Empty | Body::Unreadable => {
            state.reference = reply.request_id;
            if state.open.is_none() {
                state.problem = Some(Problem::Unreadable);
            } else if flight.purpose == Purpose::Quote {
                notice(state, Notice::NotReached);
            }
            state.connection.etag = None;
            state.connection.failed(state.now, reply.retry_after);
        }
    }
}

/// Handles the first answer: the payment and the choices.
pub(super) fn opened(state: &mut State, view: CheckoutView) {
    if state.locale.is_none() {
        state.locale = Some(view.payment.locale.clone());
    }
    match check(state, &view.payment) {
        Ok(quote) => {
            state.open = Some(Open::new(view, quote));
            adopted(state);
        }
        Err(refusal) => {
            state.open = Some(Open::new(view, None));
            refuse(state, refusal);
        }
    }
}

fn check(state: &State, payment: &Payment) -> Result<Option<Quote>, Refusal> {
    let ours = state.session.as_ref().is_some_and(|session| session.payment_id == payment.payment_id);
    if ours { quote(payment) } else { Err(Refusal::Unreadable) }
}

fn adopted(state: &mut State) {
    (state.problem, state.reference, state.connection.refusals) = (None, None, 0);
    let pace = state.pace();
    state.connection.succeeded(state.now, pace);
}

/// Removes the quote of a payment that failed the checks: no part of it may be drawn, not even an earlier one.
fn refuse(state: &mut State, refusal: Refusal) {
    if let Some(open) = &mut state.open {
        open.quote = None;
    }
    state.problem = Some(match refusal {
        Refusal::Address => Problem::Refused,
        Refusal::Unreadable => Problem::Unreadable,
    });
    // A later answer may be valid.
    state.connection.due = Some(state.now + LONGEST_WAIT);
}

/// Handles a refused token. A page that already shows the payment keeps showing it for about a minute, and a receipt
/// stays. Every page keeps polling.
pub(super) fn refused(state: &mut State, purpose: Purpose, request_id: Option<String>) {
    state.connection.refused(state.now);
    let receipt = matches!(state.screen(), Screen::Paid | Screen::Overpaid);
    if !receipt && (purpose != Purpose::Watch || state.connection.refusals > BELIEVED_AFTER) {
        state.problem = Some(Problem::Link);
        state.reference = request_id;
    }
}

/// The number of consecutive refusals, about a minute, before the page shows the problem.
const BELIEVED_AFTER: u8 = 5;

pub(super) fn unanswered(state: &mut State, purpose: Purpose, retry_after: Option<u32>) {
    let was_online = state.connection.is_online(state.now);
    state.connection.failed(state.now, retry_after);
    if state.open.is_none() {
        state.problem = Some(Problem::Unreachable);
    } else if purpose == Purpose::Quote {
        notice(state, Notice::NotReached);
    } else if was_online && !state.connection.is_online(state.now) {
        super::say(state, Say::Offline);
    }
}

fn notice(state: &mut State, notice: Notice) {
    if let Some(open) = &mut state.open {
        open.notice = Some(notice);
    }
    super::say(state, Say::Notice);
}
