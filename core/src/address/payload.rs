//! The bytes of an address, without allocation.

/// Three receivers of Zcash, two keys of Monero and a payment id, or two compressed keys.
pub(crate) const LONGEST_PAYLOAD: usize = match (cfg!(feature = "zcash"), cfg!(feature = "monero")) {
    (true, _) => 106,
    (_, true) => 72,
    _ => 66,
};

/// A fixed buffer for the longest payload.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Payload {
    bytes: [u8; LONGEST_PAYLOAD],
    length: u8,
}

impl Payload {
    /// Returns `None` if there are more bytes than fit.
    pub(crate) fn new(bytes: &[u8]) -> Option<Self> {
        let mut payload = Self { bytes: [0; LONGEST_PAYLOAD], length: u8::try_from(bytes.len()).ok()? };
        payload.bytes.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(payload)
    }

    pub(crate) fn of_hash(hash: &[u8; 20]) -> Self {
        let mut payload = Self { bytes: [0; LONGEST_PAYLOAD], length: 20 };
        payload.bytes[..20].copy_from_slice(hash);
        payload
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.length)).unwrap_or_default()
    }
}
