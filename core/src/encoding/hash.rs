//! The hashes of the chains.

use keccak::Keccak;
use ripemd::Ripemd160;
use sha2::block_api::compress256;
use sha2::{Digest, Sha256};

/// SHA-256 of SHA-256, of at most [`LONGEST`] bytes; `None` for more.
///
/// Every check of a base58 address waits for this, so that it goes without the buffer of a hash of any length.
pub(crate) fn double_sha256(data: &[u8]) -> Option<[u8; 32]> {
    sha256(&sha256(data)?)
}

/// What fits into one block of SHA-256 with its padding.
const LONGEST: usize = 55;

/// FIPS 180-4, sections 5.1.1, 5.3.3 and 6.2.
fn sha256(data: &[u8]) -> Option<[u8; 32]> {
    let mut state = [
        0x6a09_e667,
        0xbb67_ae85,
        0x3c6e_f372,
        0xa54f_f53a,
        0x510e_527f,
        0x9b05_688c,
        0x1f83_d9ab,
        0x5be0_cd19,
    ];
    let mut block = [0; 64];
    block[..=LONGEST].get_mut(..data.len())?.copy_from_slice(data);
    *block[..=LONGEST].get_mut(data.len())? = 0x80;
    block[LONGEST + 1..].copy_from_slice(&(8 * data.len() as u64).to_be_bytes());
    compress256(&mut state, &[block]);
    let mut hash = [0; 32];
    for (four, word) in hash.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        *four = word.to_be_bytes();
    }
    Some(hash)
}

/// What the sponge takes in before it is turned.
const RATE: usize = 136;

/// The Keccak of Ethereum, which is the one of the [submission], with other padding than the SHA3 of NIST; of `N` bytes,
/// which must be less than one block of the sponge.
///
/// [submission]: https://keccak.team/files/Keccak-submission-3.pdf
pub(crate) fn keccak256<const N: usize>(data: &[u8; N]) -> [u8; 32] {
    const { assert!(N < RATE, "one block with its padding") };
    let mut block = [0; RATE];
    block[..N].copy_from_slice(data);
    block[N] = 0x01;
    block[RATE - 1] |= 0x80;
    let mut state = [0; 25];
    for (lane, eight) in state.iter_mut().zip(block.as_chunks::<8>().0) {
        *lane = u64::from_le_bytes(*eight);
    }
    Keccak::new().with_f1600(|turn| turn(&mut state));
    let mut hash = [0; 32];
    for (eight, lane) in hash.as_chunks_mut::<8>().0.iter_mut().zip(state) {
        *eight = lane.to_le_bytes();
    }
    hash
}

/// RIPEMD-160 of SHA-256: how the Bitcoin family shortens a public key.
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
    fn one_block_is_hashed_as_by_the_hash_of_any_length() {
        for length in 0..=LONGEST {
            let data = &[0xa5; LONGEST][..length];
            assert_eq!(sha256(data), Some(Sha256::digest(data).into()), "{length}");
        }
        assert_eq!(sha256(&[0; LONGEST + 1]), None);
    }

    #[track_caller]
    fn keccak_is_the_same<const N: usize>() {
        let data = [0xa5; N];
        let expected: [u8; 32] = sha3::Keccak256::digest(data).into();
        assert_eq!(keccak256(&data), expected, "{N}");
    }

    #[test]
    fn one_turn_of_the_sponge_is_the_hash_of_any_length() {
        keccak_is_the_same::<0>();
        keccak_is_the_same::<1>();
        keccak_is_the_same::<40>();
        keccak_is_the_same::<64>();
        keccak_is_the_same::<{ RATE - 1 }>();
    }

    #[test]
    fn are_the_published_ones() {
        check(
            double_sha256(b"hello").unwrap(),
            "9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50",
        );
        check(keccak256(b""), "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
        check(hash160(b""), "b472a266d0bd89c13706a4132ccfb16f7c3b9fcb");
    }
}
