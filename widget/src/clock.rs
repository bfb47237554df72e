//! An estimate of the gateway's clock.

/// Milliseconds since the page was opened, by a monotonic clock.
pub type Millis = u64;

/// The offset of the gateway's clock from the page's own, stored as the interval that agrees with all answers.
///
/// The gateway stamps an answer between `sent` and `received`, so each answer narrows the interval to its own
/// round-trip time. An answer that contradicts the interval (the computer slept, the sandbox moved its clock) replaces
/// it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    span: Option<(i64, i64)>,
}

impl Clock {
    /// Adds an answer. `server` is the time of the gateway's clock in UNIX milliseconds.
    pub fn learn(&mut self, sent: Millis, received: Millis, server: u64) {
        let server = signed(server);
        let (low, high) = (server - signed(received), server - signed(sent));
        self.span = Some(match self.span {
            Some((l, h)) if l <= high && low <= h => (l.max(low), h.min(high)),
            _ => (low, high),
        });
    }

    /// Drops the estimate; the time is unknown until the next answer.
    pub fn forget(&mut self) {
        self.span = None;
    }

    /// UNIX milliseconds by the gateway's clock, or `None` before the first answer.
    pub fn server_time(&self, now: Millis) -> Option<u64> {
        let (low, high) = self.span?;
        u64::try_from(low + (high - low) / 2 + signed(now)).ok()
    }
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_gives_the_time_within_its_round_trip() {
        let mut clock = Clock::default();
        assert_eq!(clock.server_time(5), None);
        clock.learn(1_000, 1_200, 1_700_000_000_100);
        assert_eq!(clock.server_time(1_200), Some(1_700_000_000_200));
        assert_eq!(clock.server_time(61_200), Some(1_700_000_060_200));
    }

    #[test]
    fn a_slow_answer_does_not_widen_the_estimate() {
        let mut clock = Clock::default();
        clock.learn(0, 10, 1_000_000);
        let known = clock.server_time(10_000);
        clock.learn(1_000, 9_000, 1_004_000);
        assert_eq!(clock.server_time(10_000), known);
    }

    #[test]
    fn a_quick_answer_narrows_the_estimate() {
        let mut clock = Clock::default();
        clock.learn(0, 8_000, 1_000_000);
        clock.learn(10_000, 10_010, 1_009_000);
        assert_eq!(clock.server_time(10_010), Some(1_009_005));
    }

    #[test]
    fn a_contradiction_resets_the_estimate() {
        let mut clock = Clock::default();
        clock.learn(0, 10, 1_000_000);
        clock.learn(2_000, 2_010, 4_602_000);
        assert_eq!(clock.server_time(2_010), Some(4_602_005));
        clock.forget();
        assert_eq!(clock.server_time(2_010), None);
    }
}
