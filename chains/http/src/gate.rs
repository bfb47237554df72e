//! Requests to a server with limits: none before the server wants one again, and no more than a budget.

use std::fmt;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use reqwest::header::{HeaderMap, RETRY_AFTER};

/// Waits after a refusal without `Retry-After`; they double with each one.
#[derive(Clone, Copy, Debug)]
pub struct Waits {
    pub first: Duration,
    pub longest: Duration,
}

impl Default for Waits {
    fn default() -> Self {
        Self { first: Duration::from_secs(1), longest: Duration::from_mins(1) }
    }
}

impl Waits {
    /// `refusals`: so many came before.
    fn after(self, refusals: u32, asked: Option<Duration>) -> Duration {
        asked.map_or_else(
            || (self.first * 2_u32.saturating_pow(refusals.min(10))).min(self.longest),
            |asked| asked.min(LONGEST_ASKED),
        )
    }
}

/// A server that asks for more is asked again after this.
const LONGEST_ASKED: Duration = Duration::from_hours(1);

/// So many requests in a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub requests: u32,
    pub period: Duration,
}

impl Budget {
    pub fn hourly(requests: u32) -> Self {
        Self { requests, period: Duration::from_hours(1) }
    }

    pub fn daily(requests: u32) -> Self {
        Self { requests, period: Duration::from_hours(24) }
    }
}

/// Why a request is not sent now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Throttled {
    /// The server's rate limit is reached.
    ByServer(Duration),
    ByBudget(Duration),
}

impl Throttled {
    pub fn wait(self) -> Duration {
        let (Self::ByServer(wait) | Self::ByBudget(wait)) = self;
        wait
    }
}

impl fmt::Display for Throttled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ByServer(wait) => {
                write!(f, "the server's rate limit is reached; it is asked again in {} s", wait.as_secs() + 1)
            }
            Self::ByBudget(wait) => {
                write!(f, "the budget of requests is used up; it is asked again in {} s", wait.as_secs() + 1)
            }
        }
    }
}

#[derive(Debug, Default)]
pub struct RequestGate {
    budget: Option<Budget>,
    state: Mutex<GateState>,
}

/// When a request was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent(Instant);

#[derive(Clone, Copy, Debug, Default)]
struct GateState {
    closed: Option<Instant>,
    /// The last refusal that was counted.
    refused: Option<Instant>,
    refusals: u32,
    /// When the requests sent so far are paid for by the budget.
    paid: Option<Instant>,
}

impl RequestGate {
    pub fn new(budget: Option<Budget>) -> Self {
        Self { budget, state: Mutex::default() }
    }

    /// Whether no refusal of the server stands in the way.
    pub fn is_open(&self) -> Result<(), Throttled> {
        let now = Instant::now();
        let closed = self.state.lock().closed.filter(|until| *until > now);
        closed.map_or(Ok(()), |until| Err(Throttled::ByServer(until - now)))
    }

    /// Asked before each request; `calls`: how many the server counts it as.
    pub fn pass(&self, calls: usize) -> Result<Sent, Throttled> {
        self.pass_at(Instant::now(), calls)
    }

    fn pass_at(&self, now: Instant, calls: usize) -> Result<Sent, Throttled> {
        let mut state = self.state.lock();
        if let Some(closed) = state.closed.filter(|until| *until > now) {
            return Err(Throttled::ByServer(closed - now));
        }
        let Some(Budget { requests, period }) = self.budget else { return Ok(Sent(now)) };
        let calls = u32::try_from(calls).unwrap_or(u32::MAX);
        let paid = state.paid.unwrap_or(now).max(now) + (period / requests.max(1)).saturating_mul(calls);
        // One request larger than the whole budget may go out when nothing else was sent.
        if paid > now + period && state.paid.is_some_and(|paid| paid > now) {
            return Err(Throttled::ByBudget(paid - (now + period)));
        }
        state.paid = Some(paid);
        Ok(Sent(now))
    }

    /// The server refused a request because of its limit. Requests that were on their way at the same time are one refusal.
    /// Returns for how long nothing is sent.
    pub fn refused(&self, sent: Sent, retry_after: Option<Duration>, waits: Waits) -> Duration {
        self.refused_at(Instant::now(), sent, retry_after, waits)
    }

    fn refused_at(
        &self,
        now: Instant,
        Sent(sent): Sent,
        retry_after: Option<Duration>,
        waits: Waits,
    ) -> Duration {
        let mut state = self.state.lock();
        if state.refused.is_some_and(|refused| sent <= refused) {
            state.closed = state.closed.max(retry_after.map(|asked| now + waits.after(0, Some(asked))));
        } else {
            state.closed = Some(now + waits.after(state.refusals, retry_after));
            state.refused = Some(now);
            state.refusals = state.refusals.saturating_add(1);
        }
        state.closed.map_or(Duration::ZERO, |closed| closed.saturating_duration_since(now))
    }

    /// The server answered. An answer to what was sent before a refusal says nothing new.
    pub fn answered(&self, Sent(sent): Sent) {
        let mut state = self.state.lock();
        if state.refused.is_none_or(|refused| sent > refused) {
            state.refusals = 0;
        }
    }
}

/// `Retry-After` in seconds. As a date it counts like a missing one.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    #[test]
    fn a_server_that_refuses_is_left_alone_for_a_while() {
        let (gate, start) = (RequestGate::default(), Instant::now());
        let check = |after: u64, passes: bool| {
            assert_eq!(gate.pass_at(start + Duration::from_millis(after), 1).is_ok(), passes, "{after} ms");
        };
        check(0, true);
        let refused = |at: u64, asked| {
            let now = start + Duration::from_secs(at);
            gate.refused_at(now, Sent(now), asked, Waits::default());
        };
        refused(0, Some(Duration::from_secs(30)));
        check(29_999, false);
        check(30_000, true);
        gate.answered(Sent(start + Duration::from_secs(30)));
        for (at, wait) in [(40, 1_u64), (50, 2), (60, 4), (70, 8)] {
            refused(at, None);
            check((at + wait) * 1000 - 1, false);
            check((at + wait) * 1000, true);
        }
        gate.answered(Sent(start + Duration::from_secs(80)));
        refused(100, Some(Duration::from_hours(9)));
        check(100_000 + 3_599_000, false);
        check(100_000 + 3_600_000, true);
    }

    #[test]
    fn requests_that_are_refused_together_are_one_refusal() {
        let (gate, start) = (RequestGate::default(), Instant::now());
        let at = |millis| start + Duration::from_millis(millis);
        let sent: Vec<Sent> = (0..8).map(|millis| gate.pass_at(at(millis), 1).unwrap()).collect();
        // The last answer comes when the first wait is over.
        for (millis, sent) in (0..).map(|answer| 100 + answer * 150).zip(&sent) {
            gate.refused_at(at(millis), *sent, None, Waits::default());
        }
        assert!(gate.pass_at(at(1_099), 1).is_err());
        let next = gate.pass_at(at(1_200), 1).unwrap();
        // An answer to an old request.
        gate.answered(sent[0]);
        gate.refused_at(at(1_300), next, None, Waits::default());
        assert!(gate.pass_at(at(3_299), 1).is_err(), "the second refusal waits twice as long");
        assert!(gate.pass_at(at(3_300), 1).is_ok());
        gate.refused_at(at(3_400), next, Some(Duration::from_secs(9)), Waits::default());
        assert!(gate.pass_at(at(12_399), 1).is_err() && gate.pass_at(at(12_400), 1).is_ok(), "as asked");
    }

    #[test]
    fn a_budget_is_kept_and_comes_back() {
        let (gate, start) = (RequestGate::new(Some(Budget::hourly(3600))), Instant::now());
        let pass = |after: u64, calls| gate.pass_at(start + Duration::from_secs(after), calls).is_ok();
        assert!((0..3600).all(|_| pass(0, 1)), "a whole hour's requests at once");
        assert!(!pass(0, 1));
        assert!(pass(1, 1) && !pass(1, 1), "then one each second");
        assert!(!pass(10, 20) && pass(10, 9), "a batch counts each of its calls");
        let sent: usize = (11..3_611).filter(|second| pass(*second, 1)).count();
        assert_eq!(sent, 3_600);
        assert!(RequestGate::default().pass_at(start, usize::MAX).is_ok(), "without a budget");
    }

    #[test]
    fn waits_as_long_as_asked_or_longer_each_time() {
        let waits = Waits { first: Duration::from_secs(5), longest: Duration::from_mins(5) };
        let check = |asked: Option<&'static str>, refusals, expected: u64| {
            let mut headers = HeaderMap::new();
            headers.extend(asked.map(|asked| (RETRY_AFTER, HeaderValue::from_static(asked))));
            assert_eq!(waits.after(refusals, retry_after(&headers)).as_secs(), expected, "{asked:?}");
        };
        check(Some("30"), 5, 30);
        check(Some(" 0 "), 0, 0);
        check(Some("999999"), 0, 3_600);
        check(Some("Wed, 21 Oct 2026 07:28:00 GMT"), 0, 5);
        check(None, 0, 5);
        check(None, 3, 40);
        check(None, 60, 300);
    }
}
