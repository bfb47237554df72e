//! Ids of JSON-RPC requests.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// They begin anywhere, so that other clients behind the same proxy have others.
#[derive(Debug)]
pub struct RequestIds(AtomicU64);

impl Default for RequestIds {
    fn default() -> Self {
        // Servers read numbers up to 2^53.
        Self(AtomicU64::new(RandomState::new().build_hasher().finish() >> 16))
    }
}

impl RequestIds {
    /// Takes this many ids, and returns the first.
    pub fn next(&self, count: usize) -> u64 {
        self.0.fetch_add(count as u64, Ordering::Relaxed)
    }
}
