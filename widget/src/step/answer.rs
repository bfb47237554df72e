//! The gateway answers, or does not.

use checkout_core::wire::{Payment, PaymentStatus};

use crate::event::{Answer, Body, Reply};
use crate::line::{Flight, Purpose};
use crate::quote::{Quote, Refusal, quote};
use crate::state::{Notice, Open, Problem, Say, Screen, State};

pub(super) fn answered(state: &mut State, call: u32, answer: Answer) {
    let Some(flight) = state.line.land(call) else { return };
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
            state.line.slowed(state.now, pace, reply.retry_after);
            if flight.purpose == Purpose::Quote {
                notice(state, Notice::NotReached);
            }
        }
        400..=499 if flight.purpose == Purpose::Quote => {
            // The payment may have moved on meanwhile, so look at it at once.
            let closed = reply.status == 409;
            notice(state, if closed { Notice::Closed } else { Notice::NotPossible });
            state.line.due = Some(state.now);
        }
        400 | 403 | 422 if flight.purpose == Purpose::Open => {
            refused(state, flight.purpose, reply.request_id);
        }
        503 if flight.purpose == Purpose::Quote => {
            notice(state, Notice::NoRate);
            state.line.broke(state.now, reply.retry_after);
        }
        _ => {
            state.reference = reply.request_id;
            unanswered(state, flight.purpose, reply.retry_after);
        }
    }
}

fn took(state: &mut State, flight: Flight, reply: Reply) {
    match reply.body {
        Body::View(view) => {
            if state.locale.is_none() {
                state.locale = Some(view.payment.locale.clone());
            }
            match check(state, &view.payment) {
                Ok(quote) => {
                    state.open = Some(Open::new(*view, quote));
                    adopted(state);
                }
                Err(refusal) => {
                    state.open = Some(Open::new(*view, None));
                    refuse(state, refusal);
                }
            }
        }
        Body::Payment(payment) => {
            // What PATCH answers is newer than what the next GET would be compared with.
            state.line.etag = if flight.purpose == Purpose::Watch { reply.etag } else { None };
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
            state.line.refusals = 0;
            let pace = state.pace();
            state.line.held(state.now, pace);
        }
        Body::Empty | Body::Unreadable => {
            state.reference = reply.request_id;
            if state.open.is_none() {
                state.problem = Some(Problem::Unreadable);
            } else if flight.purpose == Purpose::Quote {
                notice(state, Notice::NotReached);
            }
            state.line.etag = None;
            state.line.broke(state.now, reply.retry_after);
        }
    }
}

fn check(state: &State, payment: &Payment) -> Result<Option<Quote>, Refusal> {
    let ours = state.session.as_ref().is_some_and(|session| session.payment_id == payment.payment_id);
    if ours { quote(payment) } else { Err(Refusal::Unreadable) }
}

fn adopted(state: &mut State) {
    (state.problem, state.reference, state.line.refusals) = (None, None, 0);
    let pace = state.pace();
    state.line.held(state.now, pace);
}

/// Nothing of such a payment may be drawn, not even what was drawn before.
fn refuse(state: &mut State, refusal: Refusal) {
    if let Some(open) = &mut state.open {
        open.quote = None;
    }
    state.problem = Some(match refusal {
        Refusal::Address => Problem::Refused,
        Refusal::Unreadable => Problem::Unreadable,
    });
    state.line.due = None;
}

/// The token was refused. A page that already shows the payment asks once more before it believes
/// it, and a receipt stays when its token has ended.
fn refused(state: &mut State, purpose: Purpose, request_id: Option<String>) {
    state.line.refusals = state.line.refusals.saturating_add(1);
    if matches!(state.screen(), Screen::Paid | Screen::Overpaid) {
        state.line.due = None;
    } else if purpose == Purpose::Watch && state.line.refusals < 2 {
        state.line.due = Some(state.now + 2_000);
    } else {
        state.problem = Some(Problem::Link);
        state.reference = request_id;
        state.line.due = None;
    }
}

fn unanswered(state: &mut State, purpose: Purpose, retry_after: Option<u32>) {
    let was_online = state.line.is_online();
    state.line.broke(state.now, retry_after);
    if state.open.is_none() {
        state.problem = Some(Problem::Unreachable);
    } else if purpose == Purpose::Quote {
        notice(state, Notice::NotReached);
    } else if was_online && !state.line.is_online() {
        super::say(state, Say::Offline);
    }
}

fn notice(state: &mut State, notice: Notice) {
    if let Some(open) = &mut state.open {
        open.notice = Some(notice);
    }
    super::say(state, Say::Notice);
}
