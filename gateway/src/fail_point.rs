//! Points at which a test ends the process as `kill -9` does: `CHECKOUT_KILL_AT=commit.after/17` when a point is reached
//! for the seventeenth time. A release build has none of it.

#[cfg(debug_assertions)]
pub fn reach(point: &str) {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    static KILL_AT: OnceLock<Option<(String, u64)>> = OnceLock::new();
    static REACHED: AtomicU64 = AtomicU64::new(0);
    let kill_at = KILL_AT.get_or_init(|| {
        let text = std::env::var("CHECKOUT_KILL_AT").ok()?;
        let (point, number) = text.split_once('/')?;
        Some((point.to_owned(), number.parse().ok()?))
    });
    let Some((wanted, number)) = kill_at else { return };
    if wanted == point && REACHED.fetch_add(1, Ordering::SeqCst) + 1 == *number {
        kill();
    }
}

#[cfg(not(debug_assertions))]
pub fn reach(_: &str) {}

/// No handler, no destructor, no flush. This thread goes no step further while the signal comes.
#[cfg(debug_assertions)]
fn kill() -> ! {
    let id = std::process::id().to_string();
    let _ = std::process::Command::new("kill").args(["-KILL", &id]).status();
    loop {
        std::thread::park();
    }
}
