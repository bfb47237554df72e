//! The last answer of a source, and when it is asked again.

use std::time::{Duration, Instant};

use super::fetch::Failure;

/// The first delay after a failure; it doubles up to the usual pause.
const FIRST_RETRY: Duration = Duration::from_secs(1);

/// The longest pause that a source can ask for.
const LONGEST: Duration = Duration::from_hours(1);

#[derive(Debug, Default)]
pub(super) struct Held {
    /// The body of the last answer, and when it came. `None` after a failure.
    pub(super) answer: Option<(Vec<u8>, Instant)>,
    due: Option<Instant>,
    failures: u32,
    /// Why the last attempt failed.
    pub(super) problem: Option<String>,
    /// What was wrong with prices of the last answer.
    odd: Vec<String>,
}

impl Held {
    pub(super) fn is_due(&self, at: Instant) -> bool {
        self.due.is_none_or(|due| due <= at)
    }

    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    pub(super) fn succeed(&mut self, body: Vec<u8>, at: Instant, every: Duration) {
        let odd = std::mem::take(&mut self.odd);
        *self = Self { answer: Some((body, at)), due: Some(at + every), odd, ..Self::default() };
    }

    /// Returns whether an answer is given up.
    pub(super) fn fail(&mut self, failure: Failure, at: Instant, every: Duration) -> bool {
        let pause = match &failure.refusal {
            Some(refusal) if refusal.is_final() => every.max(refusal.wait.unwrap_or_default().min(LONGEST)),
            _ => FIRST_RETRY.saturating_mul(2_u32.saturating_pow(self.failures)).min(every),
        };
        self.failures = self.failures.saturating_add(1);
        self.due = Some(at + pause);
        self.problem = Some(failure.reason);
        self.answer.take().is_some()
    }

    /// Logs what is wrong with prices, once.
    pub(super) fn note(&mut self, source: &str, odd: &[String]) {
        if self.odd != odd {
            for odd in odd {
                tracing::warn!(source, odd, "a price of a feed is left out");
            }
            self.odd = odd.to_vec();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::refusal::FeedRefusal;
    use super::*;

    #[test]
    fn pauses_after_failures() {
        let (start, every) = (Instant::now(), Duration::from_secs(30));
        let mut held = Held::default();
        assert!(held.is_due(start));
        let mut check = |refusal: Option<FeedRefusal>, expected: u64| {
            held.fail(Failure { reason: String::new(), refusal }, start, every);
            assert_eq!(held.due(), Some(start + Duration::from_secs(expected)));
        };
        for expected in [1, 2, 4, 8, 16, 30, 30] {
            check(None, expected);
        }
        let refused = |status, wait: Option<u64>| {
            Some(FeedRefusal { status, code: None, said: String::new(), wait: wait.map(Duration::from_secs) })
        };
        check(refused(401, None), 30);
        check(refused(429, Some(60)), 60);
        check(refused(429, Some(1)), 30);
        check(refused(429, Some(1_000_000)), 3_600);
        held.succeed(Vec::new(), start, every);
        let mut check = |refusal: Option<FeedRefusal>, expected: u64| {
            held.fail(Failure { reason: String::new(), refusal }, start, every);
            assert_eq!(held.due(), Some(start + Duration::from_secs(expected)));
        };
        check(refused(503, None), 1);
        check(refused(401, None), 30);
    }
}
