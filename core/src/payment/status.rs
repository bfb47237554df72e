//! The status of a payment follows from facts alone.

use super::received::Received;
use crate::money::Amount;
use crate::wire::{PaymentStatus, PaymentType};

/// What decides the status of a payment.
#[derive(Clone, Debug)]
pub struct StatusInputs {
    pub kind: PaymentType,
    /// The quote was given: an address is assigned and `expected` is known.
    pub requested: bool,
    /// What covers the payment; `None` before the quote.
    pub expected: Option<Amount>,
    pub received: Received,
    /// The window has ended.
    pub window_over: bool,
}

/// The status that follows from the facts alone, so that a replayed or a vanished transfer always
/// leads to the same one.
///
/// | facts | status |
/// |---|---|
/// | no quote, window open | NEW |
/// | quote, nothing seen, window open | PENDING |
/// | something seen, confirmed deposits do not cover it | AWAITING |
/// | confirmed deposits are the expected amount | DEPOSITED |
/// | confirmed deposits are more | OVERPAID |
/// | window over, ONE_TIME, what was seen would not cover it | EXPIRED |
pub fn status(inputs: &StatusInputs) -> PaymentStatus {
    let expected = inputs.expected.unwrap_or(Amount::MAX);
    let received = inputs.received;
    if inputs.requested && received.confirmed >= expected {
        return if received.confirmed == expected {
            PaymentStatus::Deposited
        } else {
            PaymentStatus::Overpaid
        };
    }
    let may_expire = inputs.kind != PaymentType::Reusable;
    if inputs.window_over && may_expire && received.total() < expected {
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
        check(true, 0, 99, false, S::Awaiting, S::Awaiting);
        check(true, 0, 99, true, S::Expired, S::Awaiting);
        check(true, 0, 100, true, S::Awaiting, S::Awaiting);
        check(true, 50, 0, false, S::Awaiting, S::Awaiting);
        check(true, 50, 50, true, S::Awaiting, S::Awaiting);
        check(true, 50, 0, true, S::Expired, S::Awaiting);
        check(true, 100, 0, false, S::Deposited, S::Deposited);
        check(true, 100, 0, true, S::Deposited, S::Deposited);
        check(true, 100, 7, false, S::Deposited, S::Deposited);
        check(true, 101, 0, true, S::Overpaid, S::Overpaid);
    }
}
