//! Base58 with the double SHA-256 checksum, in the alphabets of Bitcoin and of the XRP Ledger.

use core::fmt;

pub(crate) use bs58::Alphabet;

use super::{Fault, hash};
use crate::address::Reason;

/// The most bytes that are ever decoded; the time taken grows with the square of the length.
const CAPACITY: usize = 96;

/// No text of [`CAPACITY`] bytes is longer.
const LONGEST: usize = 132;

const CHECKSUM: usize = 4;

pub(crate) struct Decoded {
    bytes: [u8; CAPACITY],
    length: usize,
}

impl Decoded {
    /// The bytes before the checksum.
    pub(crate) fn payload(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// A version byte and `N` bytes after it.
    pub(crate) fn versioned<const N: usize>(&self) -> Option<(u8, &[u8; N])> {
        let (version, rest) = self.payload().split_first()?;
        Some((*version, rest.try_into().ok()?))
    }
}

pub(crate) fn decode_check(text: &str, alphabet: &Alphabet) -> Result<Decoded, Fault> {
    if text.len() > LONGEST {
        return Err(Reason::BadLength.into());
    }
    let mut bytes = [0; CAPACITY];
    let length =
        bs58::decode(text).with_alphabet(alphabet).onto(&mut bytes).map_err(|error| match error {
            bs58::decode::Error::InvalidCharacter { index, .. }
            | bs58::decode::Error::NonAsciiCharacter { index } => Fault::at(Reason::BadCharacter, index),
            _ => Reason::BadLength.into(),
        })?;
    let Some(length) = length.checked_sub(CHECKSUM) else {
        return Err(Reason::BadLength.into());
    };
    let (payload, rest) = bytes.split_at(length);
    if hash::double_sha256(payload)[..CHECKSUM] != rest[..CHECKSUM] {
        return Err(Reason::BadChecksum.into());
    }
    Ok(Decoded { bytes, length })
}

/// Writes `head`, `payload` and their checksum.
pub(crate) fn write_check(
    head: &[u8],
    payload: &[u8],
    alphabet: &Alphabet,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let mut bytes = [0; CAPACITY];
    let length = head.len() + payload.len();
    let body = bytes.get_mut(..length + CHECKSUM).ok_or(fmt::Error)?;
    body[..head.len()].copy_from_slice(head);
    body[head.len()..length].copy_from_slice(payload);
    let checksum = hash::double_sha256(&body[..length]);
    body[length..].copy_from_slice(&checksum[..CHECKSUM]);
    let mut text = [0; LONGEST];
    let written = bs58::encode(&*body).with_alphabet(alphabet).onto(&mut text[..]).map_err(|_| fmt::Error)?;
    f.write_str(core::str::from_utf8(&text[..written]).map_err(|_| fmt::Error)?)
}

/// Whether this is a character of base58; both alphabets have the same ones in another order.
pub(crate) fn is_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() && !matches!(byte, b'0' | b'O' | b'I' | b'l')
}
