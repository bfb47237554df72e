//! The connection to the gateway: one call at a time, when the next call is due, and whether the page is online.

use crate::clock::Millis;

/// The browser aborts a call after this time.
pub const CALL_TIMEOUT: Millis = 10_000;

/// The page shows that it is offline when a call has had no answer for this time.
pub const CALL_SLOW: Millis = 5_000;

/// A call without a result after this time counts as failed, in case the browser lost it.
pub const CALL_LOST: Millis = CALL_TIMEOUT + 4_000;

/// The purpose of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Reads everything that the page needs to start.
    Open,
    /// Reads the payment.
    Watch,
    /// Sends the payer's choice of currency and network.
    Quote,
}

/// A call without an answer yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InFlight {
    pub id: u32,
    pub purpose: Purpose,
    pub since: Millis,
}

/// How often the page polls, by how likely a change is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// A transfer can appear or be confirmed at any moment.
    Live,
    /// The payer still chooses, or the window is over: a change is possible but unlikely.
    Calm,
    /// Paid: only a refund or a reorganisation can change it.
    Settled,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    pub in_flight: Option<InFlight>,
    /// When the next call is due; `None`: no more calls.
    pub due: Option<Millis>,
    pub etag: Option<String>,
    pub hidden: bool,
    /// The browser reports that the device has no network.
    pub unplugged: bool,
    /// When the first of consecutive refusals of the token arrived.
    refused_since: Option<Millis>,
    failures: u32,
    lost_since: Option<Millis>,
    fresh_since: Millis,
    last_news: Option<Millis>,
    /// The end of the wait requested by the gateway.
    busy_until: Option<Millis>,
    last_id: u32,
    dice: u32,
}

impl Connection {
    /// Returns a connection whose first call is due at once. `seed` varies the waiting times between pages.
    pub fn new(now: Millis, seed: u32) -> Self {
        Self {
            in_flight: None,
            due: Some(now),
            etag: None,
            hidden: false,
            unplugged: false,
            refused_since: None,
            failures: 0,
            lost_since: None,
            fresh_since: now,
            last_news: None,
            busy_until: None,
            last_id: 0,
            dice: seed | 1,
        }
    }

    /// Starts a call; answers to earlier calls no longer count.
    pub fn start(&mut self, purpose: Purpose, now: Millis) -> u32 {
        self.last_id = self.last_id.wrapping_add(1);
        self.in_flight = Some(InFlight { id: self.last_id, purpose, since: now });
        self.last_id
    }

    /// Ends the call `id`; returns `None` when the call no longer counts.
    pub fn land(&mut self, id: u32) -> Option<InFlight> {
        self.in_flight.take_if(|flight| flight.id == id)
    }

    /// Records an answer of the gateway.
    pub fn succeeded(&mut self, now: Millis, pace: Pace) {
        (self.failures, self.lost_since, self.busy_until) = (0, None, None);
        self.refused_since = None;
        self.last_news = Some(now);
        self.plan(now, pace);
    }

    /// Schedules the next call at `pace`.
    pub fn plan(&mut self, now: Millis, pace: Pace) {
        let wait = interval(pace, now.saturating_sub(self.fresh_since), self.hidden);
        self.due = Some(now + wait);
    }

    /// Records a call that failed, or an error of the gateway.
    pub fn failed(&mut self, now: Millis, retry_after_seconds: Option<u32>) {
        let lost_since = *self.lost_since.get_or_insert(now);
        let dice = self.roll();
        let wait = backoff(self.failures, now.saturating_sub(lost_since), dice);
        self.failures = self.failures.saturating_add(1);
        let asked = asked_for(retry_after_seconds, dice);
        self.busy_until = (asked > 0).then_some(now + asked);
        self.due = Some(now + wait.max(asked));
    }

    /// Records an answer that asks the page to wait (429).
    pub fn slowed(&mut self, now: Millis, pace: Pace, retry_after_seconds: Option<u32>) {
        let dice = self.roll();
        self.succeeded(now, pace);
        let wait = asked_for(retry_after_seconds, dice).max(3_000);
        self.busy_until = Some(now + wait);
        self.due = self.due.map(|due| due.max(now + wait));
    }

    /// Restarts the polling interval after a change, because more changes are likely.
    pub fn refresh(&mut self, now: Millis, pace: Pace) {
        self.fresh_since = now;
        if self.failures == 0 && self.due.is_some_and(|due| due > now) {
            self.plan(now, pace);
        }
    }

    /// Makes a call due at once because the payer or the network is back, unless the last answer is less than
    /// 1 s old.
    pub fn hurry(&mut self, now: Millis, pace: Pace) {
        let just_now = self.last_news.is_some_and(|news| now.saturating_sub(news) < 1_000);
        match self.due {
            None => {}
            Some(_) if just_now && self.failures == 0 => self.plan(now, pace),
            Some(_) => self.due = Some(now),
        }
    }

    /// Records an answer that refused the token, and returns for how long it has been refused. A faulty
    /// deployment may be the cause, so the page retries as after a failure.
    pub fn refused(&mut self, now: Millis) -> Millis {
        let since = *self.refused_since.get_or_insert(now);
        self.failed(now, None);
        now - since
    }

    /// Records a refused token on a page that needs no more answers.
    pub fn retired(&mut self, now: Millis) {
        (self.failures, self.lost_since, self.busy_until) = (0, None, None);
        self.due = Some(now + LONGEST_WAIT);
    }

    /// Whether the page counts as online. One failed call does not make it offline; one hanging call does.
    pub fn is_online(&self, now: Millis) -> bool {
        let hangs = self.in_flight.is_some_and(|call| now.saturating_sub(call.since) >= CALL_SLOW);
        !self.unplugged && self.failures < 2 && !hangs
    }

    /// Whether the page shows a message about the connection.
    pub fn is_told(&self, now: Millis) -> bool {
        !self.is_online(now) || self.is_busy(now)
    }

    /// Whether the page waits because the gateway asked it to.
    pub fn is_busy(&self, now: Millis) -> bool {
        self.busy_until.is_some_and(|until| until > now)
    }

    fn roll(&mut self) -> u32 {
        // xorshift32: enough to keep pages from calling at the same time.
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 17;
        self.dice ^= self.dice << 5;
        self.dice
    }
}

/// The time to the next call: short while a change is likely. A wait of 15 minutes takes at most 120 calls.
fn interval(pace: Pace, age: Millis, hidden: bool) -> Millis {
    let wait = match (pace, age) {
        (Pace::Live, ..90_000) => 2_500,
        (Pace::Live, ..300_000) | (Pace::Calm, ..30_000) => 5_000,
        (Pace::Live, ..900_000) => 16_000,
        (Pace::Calm, ..900_000) => 12_000,
        (Pace::Settled, 600_000..) => 60_000,
        _ => 30_000,
    };
    if hidden { wait.max(30_000) } else { wait }
}

/// Full jitter below a ceiling that starts at one second and doubles. The ceiling is at most 4.5 seconds for the first
/// two minutes, so that the page recovers within 5 seconds after a short outage, and 30 seconds after that.
fn backoff(failures: u32, lost_for: Millis, dice: u32) -> Millis {
    let limit = if lost_for < 120_000 { 4_500 } else { 30_000 };
    let ceiling = (1_000_u64 << failures.min(5)).min(limit);
    250 + u64::from(dice) % ceiling
}

/// The longest wait after a refused token, a refused payment or a `Retry-After`, without jitter.
pub const LONGEST_WAIT: Millis = 30_000;

/// The wait that `Retry-After` asks for, at most [`LONGEST_WAIT`], plus jitter so that pages do not
/// return at the same time.
fn asked_for(retry_after_seconds: Option<u32>, dice: u32) -> Millis {
    let asked = retry_after_seconds.map(|seconds| (u64::from(seconds) * 1_000).min(LONGEST_WAIT));
    asked.map_or(0, |millis| millis + u64::from(dice) % 1_000)
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The number of calls in `minutes` when each is answered at once.
    fn calls(pace: Pace, minutes: u64, hidden: bool) -> usize {
        let mut connection = Connection::new(0, 1);
        connection.hidden = hidden;
        let mut count = 0;
        let mut now = 0;
        while now < minutes * 60_000 {
            let id = connection.start(Purpose::Watch, now);
            connection.land(id);
            connection.succeeded(now, pace);
            count += 1;
            now = connection.due.expect("a poll is due");
        }
        count
    }

    #[test]
    fn a_wait_of_15_minutes_takes_at_most_120_calls() {
        let count = calls(Pace::Live, 15, false);
        assert!((100..=118).contains(&count), "{count}");
        assert!(calls(Pace::Calm, 15, false) <= 90);
        assert!(calls(Pace::Settled, 15, false) <= 26);
        assert!(calls(Pace::Live, 15, true) <= 30);
    }

    #[test]
    fn changes_within_three_seconds_while_fresh() {
        let mut connection = Connection::new(0, 1);
        connection.succeeded(60_000, Pace::Live);
        assert_eq!(connection.due, Some(62_500));
        connection.succeeded(400_000, Pace::Live);
        assert_eq!(connection.due, Some(416_000));
        connection.refresh(400_000, Pace::Live);
        assert_eq!(connection.due, Some(402_500));
    }

    #[test]
    fn an_answer_to_a_replaced_call_is_ignored() {
        let mut connection = Connection::new(0, 1);
        let first = connection.start(Purpose::Watch, 0);
        let second = connection.start(Purpose::Quote, 10);
        assert_eq!(connection.land(first), None);
        assert_eq!(connection.land(second).map(|flight| flight.purpose), Some(Purpose::Quote));
        assert_eq!(connection.land(second), None);
    }

    #[test]
    fn two_failures_are_offline_and_one_answer_is_online() {
        let mut connection = Connection::new(0, 1);
        connection.failed(0, None);
        assert!(connection.is_online(60_000));
        connection.failed(1_000, None);
        assert!(!connection.is_online(60_000));
        connection.succeeded(2_000, Pace::Live);
        assert!(connection.is_online(60_000));
        connection.unplugged = true;
        assert!(!connection.is_online(60_000));
    }

    #[test]
    fn retry_after_is_respected_and_bounded() {
        let check = |seconds, least, most| {
            let mut connection = Connection::new(0, 7);
            connection.failed(0, Some(seconds));
            let due = connection.due.unwrap();
            assert!((least..=most).contains(&due), "{seconds}: {due}");
            let mut connection = Connection::new(0, 7);
            connection.slowed(0, Pace::Live, Some(seconds));
            let due = connection.due.unwrap();
            assert!((least.max(3_000)..=most.max(3_000)).contains(&due), "{seconds}: {due}");
            assert!(connection.is_online(60_000));
        };
        check(0, 0, 1_250);
        check(20, 20_000, 21_000);
        check(86_400, 30_000, 31_000);
    }

    #[test]
    fn recovers_soon_after_eight_seconds_without_a_network() {
        for seed in 0..1_000 {
            let mut connection = Connection::new(0, seed * 7_919);
            let mut now = 0;
            while now < 8_000 {
                connection.failed(now, None);
                now = connection.due.unwrap();
            }
            assert!(now <= 8_000 + 4_750, "seed {seed}: the first call after the outage was at {now}");
        }
    }

    #[test]
    fn a_returning_payer_causes_one_immediate_poll() {
        let mut connection = Connection::new(0, 1);
        connection.succeeded(10_000, Pace::Live);
        connection.hurry(10_500, Pace::Live);
        assert_eq!(connection.due, Some(13_000));
        connection.hurry(11_500, Pace::Live);
        assert_eq!(connection.due, Some(11_500));
        connection.due = None;
        connection.hurry(60_000, Pace::Live);
        assert_eq!(connection.due, None);
    }

    proptest! {
        #[test]
        fn a_failure_always_leaves_a_call_due(failures in 0_u32..200, lost in 0_u64..10_000_000, dice: u32) {
            let wait = backoff(failures, lost, dice);
            let most = if lost < 120_000 { 4_750 } else { 30_250 };
            prop_assert!((250..=most).contains(&wait));
        }
    }
}
