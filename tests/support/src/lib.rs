//! What all tests share: how long they wait for something, and processes that end with the test.
#![cfg(unix)]

mod leash;

use std::sync::OnceLock;
use std::time::Duration;

pub use leash::Leashed;

/// How long a test waits for what has to happen, until it fails. It says nothing about speed: a busy machine is no defect.
/// A minute, times the load of each processor above one; `CHECKOUT_TEST_PATIENCE` sets another factor.
pub fn patience() -> Duration {
    Duration::from_mins(1) * factor()
}

/// By how much this machine is slower than a quiet one, for limits of time that tests cannot do without.
pub fn factor() -> u32 {
    static FACTOR: OnceLock<u32> = OnceLock::new();
    *FACTOR.get_or_init(|| {
        let set = std::env::var("CHECKOUT_TEST_PATIENCE").ok().and_then(|text| text.parse().ok());
        set.unwrap_or_else(|| {
            // Runnable processes.
            let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
            let load: u32 = load.split('.').next().and_then(|whole| whole.parse().ok()).unwrap_or(0);
            let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
            1 + load / u32::try_from(cores).unwrap_or(1)
        })
    })
}
