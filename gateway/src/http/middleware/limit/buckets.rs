//! A token bucket per key, by `governor`, in bounded memory.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use checkout_domain::access::rate_limits::Quota;
use governor::RateLimiter;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::StateStore;
use hashlink::LruCache;
use parking_lot::{Mutex, MutexGuard};

/// The maximum number of buckets; above it, the least recently used one is dropped.
const MAX_BUCKETS: usize = 100_000;

pub(crate) struct Buckets<K: Hash + Eq + Clone, C: Clock + Clone = DefaultClock> {
    limiter: RateLimiter<K, Store<K>, C, NoOpMiddleware<C::Instant>>,
    store: Store<K>,
    clock: C,
    /// Between two requests at the steady rate.
    interval: Duration,
}

impl<K: Hash + Eq + Clone> Buckets<K> {
    pub(crate) fn new(quota: Quota) -> Self {
        Self::with_clock(quota, DefaultClock::default())
    }
}

impl<K: Hash + Eq + Clone, C: Clock + Clone> Buckets<K, C> {
    fn with_clock(quota: Quota, clock: C) -> Self {
        let store = Store(Arc::new(Mutex::new(LruCache::new(MAX_BUCKETS))));
        let limiter = RateLimiter::new(quota_of(quota), store.clone(), clock.clone());
        Self { limiter, store, clock, interval: interval_of(quota) }
    }

    /// Counts one request. If it exceeds the limit, returns how long to wait and does not count it.
    pub(crate) fn take(&self, key: &K) -> Option<Duration> {
        self.limiter.check_key(key).err().map(|until| until.wait_time_from(self.clock.now()))
    }

    /// Takes back that one request was counted.
    pub(crate) fn give_back(&self, key: &K) {
        if let Some(empty_at) = self.store.lock().get_mut(key) {
            *empty_at = empty_at.saturating_sub(self.interval.into());
        }
    }

    /// Whether a request was counted for this key.
    pub(crate) fn knows(&self, key: &K) -> bool {
        self.store.lock().contains_key(key)
    }

    pub(crate) fn forget(&self, key: &K) {
        self.store.lock().remove(key);
    }
}

fn interval_of(quota: Quota) -> Duration {
    Duration::from_mins(1) / quota.per_minute.max(1)
}

fn quota_of(quota: Quota) -> governor::Quota {
    let burst = NonZeroU32::new(quota.burst).unwrap_or(NonZeroU32::MIN);
    governor::Quota::with_period(interval_of(quota)).expect("an interval is not zero").allow_burst(burst)
}

/// The time at which each bucket is empty. `governor`'s own map can only be shortened by age.
struct Store<K>(Arc<Mutex<LruCache<K, Nanos>>>);

impl<K> Store<K> {
    fn lock(&self) -> MutexGuard<'_, LruCache<K, Nanos>> {
        self.0.lock()
    }
}

impl<K> Clone for Store<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Hash + Eq + Clone> StateStore for Store<K> {
    type Key = K;

    fn measure_and_replace<T, F, E>(&self, key: &K, measure: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let mut buckets = self.lock();
        let (outcome, empty_at) = measure(buckets.get(key).copied())?;
        buckets.insert(key.clone(), empty_at);
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    const QUOTA: Quota = Quota { per_minute: 60, burst: 3 };

    fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_burst_then_the_rate() {
        let clock = FakeRelativeClock::default();
        let buckets = Buckets::with_clock(QUOTA, clock.clone());
        let mut now: u64 = 0;
        let mut check = |millis, expected: Option<u64>| {
            clock.advance(at(millis - now));
            now = millis;
            assert_eq!(buckets.take(&"a"), expected.map(at), "{millis}");
        };
        for _ in 0..3 {
            check(0, None);
        }
        check(0, Some(1_000));
        check(400, Some(600));
        check(1_000, None);
        check(1_000, Some(1_000));
        check(3_000, None);
        check(3_000, None);
        check(3_000, Some(1_000));
        for _ in 0..3 {
            check(100_000, None);
        }
        check(100_000, Some(1_000));
    }

    #[test]
    fn keys_are_apart() {
        let buckets = Buckets::with_clock(QUOTA, FakeRelativeClock::default());
        assert!(!buckets.knows(&"a"));
        for _ in 0..3 {
            assert_eq!(buckets.take(&"a"), None);
        }
        assert_eq!(buckets.take(&"a"), Some(at(1_000)));
        assert_eq!(buckets.take(&"b"), None);
        buckets.forget(&"a");
        assert_eq!((buckets.knows(&"a"), buckets.knows(&"b")), (false, true));
    }

    #[test]
    fn what_is_given_back_was_not_counted() {
        let buckets = Buckets::with_clock(QUOTA, FakeRelativeClock::default());
        buckets.give_back(&"a");
        for _ in 0..50 {
            assert_eq!(buckets.take(&"a"), None);
            buckets.give_back(&"a");
        }
        for expected in [None, None, None, Some(at(1_000))] {
            assert_eq!(buckets.take(&"a"), expected);
        }
        buckets.give_back(&"a");
        assert_eq!([buckets.take(&"a"), buckets.take(&"a")], [None, Some(at(1_000))]);
    }

    #[test]
    fn memory_is_bounded() {
        let buckets = Buckets::with_clock(QUOTA, FakeRelativeClock::default());
        for key in 0..MAX_BUCKETS + 10 {
            assert_eq!(buckets.take(&key), None);
        }
        assert_eq!(buckets.store.lock().len(), MAX_BUCKETS);
        assert_eq!((buckets.knows(&0), buckets.knows(&10)), (false, true));
    }
}
