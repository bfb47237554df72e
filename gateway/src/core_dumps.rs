//! Memory images of a crash. They would hold secrets, tokens and payout keys.

/// Forbids them for this process and those that it starts.
#[cfg(unix)]
pub fn forbid() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    if let Err(error) = setrlimit(Resource::Core, none) {
        tracing::warn!(%error, "memory images of a crash cannot be forbidden");
    }
}

#[cfg(not(unix))]
pub fn forbid() {}
