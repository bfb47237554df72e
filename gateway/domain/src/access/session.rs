//! The lifetime of a payer's session.

/// The facts that determine the end of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    /// The end of the payment's window; `None` if it has none.
    pub window_end: Option<u64>,
    /// When the payment was paid.
    pub settled_at: Option<u64>,
    /// There is money to ask for until then.
    pub kept_until: Option<u64>,
}

/// How long a payer can ask for a refund that waits for an address.
pub const CLAIM_DAYS: u64 = 30;

const DAY: u64 = 86_400;

/// How long an expired payment can be resumed.
pub const LATE_DAYS: u64 = 7;

/// The UNIX second from which the session token is refused; `None` for a payment that stays open.
///
/// A day after the payment can no longer change: after it was paid, or seven days after its window ended
/// unpaid. Later while a refund waits for the payer's address.
pub fn ends_at(session: Session) -> Option<u64> {
    let window_end = session.window_end?;
    let last_change = match session.settled_at {
        Some(settled_at) => window_end.max(settled_at),
        None => window_end.saturating_add(LATE_DAYS * DAY),
    };
    Some(last_change.saturating_add(DAY).max(session.kept_until.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_after_the_last_change() {
        let check = |window_end, settled_at, expected| {
            assert_eq!(ends_at(Session { window_end, settled_at, kept_until: None }), expected);
        };
        check(None, None, None);
        check(None, Some(1_000), None);
        check(Some(1_000), None, Some(1_000 + 8 * DAY));
        check(Some(1_000), Some(500), Some(1_000 + DAY));
        check(Some(1_000), Some(9_000), Some(9_000 + DAY));
        check(Some(u64::MAX), None, Some(u64::MAX));
    }

    #[test]
    fn later_while_there_is_money_to_ask_for() {
        let check = |kept_until, expected| {
            let session = Session { window_end: Some(1_000), settled_at: Some(500), kept_until };
            assert_eq!(ends_at(session), Some(expected));
        };
        check(None, 1_000 + DAY);
        check(Some(900), 1_000 + DAY);
        check(Some(1_000 + 30 * DAY), 1_000 + 30 * DAY);
    }
}
