//! The status of a payment, derived from facts.

use super::received::Received;
use crate::{PaymentStatus, PaymentType};
use checkout_core::Amount;

/// The facts that determine the status of a payment.
#[derive(Clone, Debug)]
pub struct StatusInputs {
    pub kind: PaymentType,
    /// A quote exists: an address is assigned and `expected` is known.
    pub requested: bool,
    /// The amount that covers the payment; `None` before the quote.
    pub expected: Option<Amount>,
    pub received: Received,
    /// The tolerance: how far below `expected` still covers the payment.
    pub tolerance: Amount,
    /// The window has ended.
    pub window_over: bool,
}

impl StatusInputs {
    /// Whether this amount covers the payment.
    fn is_covered_by(&self, amount: Amount) -> bool {
        self.expected.is_some_and(|expected| amount >= expected.saturating_sub(self.tolerance))
    }
}

/// Derives the status from the facts alone, so that replaying an event always gives the same status.
///
/// "Covered" includes the tolerance.
///
/// | facts | ONE_TIME | REUSABLE |
/// |---|---|---|
/// | no quote | NEW | NEW |
/// | quote, nothing received | PENDING | PENDING |
/// | received, not covered by confirmed deposits | AWAITING | AWAITING; DEPOSITED once any deposit is confirmed |
/// | covered by confirmed deposits | DEPOSITED | DEPOSITED |
/// | confirmed deposits exceed the expected amount | OVERPAID | DEPOSITED |
/// | window over, not covered by everything received | EXPIRED | – |
pub fn status(inputs: &StatusInputs) -> PaymentStatus {
    let received = inputs.received;
    let is_reusable = inputs.kind == PaymentType::Reusable;
    if is_reusable && !received.confirmed.is_zero() {
        return PaymentStatus::Deposited;
    }
    if inputs.requested && inputs.is_covered_by(received.confirmed) {
        let is_exceeded = inputs.expected.is_some_and(|expected| received.confirmed > expected);
        return if is_exceeded { PaymentStatus::Overpaid } else { PaymentStatus::Deposited };
    }
    if inputs.window_over && !is_reusable && !inputs.is_covered_by(received.total()) {
        return PaymentStatus::Expired;
    }
    match (received.is_nothing(), inputs.requested) {
        (false, _) => PaymentStatus::Awaiting,
        (true, true) => PaymentStatus::Pending,
        (true, false) => PaymentStatus::New,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(atoms: u128) -> Amount {
        Amount::from_atoms(atoms).unwrap()
    }

    #[test]
    fn the_status_follows_from_the_facts() {
        use PaymentStatus as S;
        let check = |requested, confirmed, unconfirmed, window_over, one_time, reusable| {
            let inputs = |kind| StatusInputs {
                kind,
                requested,
                expected: requested.then(|| amount(100)),
                received: Received { confirmed: amount(confirmed), unconfirmed: amount(unconfirmed) },
                tolerance: amount(2),
                window_over,
            };
            assert_eq!(status(&inputs(PaymentType::OneTime)), one_time);
            assert_eq!(status(&inputs(PaymentType::Reusable)), reusable);
        };
        //    quote  conf unconf over   ONE_TIME       REUSABLE
        check(false, 0, 0, false, S::New, S::New);
        check(false, 0, 0, true, S::Expired, S::New);
        check(true, 0, 0, false, S::Pending, S::Pending);
        check(true, 0, 0, true, S::Expired, S::Pending);
        check(true, 0, 97, false, S::Awaiting, S::Awaiting);
        check(true, 0, 97, true, S::Expired, S::Awaiting);
        check(true, 0, 98, true, S::Awaiting, S::Awaiting);
        check(true, 0, 100, true, S::Awaiting, S::Awaiting);
        check(true, 50, 0, false, S::Awaiting, S::Deposited);
        check(true, 50, 50, true, S::Awaiting, S::Deposited);
        check(true, 50, 0, true, S::Expired, S::Deposited);
        check(true, 97, 0, false, S::Awaiting, S::Deposited);
        check(true, 98, 0, false, S::Deposited, S::Deposited);
        check(true, 100, 0, false, S::Deposited, S::Deposited);
        check(true, 100, 0, true, S::Deposited, S::Deposited);
        check(true, 100, 7, false, S::Deposited, S::Deposited);
        check(true, 101, 0, true, S::Overpaid, S::Deposited);
    }
}
