//! The retry schedule of callbacks.

use super::Outcome;

/// Seconds between attempts: ten attempts within a little more than three days, as in Standard Webhooks.
const DELAYS: [u64; 9] = [5, 5 * 60, 30 * 60, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

const HOUR: u64 = 3_600;

/// The maximum `Retry-After` that is respected.
const LONGEST: u64 = 24 * HOUR;

/// "Gone": the endpoint wants no more attempts.
const GONE: u16 = 410;

/// Statuses for which `Retry-After` is respected.
const BUSY: [u16; 2] = [429, 503];

/// The state of a callback after an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Delivered,
    /// Due again at this UNIX second.
    Retry(u64),
    GivenUp,
}

/// Decides by the outcome of an attempt that ended at `now`, after `failures` earlier failures.
///
/// `retry_after` is the wait in seconds requested by the endpoint; `random` spreads attempts that failed
/// together.
pub fn next(outcome: &Outcome, retry_after: Option<u64>, failures: u32, now: u64, random: u16) -> Next {
    if outcome.is_success() {
        return Next::Delivered;
    }
    let asked = match outcome {
        Outcome::Answered { status: GONE } => return Next::GivenUp,
        Outcome::Answered { status } if BUSY.contains(status) => retry_after.unwrap_or(0).min(LONGEST),
        _ => 0,
    };
    retry(failures, asked, now, random)
}

/// When a failure at `now`, after `failures` earlier ones, is followed by another attempt: at least `asked` seconds later.
pub fn retry(failures: u32, asked: u64, now: u64, random: u16) -> Next {
    let delay = usize::try_from(failures).ok().and_then(|place| DELAYS.get(place));
    delay.map_or(Next::GivenUp, |delay| {
        Next::Retry(now.saturating_add(jittered((*delay).max(asked), asked, random)))
    })
}

/// Up to a tenth less or more, but never less than requested.
fn jittered(delay: u64, least: u64, random: u16) -> u64 {
    let per_mille = 900 + u64::from(random) % 201;
    (delay * per_mille).div_ceil(1_000).max(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIDDLE: u16 = 100;

    fn answered(status: u16) -> Outcome {
        Outcome::Answered { status }
    }

    #[test]
    fn what_follows() {
        let check = |outcome: &Outcome, retry_after, failures, expected| {
            assert_eq!(
                next(outcome, retry_after, failures, 1_000, MIDDLE),
                expected,
                "{outcome:?} {retry_after:?}"
            );
        };
        let silence = Outcome::Unanswered { reason: "no answer".to_owned() };
        check(&answered(200), None, 0, Next::Delivered);
        check(&answered(299), None, 9, Next::Delivered);
        check(&answered(204), Some(60), 3, Next::Delivered);
        for status in [100, 199, 300, 301, 302, 307, 308, 400, 401, 404, 429, 500, 502, 503] {
            check(&answered(status), None, 0, Next::Retry(1_005));
        }
        check(&silence, None, 0, Next::Retry(1_005));
        check(&silence, None, 8, Next::Retry(1_000 + 24 * HOUR));
        check(&silence, None, 9, Next::GivenUp);
        check(&answered(410), None, 0, Next::GivenUp);
        for status in BUSY {
            check(&answered(status), Some(60), 0, Next::Retry(1_060));
            check(&answered(status), Some(1), 0, Next::Retry(1_005));
            check(&answered(status), Some(u64::MAX), 0, Next::Retry(1_000 + 24 * HOUR));
        }
        check(&answered(500), Some(60), 0, Next::Retry(1_005));
    }

    #[test]
    fn ten_attempts_within_about_three_days() {
        for random in [0, MIDDLE, 200, u16::MAX] {
            let (mut now, mut attempts) = (0, 1);
            while let Next::Retry(at) = next(&answered(500), None, attempts - 1, now, random) {
                assert!(at > now);
                (now, attempts) = (at, attempts + 1);
            }
            assert_eq!(attempts, 10);
            assert!((67 * HOUR..85 * HOUR).contains(&now), "{now}");
        }
    }

    #[test]
    fn jitter_spreads_and_respects_retry_after() {
        let check = |random, expected| {
            assert_eq!(next(&answered(500), None, 2, 0, random), Next::Retry(expected));
        };
        check(0, 1_620);
        check(200, 1_980);
        assert_eq!(next(&answered(429), Some(3_600), 0, 0, 0), Next::Retry(3_600));
    }
}
