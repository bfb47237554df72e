//! Points at which a test kills the process like `kill -9`: `CHECKOUT_KILL_AT=commit.after/17` kills it at
//! the seventeenth occurrence. Release builds do not contain them.

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

/// No handler, no destructor, no flush. This thread does not continue while the signal arrives.
#[cfg(debug_assertions)]
fn kill() -> ! {
    let id = std::process::id().to_string();
    let _ = std::process::Command::new("kill").args(["-KILL", &id]).status();
    loop {
        std::thread::park();
    }
}
