//! Waiting for conditions.

use std::time::{Duration, Instant};

/// Time limit for a condition. Generous, because a busy machine is not a defect; speed is measured
/// separately.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// Polling interval.
pub(crate) const LOOK: Duration = Duration::from_millis(40);

/// Waits until the condition holds.
pub(crate) async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !holds().await {
        assert!(Instant::now() < deadline, "After {TIMEOUT:?} this does not hold: {what}.");
        tokio::time::sleep(LOOK).await;
    }
}
