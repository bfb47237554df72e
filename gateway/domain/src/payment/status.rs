//! The status of a payment, from its stored facts and the core's status function.

use checkout_core::Amount;
use checkout_core::Decimal;
use checkout_wire::rules::{self, Received, StatusInputs};
use checkout_wire::{PaymentStatus, PaymentType};

use crate::payment::coverage::{Cover, plus};
use crate::payment::deposit::Deposit;
use crate::payment::tolerance::tolerance;
use crate::payment::{Payment, PaymentWithDeposits, Quote};

/// The status at `now`, from the facts alone.
pub fn status_at(record: &PaymentWithDeposits, now: u64) -> PaymentStatus {
    let tolerance = |quote: &Quote| quote.terms.expected.saturating_sub(least(record, quote));
    let tolerance = record.payment.quote.as_ref().map(tolerance);
    status_of(&record.payment, received(record), tolerance, now)
}

fn status_of(payment: &Payment, received: Received, tolerance: Option<Amount>, now: u64) -> PaymentStatus {
    rules::status(&StatusInputs {
        kind: payment.kind,
        requested: payment.quote.is_some(),
        expected: payment.quote.as_ref().map(|quote| quote.terms.expected),
        received,
        tolerance: tolerance.unwrap_or_default(),
        window_over: payment.window_is_over(now),
    })
}

/// The payment is paid; further deposits are follow-ups.
pub fn is_settled(status: PaymentStatus) -> bool {
    match status {
        PaymentStatus::Deposited | PaymentStatus::Overpaid => true,
        PaymentStatus::New | PaymentStatus::Pending | PaymentStatus::Awaiting | PaymentStatus::Expired => {
            false
        }
    }
}

/// Updates the payment from the facts. Returns true if the status changed.
pub fn refresh_status(record: &mut PaymentWithDeposits, now: u64) -> bool {
    let next = status_at(record, now);
    record.judge(is_settled(next), now);
    set_status(&mut record.payment, next, now)
}

/// Updates a payment without an [acceptance](super::acceptance) from what it [`received`]. Returns true if the status changed.
pub fn refresh_status_by(payment: &mut Payment, received: Received, now: u64) -> bool {
    let tolerance = payment.quote.as_ref().map(|quote| tolerance_of(payment, quote));
    let next = status_of(payment, received, tolerance, now);
    set_status(payment, next, now)
}

fn set_status(payment: &mut Payment, next: PaymentStatus, now: u64) -> bool {
    if next == payment.status {
        return false;
    }
    match (is_settled(payment.status), is_settled(next)) {
        (false, true) => payment.settled_at = Some(now),
        (true, false) => payment.settled_at = None,
        (false, false) | (true, true) => {}
    }
    payment.status = next;
    true
}

/// The tolerated underpayment of the quote.
fn tolerance_of(payment: &Payment, quote: &Quote) -> Amount {
    tolerance(quote, payment.rate_type, payment.underpayment_tolerance)
}

/// The deposits that count for the status. Follow-up deposits of a ONE_TIME payment do not, nor does what was given back.
pub fn counted(record: &PaymentWithDeposits) -> impl Iterator<Item = &Deposit> {
    let paid_at = record.payment.quote.as_ref().and_then(|quote| paid_at(record, quote));
    let counts = move |deposit: &&Deposit| !is_follow_up(paid_at, deposit) && !record.is_given_back(deposit);
    record.paying_deposits().filter(counts)
}

/// The amounts that count for the status, in atoms of the quote.
pub fn received(record: &PaymentWithDeposits) -> Received {
    let Some(quote) = &record.payment.quote else { return Received::default() };
    let counted: Vec<&Deposit> = counted(record).collect();
    let counted = || counted.iter().copied();
    let confirmed = Cover::of(record, quote, counted().filter(|deposit| deposit.is_confirmed())).total();
    let seen = Cover::of(record, quote, counted()).total();
    // What is being valued may pay all of it.
    let may_pay = counted().any(|deposit| deposit.being_valued && record.may_count_by_its_value(deposit));
    let seen = if may_pay { seen.max(quote.terms.expected) } else { seen };
    Received { confirmed, unconfirmed: seen.saturating_sub(confirmed) }
}

/// Whether everything that was seen pays, once it is confirmed.
pub fn is_covered(record: &PaymentWithDeposits) -> bool {
    let Some(quote) = &record.payment.quote else { return false };
    covers(received(record), record, quote)
}

fn covers(received: Received, record: &PaymentWithDeposits, quote: &Quote) -> bool {
    plus(received.confirmed, received.unconfirmed) >= least(record, quote)
}

/// The amount of the quote that is still due after everything that was seen; zero if that pays. `None` before a quote.
pub fn remaining(record: &PaymentWithDeposits) -> Option<String> {
    let quote = record.payment.quote.as_ref()?;
    let received = received(record);
    let is_paid = covers(received, record, quote);
    let due = if is_paid { Amount::ZERO } else { rules::remaining(quote.terms.expected, received) };
    Some(due.to_text(quote.pair().decimals))
}

/// The amount that makes a payment paid, in atoms of the quote: beside what was accepted, nothing.
pub fn least(record: &PaymentWithDeposits, quote: &Quote) -> Amount {
    if record.acceptance().is_some() { Amount::ZERO } else { asked(record, quote) }
}

/// The amount that pays by itself, in atoms of the quote.
pub fn asked(record: &PaymentWithDeposits, quote: &Quote) -> Amount {
    quote.terms.expected.saturating_sub(tolerance_of(&record.payment, quote))
}

/// The sequence number at which confirmed deposits covered a ONE_TIME payment, or they were accepted.
pub fn paid_at(record: &PaymentWithDeposits, quote: &Quote) -> Option<u32> {
    if record.payment.kind == PaymentType::Reusable {
        return None;
    }
    if let Some(acceptance) = record.acceptance() {
        return Some(acceptance.seq);
    }
    let confirmed = record.present_deposits().filter(|deposit| deposit.is_confirmed());
    let confirmed = confirmed.filter(|deposit| !record.is_given_back(deposit));
    let mut confirmed: Vec<(u32, &Deposit)> =
        confirmed.filter_map(|deposit| Some((deposit.confirmed_seq?, deposit))).collect();
    confirmed.sort_unstable_by_key(|(seq, _)| *seq);
    let (least, mut cover) = (least(record, quote), Cover::new(quote));
    confirmed.into_iter().find_map(|(seq, deposit)| {
        cover.add(record, deposit, deposit.amount);
        (cover.total() >= least).then_some(seq)
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

/// Sums the credited deposits, including follow-ups. Amounts are those of the quoted pair: its coins as they are,
/// others as the part of the price that they cover.
///
/// Deposits at the rate of one quote are valued as one sum, so that a price paid in parts loses nothing to
/// rounding.
pub fn actual(record: &PaymentWithDeposits) -> Actual {
    let Some(quote) = &record.payment.quote else { return Actual::default() };
    let credited = || record.present_deposits().filter(|deposit| deposit.counts());
    let cover = Cover::of(record, quote, credited());
    let mut sum = Actual::default();
    let mut at_quotes = vec![Amount::ZERO; record.quotes.len()];
    for deposit in credited() {
        let is_quoted = (deposit.currency, deposit.output.network) == (quote.currency, quote.network);
        let amount = if is_quoted { deposit.amount } else { cover.part(record, deposit, deposit.amount) };
        sum.deposit = plus(sum.deposit, amount);
        if let Some((place, shown)) = record.quote_at_rate(deposit.currency, deposit.rate) {
            at_quotes[place] = plus(at_quotes[place], deposit.rescaled(shown));
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
