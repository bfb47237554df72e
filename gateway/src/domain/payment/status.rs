//! The status of a payment, from its stored facts and the core's status function.

use checkout_core::Amount;
use checkout_core::Decimal;
use checkout_core::payment::{self as rules, Received, StatusInputs};
use checkout_core::wire::{PaymentStatus, PaymentType};

use crate::domain::payment::coverage::{Cover, plus};
use crate::domain::payment::deposit::Deposit;
use crate::domain::payment::tolerance::tolerance;
use crate::domain::payment::{Payment, PaymentWithDeposits, Quote};

/// The status at `now`, from the facts alone.
pub fn status_at(record: &PaymentWithDeposits, now: u64) -> PaymentStatus {
    let payment = &record.payment;
    rules::status(&StatusInputs {
        kind: payment.kind.clone(),
        requested: payment.quote.is_some(),
        expected: payment.quote.as_ref().map(|quote| quote.terms.expected),
        received: received(record),
        tolerance: payment.quote.as_ref().map_or(Amount::ZERO, |quote| tolerance_of(payment, quote)),
        window_over: payment.window_is_over(now),
    })
}

/// The payment is paid; further deposits are follow-ups.
pub fn is_settled(status: &PaymentStatus) -> bool {
    matches!(status, PaymentStatus::Deposited | PaymentStatus::Overpaid)
}

/// Updates the payment from the facts. Returns true if the status changed.
pub fn refresh_status(record: &mut PaymentWithDeposits, now: u64) -> bool {
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

/// The tolerated underpayment of the quote.
fn tolerance_of(payment: &Payment, quote: &Quote) -> Amount {
    tolerance(quote, &payment.rate_type, payment.underpayment_tolerance)
}

/// The amounts that count for the status, in atoms of the quote. Follow-up deposits of a ONE_TIME payment do
/// not.
pub fn received(record: &PaymentWithDeposits) -> Received {
    let Some(quote) = &record.payment.quote else { return Received::default() };
    let paid_at = paid_at(record, quote);
    let counted = || record.present_deposits().filter(|deposit| !is_follow_up(paid_at, deposit));
    let confirmed = record.covered(quote, counted().filter(|deposit| deposit.is_confirmed()));
    let unconfirmed = record.covered(quote, counted()).saturating_sub(confirmed);
    Received { confirmed, unconfirmed }
}

/// The amount that makes a payment paid, in atoms of the quote.
pub fn least(payment: &Payment, quote: &Quote) -> Amount {
    quote.terms.expected.saturating_sub(tolerance_of(payment, quote))
}

/// The sequence number at which confirmed deposits covered a ONE_TIME payment.
pub fn paid_at(record: &PaymentWithDeposits, quote: &Quote) -> Option<u32> {
    if record.payment.kind == PaymentType::Reusable {
        return None;
    }
    let confirmed = record.present_deposits().filter(|deposit| deposit.is_confirmed());
    let mut confirmed: Vec<(u32, &Deposit)> =
        confirmed.filter_map(|deposit| Some((deposit.confirmed_seq?, deposit))).collect();
    confirmed.sort_unstable_by_key(|(seq, _)| *seq);
    let (least, mut cover) = (least(&record.payment, quote), Cover::default());
    confirmed.into_iter().find_map(|(seq, deposit)| {
        cover.add(record, quote, deposit);
        (cover.of(quote) >= least).then_some(seq)
    })
}

/// Whether it was first seen after its payment was paid.
pub fn is_follow_up(paid_at: Option<u32>, deposit: &Deposit) -> bool {
    paid_at.is_some_and(|seq| seq < deposit.seen_seq)
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

/// Sums the credited deposits, including follow-ups.
///
/// Deposits at the rate of one quote are valued as one sum, so that a price paid in parts loses nothing to
/// rounding.
pub fn actual(record: &PaymentWithDeposits) -> Actual {
    let Some(quote) = &record.payment.quote else { return Actual::default() };
    let mut sum = Actual::default();
    let mut at_quotes = vec![Amount::ZERO; record.quotes.len()];
    for deposit in record.present_deposits().filter(|deposit| deposit.counts()) {
        sum.deposit = plus(sum.deposit, record.in_currency_of(quote, deposit));
        let at_quote = record
            .quotes
            .iter()
            .zip(&mut at_quotes)
            .rev()
            .find(|(shown, _)| shown.currency == deposit.currency && shown.terms.rate == deposit.rate);
        if let Some((shown, at_quote)) = at_quote {
            *at_quote = plus(*at_quote, deposit.rescaled(shown));
        } else {
            sum.display = sum.display.saturating_add(deposit.display_amount);
            sum.uniform = sum.uniform.saturating_add(deposit.uniform_amount);
        }
    }
    for (shown, amount) in record.quotes.iter().zip(at_quotes) {
        let (display, uniform) = shown.value(amount, record.payment.display_currency);
        sum.display = sum.display.saturating_add(display);
        sum.uniform = sum.uniform.saturating_add(uniform);
    }
    sum
}
