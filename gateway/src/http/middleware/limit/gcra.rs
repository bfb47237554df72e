//! The generic cell rate algorithm: a bucket is the one moment at which it will be empty again.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::domain::access::rate_limits::Quota;

/// Buckets that are kept at most. Beyond it those are forgotten first that are empty anyway.
const MOST: usize = 100_000;

/// One bucket for each key. Times count from a common beginning.
pub(super) struct Buckets<K>(Mutex<BTreeMap<K, Duration>>);

impl<K: Ord> Default for Buckets<K> {
    fn default() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }
}

impl<K: Ord> Buckets<K> {
    /// Counts one request; how long to wait when it is one too many, which is not counted.
    pub(super) fn take(&self, key: K, quota: Quota, now: Duration) -> Option<Duration> {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let empty_at = buckets.get(&key).copied().unwrap_or_default().max(now);
        if let Some(wait) = wait(empty_at, quota, now) {
            return Some(wait);
        }
        if buckets.len() >= MOST {
            buckets.retain(|_, empty_at| *empty_at > now);
            if buckets.len() >= MOST {
                buckets.pop_first();
            }
        }
        buckets.insert(key, empty_at + interval(quota));
        None
    }

    /// What [`take`](Self::take) would say, without counting.
    pub(super) fn look(&self, key: &K, quota: Quota, now: Duration) -> Option<Duration> {
        let buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        wait(buckets.get(key).copied().unwrap_or_default().max(now), quota, now)
    }
}

fn interval(quota: Quota) -> Duration {
    Duration::from_mins(1) / quota.per_minute.max(1)
}

fn wait(empty_at: Duration, quota: Quota, now: Duration) -> Option<Duration> {
    let room = interval(quota) * quota.burst.max(1);
    let earliest = (empty_at + interval(quota)).saturating_sub(room);
    earliest.checked_sub(now).filter(|wait| !wait.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUOTA: Quota = Quota { per_minute: 60, burst: 3 };

    fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_burst_then_the_rate() {
        let buckets = Buckets::default();
        let check = |millis, expected: Option<u64>| {
            assert_eq!(buckets.take("a", QUOTA, at(millis)), expected.map(at), "{millis}");
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
    fn keys_are_apart_and_looking_counts_nothing() {
        let buckets = Buckets::default();
        for _ in 0..3 {
            assert_eq!(buckets.look(&"a", QUOTA, at(0)), None);
            assert_eq!(buckets.take("a", QUOTA, at(0)), None);
        }
        assert_eq!(buckets.look(&"a", QUOTA, at(0)), Some(at(1_000)));
        assert_eq!(buckets.take("b", QUOTA, at(0)), None);
    }

    #[test]
    fn memory_has_an_end() {
        let buckets = Buckets::default();
        for key in 0..MOST + 10 {
            assert_eq!(buckets.take(key, QUOTA, at(0)), None);
        }
        assert_eq!(buckets.0.lock().unwrap().len(), MOST);
        buckets.take(MOST + 10, QUOTA, at(5_000));
        assert_eq!(buckets.0.lock().unwrap().len(), 1, "what is empty is forgotten");
    }
}
