//! Waiting for conditions.

use std::time::{Duration, Instant};

use checkout_test_support::patience;

/// Polling interval.
pub(crate) const LOOK: Duration = Duration::from_millis(40);

/// Waits until the condition holds.
pub(crate) async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + patience();
    while !holds().await {
        assert!(Instant::now() < deadline, "After {:?} this does not hold: {what}.", patience());
        tokio::time::sleep(LOOK).await;
    }
}
