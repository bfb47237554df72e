//! Shared by tests of real networks.

use std::time::{Duration, Instant};

const TIMEOUT: Duration = Duration::from_secs(90);

pub(crate) fn eventually(what: &str, mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(started.elapsed() < TIMEOUT, "timed out: {what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}
