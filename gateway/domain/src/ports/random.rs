//! Random numbers.

/// Unguessable bytes.
pub trait Random: Send + Sync {
    fn fill(&self, bytes: &mut [u8]);
}

pub fn random_bytes<const N: usize>(random: &(impl Random + ?Sized)) -> [u8; N] {
    let mut bytes = [0; N];
    random.fill(&mut bytes);
    bytes
}
