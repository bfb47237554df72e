//! The status of an invoice, from that of its payment. The table in the tests is the rule.

use checkout_domain::payment::acceptance::Judge;
use checkout_domain::payment::coverage::Cover;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::{PaymentWithDeposits, status};
use checkout_domain::words;
use checkout_wire::PaymentStatus;

words! {
    /// `Invalid` has no payment: a deposit that leaves its chain makes the payment what it was before. It is an event only.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum InvoiceStatus {
        New = "New",
        Processing = "Processing",
        Expired = "Expired",
        Invalid = "Invalid",
        Settled = "Settled",
    }
}

words! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum AdditionalStatus {
        None = "None",
        PaidLate = "PaidLate",
        PaidPartial = "PaidPartial",
        Marked = "Marked",
        PaidOver = "PaidOver",
    }
}

/// What a payment received, confirmed or not, beside its price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    Nothing,
    Part,
    All,
    More,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusFacts {
    pub status: PaymentStatus,
    pub received: Received,
    /// What was seen in its first window does not pay it.
    pub late: bool,
    /// The merchant accepted less than the price.
    pub accepted: bool,
}

impl StatusFacts {
    pub fn of(record: &PaymentWithDeposits, status: PaymentStatus) -> Self {
        let end = record.payment.first_window_end();
        Self {
            status,
            received: received(record),
            late: end.is_some_and(|end| !would_pay(record, |deposit| deposit.seen_at < end)),
            accepted: record.acceptance().is_some_and(|acceptance| acceptance.by == Judge::Merchant),
        }
    }

    pub fn invoice(self) -> (InvoiceStatus, AdditionalStatus) {
        use AdditionalStatus::{Marked, None, PaidLate, PaidOver, PaidPartial};
        use InvoiceStatus::{Expired, New, Processing, Settled};
        match (self.status, self.received) {
            (PaymentStatus::New | PaymentStatus::Pending, _) => (New, None),
            (PaymentStatus::Awaiting, Received::Nothing | Received::Part) => (New, PaidPartial),
            (PaymentStatus::Awaiting, Received::All) => (Processing, None),
            (PaymentStatus::Awaiting, Received::More) => (Processing, PaidOver),
            (PaymentStatus::Deposited | PaymentStatus::Overpaid, _) if self.accepted => (Settled, Marked),
            (PaymentStatus::Overpaid, _) => (Settled, PaidOver),
            (PaymentStatus::Deposited, _) if self.late => (Settled, PaidLate),
            (PaymentStatus::Deposited, _) => (Settled, None),
            (PaymentStatus::Expired, Received::Nothing) => (Expired, None),
            (PaymentStatus::Expired, _) => (Expired, PaidPartial),
        }
    }
}

/// Whether these deposits pay the price by themselves, confirmed or not.
pub fn would_pay(record: &PaymentWithDeposits, is_meant: impl Fn(&Deposit) -> bool) -> bool {
    let Some(quote) = &record.payment.quote else { return false };
    let meant =
        record.paying_deposits().filter(|deposit| is_meant(deposit) && !record.is_given_back(deposit));
    Cover::of(record, quote, meant).total() >= status::asked(record, quote)
}

fn received(record: &PaymentWithDeposits) -> Received {
    let Some(quote) = &record.payment.quote else { return Received::Nothing };
    let total = status::received(record).total();
    if total.is_zero() {
        Received::Nothing
    } else if total < status::least(record, quote) {
        Received::Part
    } else if total > quote.terms.expected {
        Received::More
    } else {
        Received::All
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_of_a_payment_is_one_of_an_invoice() {
        use AdditionalStatus::{Marked, None, PaidLate, PaidOver, PaidPartial};
        use InvoiceStatus::{Expired, New, Processing, Settled};
        use PaymentStatus as Payment;
        use Received::{All, More, Nothing, Part};
        const PLAIN: (bool, bool) = (false, false);
        const LATE: (bool, bool) = (true, false);
        const ACCEPTED: (bool, bool) = (false, true);
        for (status, received, (late, accepted), expected) in [
            (Payment::New, Nothing, PLAIN, (New, None)),
            (Payment::Pending, Nothing, PLAIN, (New, None)),
            (Payment::Awaiting, Nothing, PLAIN, (New, PaidPartial)),
            (Payment::Awaiting, Part, PLAIN, (New, PaidPartial)),
            (Payment::Awaiting, All, PLAIN, (Processing, None)),
            (Payment::Awaiting, More, PLAIN, (Processing, PaidOver)),
            (Payment::Deposited, All, PLAIN, (Settled, None)),
            (Payment::Deposited, All, LATE, (Settled, PaidLate)),
            (Payment::Deposited, Part, ACCEPTED, (Settled, Marked)),
            (Payment::Overpaid, More, PLAIN, (Settled, PaidOver)),
            (Payment::Overpaid, More, LATE, (Settled, PaidOver)),
            (Payment::Expired, Nothing, PLAIN, (Expired, None)),
            (Payment::Expired, Part, PLAIN, (Expired, PaidPartial)),
        ] {
            let facts = StatusFacts { status, received, late, accepted };
            assert_eq!(facts.invoice(), expected, "{facts:?}");
        }
    }

    /// What was sent is settled only where the gateway's own rules say that it is paid.
    #[test]
    fn only_a_paid_payment_is_settled() {
        for status in PaymentStatus::KNOWN.iter().filter_map(|word| PaymentStatus::known(word)) {
            for received in [Received::Nothing, Received::Part, Received::All, Received::More] {
                for (late, accepted) in [(false, false), (true, false), (false, true), (true, true)] {
                    let (invoice, _) = StatusFacts { status, received, late, accepted }.invoice();
                    assert_eq!(invoice == InvoiceStatus::Settled, status::is_settled(status), "{status:?}");
                }
            }
        }
    }
}
