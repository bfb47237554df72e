//! [CashAddr]: the bech32 symbols with a 40-bit checksum of its own and a colon after the prefix.
//!
//! [CashAddr]: https://github.com/bitcoincashorg/bitcoincash.org/blob/master/spec/cashaddr.md

use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::symbols::{Cases, NONE, Regroup, SYMBOLS, groups, value};
use super::{Fault, locate};
use crate::address::Reason;

/// Of the part after the colon: a version byte, 64 bytes of hash and the checksum.
pub(crate) const LONGEST: usize = 112;

const CHECKSUM: usize = 8;

/// A prefix, with the checksum's state after it.
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
            state = step(state, bytes[at] & 31);
            at += 1;
        }
        Self { text, state: step(state, 0) }
    }
}

const GENERATORS: [u64; 5] = [0x98_f2bc_8e61, 0x79_b76d_99e2, 0xf3_3e5f_b3c4, 0xae_2eab_e2a8, 0x1e_4f43_e470];

/// What the five bits that leave the register mix in.
const FEEDBACK: [u64; 32] = {
    let mut table = [0; 32];
    let mut leaving = 0;
    while leaving < 32 {
        let mut bit = 0;
        while bit < 5 {
            if leaving >> bit & 1 == 1 {
                table[leaving] ^= GENERATORS[bit];
            }
            bit += 1;
        }
        leaving += 1;
    }
    table
};

const fn step(state: u64, value: u8) -> u64 {
    (state & 0x07_ffff_ffff) << 5 ^ value as u64 ^ FEEDBACK[(state >> 35) as usize]
}

pub(crate) struct Decoded {
    bytes: Regroup<65>,
    prefix: usize,
}

impl Decoded {
    /// The version byte and the hash.
    pub(crate) fn split(&self) -> Result<(u8, &[u8]), Reason> {
        self.bytes.finish()?.split_first().map(|(version, hash)| (*version, hash)).ok_or(Reason::BadLength)
    }

    /// Which of the prefixes the checksum is of.
    pub(crate) fn prefix(&self) -> usize {
        self.prefix
    }
}

/// Decodes `text`, of which `head` bytes are a prefix and its colon (0 when it has none). The checksum must be
/// of one of `prefixes`.
pub(crate) fn decode(prefixes: &[&Prefix], text: &str, head: usize) -> Result<Decoded, Fault> {
    let (head, data) = text.as_bytes().split_at_checked(head).ok_or(Reason::BadLength)?;
    if data.len() <= CHECKSUM || data.len() > LONGEST {
        return Err(Reason::BadLength.into());
    }
    let mut cases = Cases::of(head)?;
    let mut bytes = Regroup::new();
    let mut state = prefixes.first().map_or(0, |prefix| prefix.state);
    let last = data.len() - CHECKSUM;
    for (at, byte) in data.iter().enumerate() {
        let value = value(*byte);
        if value == NONE {
            return Err(Fault::at(Reason::BadCharacter, head.len() + at));
        }
        cases.see(*byte, head.len() + at)?;
        state = step(state, value);
        if at < last {
            bytes.push(value);
        }
    }
    if state == 1 {
        return Ok(Decoded { bytes, prefix: 0 });
    }
    let other = prefixes
        .iter()
        .skip(1)
        .position(|prefix| data.iter().fold(prefix.state, |state, byte| step(state, value(*byte))) == 1);
    other.map(|at| Decoded { bytes, prefix: at + 1 }).ok_or(Reason::BadChecksum.into())
}

/// Where a text with a wrong checksum is wrong: one or two characters after the `head` bytes of its prefix.
pub(crate) fn locate(prefix: &Prefix, text: &str, head: usize) -> Vec<usize> {
    let data = text.as_bytes().get(head..).unwrap_or_default();
    if data.len() > LONGEST || data.iter().any(|byte| value(*byte) == NONE) {
        return Vec::new();
    }
    let state = data.iter().fold(prefix.state, |state, byte| step(state, value(*byte)));
    let places = locate::locate(data.len(), state ^ 1, |state| step(state, 0));
    places.into_iter().map(|place| text.len() - 1 - place).collect()
}

/// Writes the lower-case text with its prefix.
pub(crate) fn write(prefix: &Prefix, version: u8, hash: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut bytes = [0; 65];
    bytes[0] = version;
    let bytes = bytes.get_mut(..=hash.len()).ok_or(fmt::Error)?;
    bytes[1..].copy_from_slice(hash);
    f.write_str(prefix.text)?;
    f.write_char(':')?;
    let mut state = prefix.state;
    for value in groups(bytes) {
        state = step(state, value);
        f.write_char(char::from(SYMBOLS[usize::from(value)]))?;
    }
    let state = (0..CHECKSUM).fold(state, |state, _| step(state, 0)) ^ 1;
    (0..CHECKSUM).try_for_each(|at| {
        f.write_char(char::from(SYMBOLS[(state >> (5 * (CHECKSUM - 1 - at)) & 31) as usize]))
    })
}
