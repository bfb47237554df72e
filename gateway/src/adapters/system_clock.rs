//! The machine's clock, which the sandbox may run ahead of.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::ports::{Clock, MovableClock};

#[derive(Debug, Default)]
pub struct SystemClock {
    ahead_seconds: AtomicU64,
}

impl SystemClock {
    /// A clock that is this far ahead of the machine's.
    pub fn ahead(seconds: u64) -> Self {
        Self { ahead_seconds: AtomicU64::new(seconds) }
    }
}

impl MovableClock for SystemClock {
    fn run_ahead(&self, seconds: u64) {
        self.ahead_seconds.fetch_max(seconds, Ordering::SeqCst);
    }
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one clock that all time comes from")]
    fn now_millis(&self) -> u64 {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let millis = u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX);
        millis.saturating_add(self.ahead_seconds.load(Ordering::SeqCst).saturating_mul(1000))
    }
}
