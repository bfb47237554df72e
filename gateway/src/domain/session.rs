//! How long a payer's session lasts.

use super::payment::Payment;

const DAY: u64 = 86_400;

/// An expired payment can be taken up again for this long.
pub const LATE_DAYS: u64 = 7;

/// The UNIX second from which the session token is refused; `None` while the payment stays open for ever.
///
/// A day after the payment can no longer change: after it was paid, or seven days after its window
/// ended without.
pub fn ends_at(payment: &Payment) -> Option<u64> {
    let last_change = match payment.settled_at {
        Some(settled) => payment.window_end()?.max(settled),
        None => payment.window_end()? + LATE_DAYS * DAY,
    };
    Some(last_change + DAY)
}
