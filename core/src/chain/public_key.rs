//! A public key for deriving deposit addresses.

/// A secp256k1 public key in both forms of SEC 1.
pub(crate) struct PublicKey<'a> {
    pub(crate) compressed: &'a [u8; 33],
    pub(crate) uncompressed: &'a [u8; 65],
}

impl PublicKey<'_> {
    /// Returns whether both forms encode the same point. The caller ensures that it is on the curve.
    pub(crate) fn is_consistent(&self) -> bool {
        let parity = 2 + (self.uncompressed[64] & 1);
        self.uncompressed[0] == 4
            && self.compressed[0] == parity
            && self.compressed[1..] == self.uncompressed[1..33]
    }
}
