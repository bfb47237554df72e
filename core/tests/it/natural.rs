//! Arbitrary-precision natural numbers, to check conversions: only products and comparisons.

use std::cmp::Ordering;

/// 32-bit limbs, lowest first, without trailing zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Natural(Vec<u32>);

impl From<u128> for Natural {
    fn from(number: u128) -> Self {
        let limb = |at: u32| u32::try_from(number >> (32 * at) & 0xffff_ffff).unwrap();
        Self((0..4).map(limb).collect()).trimmed()
    }
}

impl Natural {
    pub(crate) fn power_of_ten(exponent: u32) -> Self {
        (0..exponent).fold(Self::from(1), |power, _| power.times(&Self::from(10)))
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        let mut limbs = vec![0_u32; self.0.len() + other.0.len()];
        for (at, a) in self.0.iter().enumerate() {
            let mut carry = 0_u64;
            for (place, b) in limbs[at..].iter_mut().zip(other.0.iter().chain(std::iter::repeat(&0))) {
                carry += u64::from(*a) * u64::from(*b) + u64::from(*place);
                *place = u32::try_from(carry & 0xffff_ffff).unwrap();
                carry >>= 32;
            }
        }
        Self(limbs).trimmed()
    }

    fn trimmed(mut self) -> Self {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}
