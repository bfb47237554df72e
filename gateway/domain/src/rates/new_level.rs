//! A rate that really moved: out of bounds of the last good one, but the same for long enough.

use std::time::{Duration, Instant};

use checkout_core::Decimal;

use super::bounds;

/// So many readings in a row, which agree among themselves, are a new level when the first of them is so old.
pub const READINGS: u32 = 10;
pub const TIME: Duration = Duration::from_mins(10);

/// Readings in a row that are out of bounds of the last good rate, none of them further from another than the bounds allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewLevel {
    since: Instant,
    readings: u32,
    low: Decimal,
    high: Decimal,
}

impl NewLevel {
    pub fn start(rate: Decimal, at: Instant) -> Self {
        Self { since: at, readings: 1, low: rate, high: rate }
    }

    /// One reading more. One that does not agree with all before starts anew.
    #[must_use]
    pub fn follow(self, rate: Decimal, at: Instant) -> Self {
        let (low, high) = (self.low.min(rate), self.high.max(rate));
        if bounds::jumps(low, high) {
            return Self::start(rate, at);
        }
        Self { since: self.since, readings: self.readings.saturating_add(1), low, high }
    }

    pub fn is_accepted(self, at: Instant) -> bool {
        self.readings >= READINGS && at.saturating_duration_since(self.since) >= TIME
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_level_takes_time_and_readings_that_agree() {
        #[track_caller]
        fn check(every_seconds: u64, rates: &[u64], expected: bool) {
            let start = Instant::now();
            let mut readings = (0..).zip(rates).map(|(number, rate)| {
                (Decimal::from(*rate), start + Duration::from_secs(every_seconds * number))
            });
            let (first, at) = readings.next().unwrap();
            let (mut level, mut last) = (NewLevel::start(first, at), at);
            for (rate, at) in readings {
                assert!(!level.is_accepted(last), "after fewer readings");
                (level, last) = (level.follow(rate, at), at);
            }
            assert_eq!(level.is_accepted(last), expected, "{rates:?} every {every_seconds} s");
        }
        check(67, &[100; 10], true);
        check(67, &[100; 9], false);
        check(60, &[100; 10], false);
        check(60, &[100; 11], true);
        check(3_600, &[100; 9], false);
        check(3_600, &[100, 90, 80, 70, 60, 50, 60, 70, 80, 99], true);
        check(3_600, &[100, 90, 80, 70, 60, 49, 60, 70, 80, 99], false);
        check(3_600, &[100, 90, 80, 70, 60, 50, 60, 70, 80, 101], false);
    }
}
