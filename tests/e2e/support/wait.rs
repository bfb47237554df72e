//! Waits for conditions.

use std::time::{Duration, Instant};

/// How long a condition may take before the journey fails. It is generous because machines can be busy; speed is
/// measured elsewhere.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Interval between checks of a condition.
pub(crate) const LOOK: Duration = Duration::from_millis(40);

/// Waits until the condition holds.
pub(crate) async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds().await {
        assert!(Instant::now() < deadline, "After {PATIENCE:?} it is not so that {what}.");
        tokio::time::sleep(LOOK).await;
    }
}
