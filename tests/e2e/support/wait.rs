//! Waiting for conditions.

use std::time::{Duration, Instant};

/// How long a condition may take to come true before the journey fails. Generous: a busy machine is
/// not a defect; what must be fast is measured on its own.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// How often a condition is looked at.
pub(crate) const LOOK: Duration = Duration::from_millis(40);

/// Waits until it is so.
pub(crate) async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !holds().await {
        assert!(Instant::now() < deadline, "After {TIMEOUT:?} it is not so that {what}.");
        tokio::time::sleep(LOOK).await;
    }
}
