//! Random numbers.

/// Unguessable bytes.
pub trait Random: Send + Sync {
    fn fill(&self, bytes: &mut [u8]);
}
