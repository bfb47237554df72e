//! The end of a payment's window.

use crate::PaymentType;

/// The default of `expirationMinutes`.
pub const DEFAULT_EXPIRATION_MINUTES: u32 = 30;

/// The meaning of `expirationMinutes: 0`: seven days.
pub const ZERO_MEANS_MINUTES: u32 = 7 * 24 * 60;

/// The UNIX second at which the window ends; `None` for a payment that never expires.
///
/// `initiated_at` is the UNIX second of creation. REUSABLE payments never expire.
pub fn expires_at(kind: PaymentType, initiated_at: u64, expiration_minutes: u32) -> Option<u64> {
    if kind == PaymentType::Reusable {
        return None;
    }
    let minutes = if expiration_minutes == 0 { ZERO_MEANS_MINUTES } else { expiration_minutes };
    Some(initiated_at.saturating_add(u64::from(minutes) * 60))
}

/// The UNIX second at which the current window ends; `None` for a payment that never expires.
///
/// After the window ended, a payer may request a new quote (PATCH again): a quote with `requested_at` at or
/// after the end of the first window starts another window of the same length.
pub fn window_end(
    kind: PaymentType,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window() {
        let check = |kind: PaymentType, minutes, expected: Option<u64>| {
            assert_eq!(expires_at(kind, 1_000, minutes), expected);
        };
        check(PaymentType::OneTime, 30, Some(1_000 + 1_800));
        check(PaymentType::OneTime, 1, Some(1_060));
        check(PaymentType::OneTime, 0, Some(1_000 + 7 * 86_400));
        check(PaymentType::Reusable, 30, None);
        assert_eq!(expires_at(PaymentType::OneTime, u64::MAX, 1), Some(u64::MAX));
    }

    #[test]
    fn a_new_quote_after_the_end_opens_a_new_window() {
        let check = |requested_at, expected| {
            assert_eq!(window_end(PaymentType::OneTime, 1_000, requested_at, 1), Some(expected));
        };
        check(None, 1_060);
        check(Some(1_010), 1_060);
        check(Some(1_059), 1_060);
        check(Some(1_060), 1_120);
        check(Some(9_000), 9_060);
        assert_eq!(window_end(PaymentType::Reusable, 1_000, Some(9_000), 1), None);
    }
}
