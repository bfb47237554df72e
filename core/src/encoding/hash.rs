//! The hash functions of the networks.

use ripemd::Ripemd160;
use sha2::{Digest, Sha256};

/// Double SHA-256, whose first bytes are the base58 checksum.
pub(crate) fn double_sha256(data: &[u8]) -> [u8; 32] {
    sha256(&sha256(data))
}

/// `Digest::digest` is never inlined, which makes a check of base58 a twentieth slower.
#[inline]
fn sha256(data: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(data).finalize().into()
}

#[cfg(any(feature = "evm", feature = "monero", feature = "tron"))]
/// Ethereum's Keccak-256, whose padding differs from NIST's SHA-3.
pub(crate) fn keccak256(data: &[u8]) -> [u8; 32] {
    sha3::Keccak256::digest(data).into()
}

#[cfg(feature = "polkadot")]
/// The hash of SS58, whose first bytes are its checksum.
pub(crate) fn ss58(body: &[u8]) -> [u8; 64] {
    blake2::Blake2b512::new().chain_update(b"SS58PRE").chain_update(body).finalize().into()
}

/// RIPEMD-160 of SHA-256: the Bitcoin family's hash of a public key.
pub(crate) fn hash160(data: &[u8]) -> [u8; 20] {
    Ripemd160::digest(Sha256::digest(data)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::hex;

    #[track_caller]
    fn check<const N: usize>(hash: [u8; N], expected: &str) {
        assert_eq!(Some(hash), hex::decode_array(expected.as_bytes()));
    }

    #[test]
    fn are_the_published_ones() {
        check(double_sha256(b"hello"), "9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50");
        check(keccak256(b""), "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
        check(hash160(b""), "b472a266d0bd89c13706a4132ccfb16f7c3b9fcb");
    }
}
