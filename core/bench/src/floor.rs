//! The minimum cost of a check: decoding by the fastest public decoders, and the hash, without any
//! validation.

use std::array;
use std::hint::black_box;

use bech32::Fe32;
use bech32::primitives::decode::CheckedHrpstring;
use bech32::primitives::{Bech32, Bech32m, checksum};
use crc::{CRC_16_XMODEM, Crc, Table};
use sha2::{Digest, Sha256};

/// Runs both hashes and ignores the result.
pub(crate) fn double_sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(Sha256::digest(bytes)).into()
}

const CHECKSUM: usize = 4;

/// `bs58` into a stack buffer, and the hash of all but the checksum.
pub(crate) fn base58(text: &str) -> Option<[u8; 32]> {
    base58_in(text, bs58::Alphabet::BITCOIN)
}

pub(crate) fn base58_ripple(text: &str) -> Option<[u8; 32]> {
    base58_in(text, bs58::Alphabet::RIPPLE)
}

fn base58_in(text: &str, alphabet: &bs58::Alphabet) -> Option<[u8; 32]> {
    let mut place = [0_u8; 40];
    let length = bs58::decode(text).with_alphabet(alphabet).onto(&mut place[..]).ok()?;
    Some(double_sha256(&place[..length.checked_sub(CHECKSUM)?]))
}

/// The decoder of the `bitcoin` crates, with the hash computed here.
pub(crate) fn base58ck(text: &str) -> Option<[u8; 32]> {
    let bytes = base58ck::decode(text).ok()?;
    Some(double_sha256(&bytes[..bytes.len().checked_sub(CHECKSUM)?]))
}

/// The checksum and the bytes of a text of bech32.
pub(crate) fn bech32(text: &str) -> Option<[u8; 66]> {
    bytes_of(CheckedHrpstring::new::<Bech32>(text).ok()?)
}

pub(crate) fn bech32m(text: &str) -> Option<[u8; 66]> {
    bytes_of(CheckedHrpstring::new::<Bech32m>(text).ok()?)
}

fn bytes_of(mut text: CheckedHrpstring<'_>) -> Option<[u8; 66]> {
    text.remove_witness_version()?;
    let mut bytes = text.byte_iter();
    Some(array::from_fn(|_| bytes.next().unwrap_or(0)))
}

/// The checksum of CashAddr by the engine of the `bech32` crate, and the bytes.
pub(crate) fn cash_address(text: &str) -> Option<[u8; 66]> {
    let text = text.strip_prefix("bitcoincash:").unwrap_or(text);
    let mut engine = checksum::Engine::<CashAddress>::new();
    for byte in *b"bitcoincash" {
        engine.input_fe(Fe32::try_from(byte & 31).ok()?);
    }
    engine.input_fe(Fe32::Q);
    let mut bytes = [0; 66];
    let (mut bits, mut number, mut at) = (0, 0_u32, 0);
    for symbol in text.chars() {
        let symbol = Fe32::from_char(symbol).ok()?;
        engine.input_fe(symbol);
        (bits, number) = (bits + 5, number << 5 | u32::from(symbol.to_u8()));
        if bits >= 8 {
            bits -= 8;
            *bytes.get_mut(at)? = (number >> bits & 0xff) as u8;
            at += 1;
        }
    }
    (*engine.residue() == 1).then_some(bytes)
}

enum CashAddress {}

impl checksum::Checksum for CashAddress {
    type MidstateRepr = u64;
    type CorrectionField = bech32::primitives::gf32_ext::Fe1024;
    // Only needed for error correction, which is not used.
    const ROOT_GENERATOR: Self::CorrectionField = Bech32::ROOT_GENERATOR;
    const ROOT_EXPONENTS: core::ops::RangeInclusive<usize> = Bech32::ROOT_EXPONENTS;
    const CODE_LENGTH: usize = 1023;
    const CHECKSUM_LENGTH: usize = 8;
    const GENERATOR_SH: [u64; 5] =
        [0x98_f2bc_8e61, 0x79_b76d_99e2, 0xf3_3e5f_b3c4, 0xae_2eab_e2a8, 0x1e_4f43_e470];
    const TARGET_RESIDUE: u64 = 1;
}

/// `data-encoding` and the CRC.
pub(crate) fn strkey(text: &str) -> Option<[u8; 45]> {
    let mut place = [0; 45];
    let length = data_encoding::BASE32_NOPAD.decode_len(text.len()).ok()?;
    let length = data_encoding::BASE32_NOPAD.decode_mut(text.as_bytes(), place.get_mut(..length)?).ok()?;
    crc(&place[..length.checked_sub(2)?]);
    Some(place)
}

/// A table of 16 steps.
pub(crate) fn crc(bytes: &[u8]) {
    static CRC: Crc<u16, Table<16>> = Crc::<u16, Table<16>>::new(&CRC_16_XMODEM);
    black_box(CRC.checksum(bytes));
}

/// The 40 digits by `faster-hex`, which uses SIMD.
pub(crate) fn faster_hex(text: &str) -> Option<[u8; 20]> {
    faster_hex::hex_decode_array(text.get(2..)?.as_bytes()).ok()
}

pub(crate) fn const_hex(text: &str) -> Option<[u8; 20]> {
    const_hex::decode_to_array(text.get(2..)?).ok()
}

/// Hashes the lower-case digits.
pub(crate) fn keccak(text: &str, hash: fn(&[u8]) -> [u8; 32]) -> Option<([u8; 20], [u8; 32])> {
    let bytes = faster_hex(text)?;
    let mut digits: [u8; 40] = text.get(2..)?.as_bytes().try_into().ok()?;
    digits.make_ascii_lowercase();
    Some((bytes, hash(&digits)))
}

pub(crate) fn sha3_keccak(bytes: &[u8]) -> [u8; 32] {
    sha3::Keccak256::digest(bytes).into()
}

pub(crate) fn tiny_keccak(bytes: &[u8]) -> [u8; 32] {
    use tiny_keccak::Hasher;
    let mut hash = [0; 32];
    let mut keccak = tiny_keccak::Keccak::v256();
    keccak.update(bytes);
    keccak.finalize(&mut hash);
    hash
}

/// The cost of the normal form if it differs from the text: encoding and hashes.
pub(crate) mod write {
    use super::double_sha256;

    pub(crate) fn base58(version: u8, payload: &[u8], alphabet: &bs58::Alphabet) -> Option<String> {
        let mut bytes = [0; 25];
        bytes[0] = version;
        bytes[1..21].copy_from_slice(payload.get(..20)?);
        let hash = double_sha256(&bytes[..21]);
        bytes[21..].copy_from_slice(&hash[..4]);
        let mut text = String::with_capacity(40);
        bs58::encode(bytes).with_alphabet(alphabet).onto(&mut text).ok()?;
        Some(text)
    }

    pub(crate) fn strkey(bytes: &[u8]) -> Option<String> {
        Some(data_encoding::BASE32_NOPAD.encode(bytes.get(..35)?))
    }
}
