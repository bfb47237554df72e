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

    /// The last 20 bytes of the Keccak-256 of the key (Ethereum yellow paper, section 4.1; appendix F).
    #[cfg(any(feature = "evm", feature = "tron"))]
    pub(super) fn account(&self) -> [u8; 20] {
        let [_, point @ ..] = self.uncompressed;
        let hash = crate::encoding::hash::keccak256(point);
        let mut account = [0; 20];
        account.copy_from_slice(&hash[12..]);
        account
    }
}
