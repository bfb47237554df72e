//! The clock.

/// The time of the gateway.
pub trait Clock: Send + Sync {
    /// Milliseconds since the UNIX epoch.
    fn now_millis(&self) -> u64;

    /// Seconds since the UNIX epoch.
    fn now(&self) -> u64 {
        self.now_millis() / 1000
    }

    /// The time that others have, in seconds since the UNIX epoch: also when this clock was moved.
    fn outside(&self) -> u64 {
        self.now()
    }
}
