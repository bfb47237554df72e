//! How long a node may lag behind what it said before. Several servers stand behind one URL, and some are late.

use std::time::{Duration, Instant};

use alloy_primitives::B256;
use parking_lot::Mutex;

/// Most lags last less.
const LAG: Duration = Duration::from_secs(3);

/// The block after which something is missing, and since when.
#[derive(Debug, Default)]
pub(crate) struct Patience(Mutex<Option<(B256, Instant)>>);

impl Patience {
    /// Whether what is missing after this block may still come.
    pub(crate) fn lasts(&self, after: B256, now: Instant) -> bool {
        let mut waiting = self.0.lock();
        match *waiting {
            Some((block, since)) if block == after => now.saturating_duration_since(since) < LAG,
            _ => {
                *waiting = Some((after, now));
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_after_some_seconds_for_each_block() {
        let (patience, start) = (Patience::default(), Instant::now());
        let check = |block, after, expected| {
            assert_eq!(
                patience.lasts(B256::with_last_byte(block), start + after),
                expected,
                "{block} {after:?}"
            );
        };
        check(1, Duration::ZERO, true);
        check(1, LAG / 2, true);
        check(1, LAG, false);
        check(2, LAG, true);
        check(2, LAG * 2, false);
        check(1, LAG * 2, true);
    }
}
