//! The sandbox's clock: the system clock plus an offset that the control API increases.

use std::sync::atomic::{AtomicU64, Ordering};

use checkout_domain::ports::Clock;
use checkout_domain::ports::system_clock::SystemClock;

/// A clock that the sandbox can advance.
pub trait MovableClock: Clock {
    /// Sets the offset from the system clock in seconds. The clock never goes back.
    fn run_ahead(&self, seconds: u64);
}

#[derive(Debug, Default)]
pub struct SandboxClock {
    ahead_seconds: AtomicU64,
}

impl SandboxClock {
    /// Creates a clock that is `seconds` ahead of the system clock.
    pub fn ahead(seconds: u64) -> Self {
        Self { ahead_seconds: AtomicU64::new(seconds) }
    }
}

impl MovableClock for SandboxClock {
    fn run_ahead(&self, seconds: u64) {
        self.ahead_seconds.fetch_max(seconds, Ordering::SeqCst);
    }
}

impl Clock for SandboxClock {
    fn now_millis(&self) -> u64 {
        let ahead = self.ahead_seconds.load(Ordering::SeqCst).saturating_mul(1000);
        SystemClock.now_millis().saturating_add(ahead)
    }

    fn outside(&self) -> u64 {
        SystemClock.now()
    }
}
