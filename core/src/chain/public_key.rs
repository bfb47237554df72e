//! A public key, from which deposit addresses are derived.

/// A secp256k1 public key in both forms of SEC 1.
pub(crate) struct PublicKey<'a> {
    pub(crate) compressed: &'a [u8; 33],
    pub(crate) uncompressed: &'a [u8; 65],
}

impl PublicKey<'_> {
    /// Whether both forms name the same point. That it lies on the curve is the caller's business.
    pub(crate) fn is_consistent(&self) -> bool {
        let parity = 2 + (self.uncompressed[64] & 1);
        self.uncompressed[0] == 4
            && self.compressed[0] == parity
            && self.compressed[1..] == self.uncompressed[1..33]
    }
}
