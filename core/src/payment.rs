//! The payment rules that gateway and widget share: expiry, what is still due, the next status.

use crate::amount::Amount;
use crate::wire::{PaymentStatus, PaymentType};

/// `expirationMinutes` when a request gives none.
pub const DEFAULT_EXPIRATION_MINUTES: u32 = 30;

/// What `expirationMinutes: 0` stands for: seven days.
pub const ZERO_MEANS_MINUTES: u32 = 7 * 24 * 60;

/// The UNIX second at which the window ends; `None` for a payment that never expires.
///
/// `initiated_at` is the UNIX second of creation. REUSABLE payments never expire.
pub fn expires_at(kind: &PaymentType, initiated_at: u64, expiration_minutes: u32) -> Option<u64> {
    if *kind == PaymentType::Reusable {
        return None;
    }
    let minutes = if expiration_minutes == 0 { ZERO_MEANS_MINUTES } else { expiration_minutes };
    Some(initiated_at.saturating_add(u64::from(minutes) * 60))
}

/// The UNIX second at which the window that now counts ends; `None` for a payment that never expires.
///
/// A payer whose window ended may ask for a new quote (PATCH again): a quote of `requested_at` that
/// is not before the end of the first window opens another of the same length.
pub fn window_end(
    kind: &PaymentType,
    initiated_at: u64,
    requested_at: Option<u64>,
    expiration_minutes: u32,
) -> Option<u64> {
    let first = expires_at(kind, initiated_at, expiration_minutes)?;
    match requested_at {
        Some(at) if at >= first => expires_at(kind, at, expiration_minutes),
        _ => Some(first),
    }
}

/// What the deposits of a payment add up to, in atoms of the expected currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// Deposits in the best chain with enough confirmations.
    pub confirmed: Amount,
    /// Deposits that were seen and can still vanish.
    pub unconfirmed: Amount,
}

impl Received {
    fn is_nothing(self) -> bool {
        self.confirmed.is_zero() && self.unconfirmed.is_zero()
    }

    fn total(self) -> Amount {
        self.confirmed.checked_add(self.unconfirmed).unwrap_or(Amount::MAX)
    }
}

/// What decides the status of a payment.
#[derive(Clone, Debug)]
pub struct Standing {
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
pub fn status(standing: &Standing) -> PaymentStatus {
    let expected = standing.expected.unwrap_or(Amount::MAX);
    let received = standing.received;
    if standing.requested && received.confirmed >= expected {
        return if received.confirmed == expected {
            PaymentStatus::Deposited
        } else {
            PaymentStatus::Overpaid
        };
    }
    let may_expire = standing.kind != PaymentType::Reusable;
    if standing.window_over && may_expire && received.total() < expected {
        return PaymentStatus::Expired;
    }
    match (received.is_nothing(), standing.requested) {
        (false, _) => PaymentStatus::Awaiting,
        (true, true) => PaymentStatus::Pending,
        (true, false) => PaymentStatus::New,
    }
}

/// What is still to be sent: `expected` less everything seen, confirmed or not.
pub fn remaining(expected: Amount, received: Received) -> Amount {
    expected.saturating_sub(received.total())
}

/// What was sent beyond `expected`, counting confirmed deposits only.
pub fn excess(expected: Amount, received: Received) -> Amount {
    received.confirmed.saturating_sub(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(atoms: u128) -> Amount {
        Amount::from_atoms(atoms).unwrap()
    }

    #[test]
    fn the_window() {
        let check = |kind: PaymentType, minutes, expected: Option<u64>| {
            assert_eq!(expires_at(&kind, 1_000, minutes), expected);
        };
        check(PaymentType::OneTime, 30, Some(1_000 + 1_800));
        check(PaymentType::OneTime, 1, Some(1_060));
        check(PaymentType::OneTime, 0, Some(1_000 + 7 * 86_400));
        check(PaymentType::Reusable, 30, None);
        assert_eq!(expires_at(&PaymentType::OneTime, u64::MAX, 1), Some(u64::MAX));
    }

    #[test]
    fn a_new_quote_after_the_end_opens_a_new_window() {
        let check = |requested_at, expected| {
            assert_eq!(window_end(&PaymentType::OneTime, 1_000, requested_at, 1), Some(expected));
        };
        check(None, 1_060);
        check(Some(1_010), 1_060);
        check(Some(1_059), 1_060);
        check(Some(1_060), 1_120);
        check(Some(9_000), 9_060);
        assert_eq!(window_end(&PaymentType::Reusable, 1_000, Some(9_000), 1), None);
    }

    #[test]
    fn the_status_follows_from_the_facts() {
        use PaymentStatus as S;
        let check = |requested, confirmed, unconfirmed, window_over, one_time, reusable| {
            let standing = |kind| Standing {
                kind,
                requested,
                expected: requested.then(|| amount(100)),
                received: Received { confirmed: amount(confirmed), unconfirmed: amount(unconfirmed) },
                window_over,
            };
            assert_eq!(status(&standing(PaymentType::OneTime)), one_time);
            assert_eq!(status(&standing(PaymentType::Reusable)), reusable);
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

    #[test]
    fn what_is_due_and_what_is_too_much() {
        let received = |c, u| Received { confirmed: amount(c), unconfirmed: amount(u) };
        assert_eq!(remaining(amount(100), received(30, 20)), amount(50));
        assert_eq!(remaining(amount(100), received(100, 20)), Amount::ZERO);
        assert_eq!(excess(amount(100), received(130, 20)), amount(30));
        assert_eq!(excess(amount(100), received(30, 90)), Amount::ZERO);
    }
}
