//! Status of a payment: passes the stored facts to the core, which decides the status.

use checkout_core::Amount;
use checkout_core::Decimal;
use checkout_core::payment::{self as rules, Received, StatusInputs};
use checkout_core::wire::{PaymentStatus, PaymentType};

use crate::domain::payment::deposit::Deposit;
use crate::domain::payment::{Quote, Record};

/// Returns the status at `now`, from the facts alone.
pub fn status_at(record: &Record, now: u64) -> PaymentStatus {
    let payment = &record.payment;
    rules::status(&StatusInputs {
        kind: payment.kind.clone(),
        requested: payment.quote.is_some(),
        expected: payment.quote.as_ref().map(|quote| quote.terms.expected),
        received: received(record),
        window_over: payment.window_is_over(now),
    })
}

/// Returns whether the payment is paid. Further deposits are follow-ups.
pub fn is_settled(status: &PaymentStatus) -> bool {
    matches!(status, PaymentStatus::Deposited | PaymentStatus::Overpaid)
}

/// Updates the stored status from the facts. Returns true if it changed.
pub fn refresh_status(record: &mut Record, now: u64) -> bool {
    let next = status_at(record, now);
    if next == record.payment.status {
        return false;
    }
    match (is_settled(&record.payment.status), is_settled(&next)) {
        (false, true) => record.payment.settled_at = Some(now),
        (true, false) => record.payment.settled_at = None,
        _ => {}
    }
    record.payment.status = next;
    true
}

/// Returns the amounts that count for the status, in atoms of the quote. Follow-up deposits of ONE_TIME payments do not
/// count.
pub fn received(record: &Record) -> Received {
    let payment = &record.payment;
    let Some(quote) = &payment.quote else { return Received::default() };
    let mut received = Received::default();
    for deposit in record.standing_deposits().filter(|deposit| !is_follow_up(record, quote, deposit)) {
        let sum = if deposit.is_confirmed() { &mut received.confirmed } else { &mut received.unconfirmed };
        *sum = plus(*sum, deposit.covers(payment, quote));
    }
    received
}

/// Returns whether confirmed deposits already covered a ONE_TIME payment when this deposit was first seen.
pub fn is_follow_up(record: &Record, quote: &Quote, deposit: &Deposit) -> bool {
    if record.payment.kind == PaymentType::Reusable {
        return false;
    }
    let earlier = record.standing_deposits().filter(|other| {
        other.is_confirmed() && other.confirmed_seq.is_some_and(|seq| seq < deposit.seen_seq)
    });
    let covered = earlier.fold(Amount::ZERO, |sum, other| plus(sum, other.covers(&record.payment, quote)));
    covered >= quote.terms.expected
}

/// The `actual*` sums of a payment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Actual {
    /// In atoms of the quote.
    pub deposit: Amount,
    pub display: Decimal,
    /// In EUR.
    pub uniform: Decimal,
}

/// Sums the deposits that count, including follow-ups.
///
/// Deposits at the quoted rate are valued as one sum, so that a price paid in parts does not lose a cent with each
/// part.
pub fn actual(record: &Record) -> Actual {
    let Some(quote) = &record.payment.quote else { return Actual::default() };
    let mut sum = Actual::default();
    let mut at_quote = Amount::ZERO;
    for deposit in record.standing_deposits().filter(|deposit| deposit.counts()) {
        let amount = deposit.in_currency_of(quote);
        sum.deposit = plus(sum.deposit, amount);
        if deposit.currency == quote.currency && deposit.rate == quote.terms.rate {
            at_quote = plus(at_quote, amount);
        } else {
            sum.display = sum.display.saturating_add(deposit.display_amount);
            sum.uniform = sum.uniform.saturating_add(deposit.uniform_amount);
        }
    }
    let (display, uniform) = quote.worth(at_quote, record.payment.display_currency);
    sum.display = sum.display.saturating_add(display);
    sum.uniform = sum.uniform.saturating_add(uniform);
    sum
}

fn plus(a: Amount, b: Amount) -> Amount {
    a.checked_add(b).unwrap_or(Amount::MAX)
}
