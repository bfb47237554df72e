//! Waiting for a running gateway.

use std::time::{Duration, Instant};

const TIMEOUT: Duration = Duration::from_secs(90);

pub(crate) fn eventually(what: &str, mut done: impl FnMut() -> bool) {
    wait(what, || done().then_some(()));
}

/// The value that comes eventually.
pub(crate) fn wait<T>(what: &str, mut value: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(value) = value() {
            return value;
        }
        assert!(started.elapsed() < TIMEOUT, "timed out: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
