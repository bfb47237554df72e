//! [CashAddr]: the bech32 symbols with a 40-bit checksum, and a prefix that ends with a colon.
//!
//! [CashAddr]: https://github.com/bitcoincashorg/bitcoincash.org/blob/master/spec/cashaddr.md

use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::bch_register::Register;
use super::charset::{Bytes, groups, regroup, values, write_symbols};
use super::{DecodeError, ErrorKind, bch_errors};

/// Maximum length after the colon: a version byte, a 64-byte hash and the checksum.
pub(crate) const LONGEST: usize = 112;

const CHECKSUM: usize = 8;

/// The state after a valid text.
const RESIDUE: u64 = 1;

static REGISTER: Register<40> =
    Register::new([0x98_f2bc_8e61, 0x79_b76d_99e2, 0xf3_3e5f_b3c4, 0xae_2eab_e2a8, 0x1e_4f43_e470]);

/// A prefix, with the checksum state after it.
pub(crate) struct Prefix {
    pub(crate) text: &'static str,
    state: u64,
}

impl Prefix {
    /// `text` in lower case.
    pub(crate) const fn new(text: &'static str) -> Self {
        let bytes = text.as_bytes();
        let mut state = 1;
        let mut at = 0;
        while at < bytes.len() {
            state = REGISTER.step(state, bytes[at] & 31);
            at += 1;
        }
        Self { text, state: REGISTER.step(state, 0) }
    }

    /// Returns whether a text starts with this prefix, in either letter case, and a colon.
    pub(crate) fn starts(&self, text: &str) -> bool {
        let head = text.as_bytes().split_at_checked(self.text.len());
        head.is_some_and(|(head, rest)| {
            let text = self.text.as_bytes();
            rest.first() == Some(&b':') && (head == text || head.eq_ignore_ascii_case(text))
        })
    }
}

/// The buffer for decoded symbols.
pub(crate) struct Buffer([u8; LONGEST]);

impl Buffer {
    pub(crate) const fn new() -> Self {
        Self([0; LONGEST])
    }
}

/// A decoded text, and the prefix that its checksum matches.
pub(crate) struct Decoded<'a> {
    values: &'a [u8],
    pub(crate) prefix: usize,
}

impl Decoded<'_> {
    /// The version byte and the hash.
    pub(crate) fn bytes(&self) -> Result<Bytes<65>, ErrorKind> {
        regroup(self.values)
    }
}

/// Decodes `text`, whose first `head` bytes are a prefix with its colon (0 if it has none). The checksum must
/// match one of `prefixes`.
pub(crate) fn decode<'a>(
    prefixes: &[&Prefix],
    text: &str,
    head: usize,
    buffer: &'a mut Buffer,
) -> Result<Decoded<'a>, DecodeError> {
    let (head, data) = text.as_bytes().split_at_checked(head).ok_or(ErrorKind::Length)?;
    if !(CHECKSUM + 1..=LONGEST).contains(&data.len()) {
        return Err(ErrorKind::Length.into());
    }
    let place = &mut buffer.0[..data.len()];
    values(head, data, place)?;
    let right = |prefix: &&Prefix| REGISTER.take(prefix.state, place) == RESIDUE;
    let prefix = prefixes.iter().position(right).ok_or(ErrorKind::Checksum)?;
    Ok(Decoded { values: &place[..data.len() - CHECKSUM], prefix })
}

/// Locates errors in a text with a wrong checksum: one or two characters after the `head` bytes of its
/// prefix.
pub(crate) fn locate(prefix: &Prefix, text: &str, head: usize) -> Vec<usize> {
    let data = text.as_bytes().get(head..).unwrap_or_default();
    let mut buffer = [0; LONGEST];
    let Some(place) = buffer.get_mut(..data.len()) else { return Vec::new() };
    if values(b"", data, place).is_err() {
        return Vec::new();
    }
    let residue = REGISTER.take(prefix.state, place) ^ RESIDUE;
    let places = bch_errors::locate(data.len(), &[residue], |state| REGISTER.step(state, 0));
    places.into_iter().map(|place| text.len() - 1 - place).collect()
}

/// Encodes in lower case with the prefix.
pub(crate) fn write(prefix: &Prefix, version: u8, hash: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut bytes = [0; 65];
    bytes[0] = version;
    let bytes = bytes.get_mut(..=hash.len()).ok_or(fmt::Error)?;
    bytes[1..].copy_from_slice(hash);
    let mut buffer = [0; LONGEST];
    let length = groups(bytes, &mut buffer).ok_or(fmt::Error)?;
    let place = buffer.get_mut(..length + CHECKSUM).ok_or(fmt::Error)?;
    REGISTER.seal(prefix.state, RESIDUE, place, CHECKSUM);
    f.write_str(prefix.text)?;
    f.write_char(':')?;
    write_symbols(place, f)
}
