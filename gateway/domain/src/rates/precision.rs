//! The precision of rates.

use checkout_core::Decimal;

/// Decimal places, and significant digits at least.
const DIGITS: u32 = 8;

/// Eight decimal places, or as many more as eight significant digits need: one yen is 0.00000010416667 BTC.
pub fn round(rate: Decimal) -> Decimal {
    let has_digits = rate >= Decimal::new(1, 1);
    let rounded = if has_digits { rate.round_dp(DIGITS) } else { rate.round_sf(DIGITS).unwrap_or(rate) };
    rounded.normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates() {
        let check = |numerator: u64, denominator: u64, expected: &str| {
            let rate = Decimal::from(numerator) / Decimal::from(denominator);
            assert_eq!(round(rate).to_string(), expected, "{numerator}/{denominator}");
        };
        check(60_000, 1, "60000");
        check(1, 60_000, "0.000016666667");
        check(1, 9_600_000, "0.00000010416667");
        check(1, 3, "0.33333333");
        check(1, 20, "0.05");
        check(2_000, 3, "666.66666667");
        check(1, 1_000_000_000_000, "0.000000000001");
        check(0, 1, "0");
    }
}
