//! Waiting for a running gateway.

use std::time::{Duration, Instant};

use checkout_test_support::patience;

pub(crate) fn eventually(what: &str, mut done: impl FnMut() -> bool) {
    wait(what, || done().then_some(()));
}

/// The value that comes eventually.
pub(crate) fn wait<T>(what: &str, value: impl FnMut() -> Option<T>) -> T {
    wait_or(what, value, String::new)
}

/// The value that comes eventually, or a failure that tells the state of things.
pub(crate) fn wait_or<T>(what: &str, mut value: impl FnMut() -> Option<T>, state: impl Fn() -> String) -> T {
    let started = Instant::now();
    loop {
        if let Some(value) = value() {
            return value;
        }
        assert!(started.elapsed() < patience(), "timed out: {what}\n{}", state());
        std::thread::sleep(Duration::from_millis(50));
    }
}
