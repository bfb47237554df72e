//! `a × b ÷ c` without losing the digits between.

use crate::domain::ledger::money::Round;

/// `a × b ÷ c`, the product in 256 bits. `None` when `c` is zero or the quotient is beyond 128 bits.
pub fn mul_div(a: u128, b: u128, c: u128, round: Round) -> Option<u128> {
    let (high, low) = product(a, b);
    if c <= high {
        return None;
    }
    let (quotient, rest) = divide(high, low, c);
    match round {
        Round::Up if rest > 0 => quotient.checked_add(1),
        _ => Some(quotient),
    }
}

/// High and low half of a product, by halves of 64 bits.
fn product(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let (low, middle, other, high) = (a0 * b0, a1 * b0, a0 * b1, a1 * b1);
    let carry = (low >> 64) + (middle & LOW) + (other & LOW);
    let low = (carry << 64) | (low & LOW);
    (high + (middle >> 64) + (other >> 64) + (carry >> 64), low)
}

/// Long division, bit by bit, of a dividend whose high half is less than the divisor.
fn divide(high: u128, low: u128, divisor: u128) -> (u128, u128) {
    let (mut rest, mut quotient) = (high, 0);
    for bit in (0..128).rev() {
        let overflows = rest >> 127 == 1;
        rest = (rest << 1) | ((low >> bit) & 1);
        quotient <<= 1;
        if overflows || rest >= divisor {
            rest = rest.wrapping_sub(divisor);
            quotient |= 1;
        }
    }
    (quotient, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_and_rounded() {
        let check = |a, b, c, down, up| {
            assert_eq!(
                (mul_div(a, b, c, Round::Down), mul_div(a, b, c, Round::Up)),
                (down, up),
                "{a} {b} {c}"
            );
        };
        check(6, 7, 2, Some(21), Some(21));
        check(1, 1, 3, Some(0), Some(1));
        check(0, u128::MAX, 7, Some(0), Some(0));
        check(u128::MAX, u128::MAX, u128::MAX, Some(u128::MAX), Some(u128::MAX));
        check(u128::MAX, 2, 3, Some(u128::MAX / 3 * 2), Some(u128::MAX / 3 * 2));
        check(u128::MAX, u128::MAX - 1, u128::MAX, Some(u128::MAX - 1), Some(u128::MAX - 1));
        check(u128::MAX, 2, 2, Some(u128::MAX), Some(u128::MAX));
        check(1 << 127, 1 << 100, (1 << 120) + 1, Some((1 << 107) - 1), Some(1 << 107));
        check(u128::MAX, 2, 1, None, None);
        check(1, 1, 0, None, None);
    }
}
