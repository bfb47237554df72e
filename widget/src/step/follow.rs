//! The state that follows from the payment and the time.

use core::mem::replace;

use checkout_core::Amount;
use checkout_wire::claim_refund::ClaimStatus;
use checkout_wire::rules::{StatusInputs, status};
use checkout_wire::{Payment, PaymentStatus};

use crate::opened::{Opened, kind};
use crate::page::Page;
use crate::quote::{Quote, Refusal, quote, received, remaining};
use crate::screen::Problem;
use crate::state::{Choosing, Expired, Failed, Finished, Leaving, Paying, Request, State, Watching};

/// Derives the state again. The payer's changes on a screen stay while the screen stays. A problem stays
/// until an answer or the payer ends it.
pub(super) fn follow(page: &mut Page) {
    let window_over = page.shared.millis_left() == Some(0);
    let again = page.shared.url.again();
    let Some(opened) = &mut page.shared.opened else { return };
    if matches!(page.state, State::Failed(_)) {
        return;
    }
    let old = replace(&mut page.state, State::Opening);
    page.state = match quote(opened) {
        Ok(quote) => {
            opened.status = shown_status(&opened.payment, quote.as_ref(), window_over);
            next(opened, quote, again, old)
        }
        // No part of it may be shown.
        Err(refusal) => State::Failed(Failed { problem: refusal.into(), reference: None }),
    };
}

/// Derives the state from the payment alone, leaving a screen that the payer opened.
pub(super) fn follow_anew(page: &mut Page) {
    page.state = State::Opening;
    follow(page);
}

/// `again` is the number of deposits of a reusable payment after which the payer wants to pay once more.
fn next(opened: &Opened, quote: Option<Quote>, again: Option<usize>, old: State) -> State {
    let old = match old {
        State::Choosing(choosing) if choosing.again && opened.may_choose() => {
            return State::Choosing(choosing);
        }
        old => old,
    };
    match (opened.status, quote) {
        (PaymentStatus::New, _) => State::Choosing(match old {
            State::Choosing(choosing) => choosing,
            old => Choosing { request: request(old), ..Choosing::default() },
        }),
        (PaymentStatus::Pending, None) => {
            State::Failed(Failed { problem: Problem::Unreadable, reference: None })
        }
        (PaymentStatus::Pending, Some(quote)) if opened.payment.deposits.is_empty() => {
            State::Paying(paying(Paying::whole(quote), old))
        }
        (PaymentStatus::Pending | PaymentStatus::Awaiting, quote) => {
            match quote.as_ref().and_then(|quote| remaining(opened, quote)).zip(quote.clone()) {
                Some(((arrived, due), quote)) => {
                    State::Paying(paying(Paying { arrived: Some(arrived), due, ..Paying::whole(quote) }, old))
                }
                None => State::Watching(Watching { quote }),
            }
        }
        (PaymentStatus::Expired, quote) => State::Expired(Expired { quote, request: request(old) }),
        (PaymentStatus::Deposited, Some(quote))
            if opened.is_reusable() && again == Some(opened.payment.deposits.len()) =>
        {
            State::Paying(paying(Paying::whole(quote), old))
        }
        (PaymentStatus::Deposited | PaymentStatus::Overpaid, quote) => {
            let twice = opened.payment.deposits.iter().any(|deposit| opened.is_follow_up(deposit));
            let leaving = match old {
                // The payer reads what becomes of the second transfer.
                State::Finished(finished) if !twice => finished.leaving,
                _ => Leaving::NotYet,
            };
            let overpaid = opened.status == PaymentStatus::Overpaid;
            State::Finished(Finished { quote, overpaid, twice, returning: is_returning(opened), leaving })
        }
    }
}

fn is_returning(opened: &Opened) -> bool {
    use ClaimStatus::{Approved, Asked, Sent};
    opened.claims.iter().any(|claim| matches!(claim.status.known(), Some(Asked | Approved | Sent)))
}

/// Keeps the payer's changes on the screen for the same address, and notes changes that the payer did not
/// cause.
fn paying(new: Paying, old: State) -> Paying {
    match old {
        State::Paying(old) if old.quote.is_same_place(&new.quote) => {
            let Paying { qr_mode, hand_over, changed_elsewhere, wallet, .. } = old;
            Paying { qr_mode, hand_over, changed_elsewhere, wallet, ..new }
        }
        State::Paying(_) => Paying { changed_elsewhere: true, ..new },
        _ => new,
    }
}

fn request(old: State) -> Request {
    match old {
        State::Choosing(choosing) => choosing.request,
        State::Expired(expired) => expired.request,
        _ => Request::default(),
    }
}

fn shown_status(payment: &Payment, quote: Option<&Quote>, window_over: bool) -> PaymentStatus {
    use PaymentStatus::{Awaiting, Deposited, Expired, New, Overpaid, Pending};
    match payment.status.known() {
        Some(said @ (Deposited | Overpaid | Expired)) => said,
        Some(said @ (New | Pending | Awaiting)) if !window_over => said,
        Some(New | Pending | Awaiting) | None => derived_status(payment, quote, window_over),
    }
}

/// The status computed from the facts on this page.
fn derived_status(payment: &Payment, quote: Option<&Quote>, window_over: bool) -> PaymentStatus {
    let received = quote.and_then(|quote| received(payment, quote));
    if !payment.deposits.is_empty() && received.is_none() {
        return PaymentStatus::Awaiting;
    }
    status(&StatusInputs {
        kind: kind(payment),
        requested: quote.is_some(),
        expected: quote.map(|quote| quote.amount),
        received: received.unwrap_or_default(),
        // The gateway applies the tolerance of the business; this page only predicts the end of the window.
        tolerance: Amount::ZERO,
        window_over,
    })
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Address => Self::Refused,
            Refusal::Unreadable => Self::Unreadable,
        }
    }
}
