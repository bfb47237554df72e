//! 256-bit products for conversions between fiat and chain.
//!
//! Our own code, because only a product, a power of ten and a quotient on two words are needed; a big-number
//! library would add to the size of the widget and the npm package.

/// An unsigned 256-bit integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Wide {
    high: u128,
    low: u128,
}

impl Wide {
    const ZERO: Self = Self { high: 0, low: 0 };

    /// The product. Always fits.
    pub(crate) const fn product(a: u128, b: u128) -> Self {
        const HALF: u128 = u64::MAX as u128;
        let (a_high, a_low, b_high, b_low) = (a >> 64, a & HALF, b >> 64, b & HALF);
        let low = a_low * b_low;
        // Neither sum overflows: a product of two halves leaves room to add two more halves.
        let middle = a_high * b_low + (low >> 64);
        let other = a_low * b_high + (middle & HALF);
        let high = a_high * b_high + (middle >> 64) + (other >> 64);
        Self { high, low: other << 64 | low & HALF }
    }

    /// The product with 10 to the power of `exponent`; `None` on overflow.
    pub(crate) fn times_ten_to(mut self, mut exponent: u32) -> Option<Self> {
        while exponent > 0 && self != Self::ZERO {
            let step = exponent.min(38);
            let factor = 10_u128.pow(step);
            let (high, low) = (Self::product(self.high, factor), Self::product(self.low, factor));
            if high.high != 0 {
                return None;
            }
            self = Self { high: high.low.checked_add(low.high)?, low: low.low };
            exponent -= step;
        }
        Some(self)
    }

    /// The quotient, rounded down, and whether there is a remainder. `None` if the divisor is zero or the
    /// quotient exceeds 128 bits.
    pub(crate) fn divide(self, divisor: Self) -> Option<(u128, bool)> {
        if divisor == Self::ZERO {
            return None;
        }
        // Shifts the divisor left by the difference in bit length.
        let places = divisor.leading_zeros().saturating_sub(self.leading_zeros());
        let (mut rest, mut quotient) = (self, 0_u128);
        for place in (0..=places).rev() {
            if quotient >> 127 != 0 {
                return None;
            }
            quotient <<= 1;
            let part = divisor.shifted(place);
            if rest >= part {
                rest = rest.less(part);
                quotient |= 1;
            }
        }
        Some((quotient, rest != Self::ZERO))
    }

    const fn leading_zeros(self) -> u32 {
        if self.high == 0 { 128 + self.low.leading_zeros() } else { self.high.leading_zeros() }
    }

    /// Shifts left by fewer bits than there are leading zeros.
    const fn shifted(self, places: u32) -> Self {
        match places {
            0 => self,
            1..128 => {
                Self { high: self.high << places | self.low >> (128 - places), low: self.low << places }
            }
            _ => Self { high: self.low << (places - 128), low: 0 },
        }
    }

    /// Subtracts a value that is not larger.
    const fn less(self, other: Self) -> Self {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        Self { high: self.high.wrapping_sub(other.high).wrapping_sub(borrow as u128), low }
    }
}

impl From<u128> for Wide {
    fn from(low: u128) -> Self {
        Self { high: 0, low }
    }
}

/// The direction of rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// For amounts paid out.
    Down,
    /// For amounts charged.
    Up,
}

/// `a × b ÷ c` through a 256-bit product. `None` if `c` is zero or the quotient exceeds 128 bits.
pub fn mul_div(a: u128, b: u128, c: u128, round: Round) -> Option<u128> {
    let (quotient, left_over) = Wide::product(a, b).divide(Wide::from(c))?;
    quotient.checked_add(u128::from(left_over && round == Round::Up))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    /// Numbers of every length, not only the longest.
    fn number() -> impl Strategy<Value = u128> {
        (any::<u128>(), 0_u32..128).prop_map(|(number, shift)| number >> shift)
    }

    #[test]
    fn the_edges() {
        let max = u128::MAX;
        assert_eq!(Wide::product(max, max), Wide { high: max - 1, low: 1 });
        assert_eq!(Wide::product(max, 0), Wide::ZERO);
        assert_eq!(Wide::from(1).times_ten_to(77).map(Wide::leading_zeros), Some(0));
        assert_eq!(Wide::from(1).times_ten_to(78), None);
        assert_eq!(Wide::from(2).times_ten_to(77), None);
        assert_eq!(Wide::from(0).times_ten_to(u32::MAX), Some(Wide::ZERO));
        assert_eq!(Wide::from(7).divide(Wide::ZERO), None);
        assert_eq!(Wide::from(7).divide(Wide::from(7)), Some((1, false)));
        assert_eq!(Wide::from(6).divide(Wide::from(7)), Some((0, true)));
        assert_eq!(Wide::from(0).divide(Wide::from(7)), Some((0, false)));
        assert_eq!(Wide { high: 1, low: 0 }.divide(Wide::from(1)), None);
        assert_eq!(Wide { high: 1, low: 0 }.divide(Wide::from(2)), Some((1 << 127, false)));
        assert_eq!(Wide::product(max, max).divide(Wide::from(max)), Some((max, false)));
        assert_eq!(Wide { high: max, low: max }.divide(Wide { high: max, low: max }), Some((1, false)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn a_product_is_divided_by_its_factors(a in number(), b in number(), rest in number()) {
            let b = b.max(1);
            let (product, rest) = (Wide::product(a, b), rest % b);
            prop_assert_eq!(product.divide(Wide::from(b)), Some((a, false)));
            let (low, carry) = product.low.overflowing_add(rest);
            let more = Wide { high: product.high + u128::from(carry), low };
            prop_assert_eq!(more.divide(Wide::from(b)), Some((a, rest != 0)));
        }

        #[test]
        fn short_numbers_are_divided_as_by_the_language(a in number(), b in number()) {
            let b = b.max(1);
            prop_assert_eq!(Wide::from(a).divide(Wide::from(b)), Some((a / b, a % b != 0)));
        }

        #[test]
        fn a_longer_divisor_is_more(a in number(), b in number(), power in 0_u32..30) {
            let b = b.max(1);
            let tens = |value| Wide::from(value).times_ten_to(power);
            if let (Some(dividend), Some(divisor)) = (tens(a), tens(b)) {
                prop_assert_eq!(dividend.divide(divisor), Some((a / b, a % b != 0)));
            }
        }

        #[test]
        fn tens_are_multiplied_one_by_one(a in number(), power in 0_u32..=20) {
            let one_by_one = (0..power).try_fold(Wide::from(a), |value, _| value.times_ten_to(1));
            prop_assert_eq!(Wide::from(a).times_ten_to(power), one_by_one);
        }
    }
}
