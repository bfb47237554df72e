//! Waiting for conditions.

use std::time::{Duration, Instant};

use checkout_test_support::patience;

/// Polling interval.
pub(crate) const LOOK: Duration = Duration::from_millis(40);

/// Waits until the condition holds.
pub(crate) async fn eventually(what: &str, holds: impl AsyncFnMut() -> bool) {
    within(patience(), what, holds).await;
}

pub(crate) async fn within(time: Duration, what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + time;
    while !holds().await {
        assert!(Instant::now() < deadline, "After {time:?} this does not hold: {what}.");
        tokio::time::sleep(LOOK).await;
    }
}
