//! Base32 (RFC 4648, upper case, no padding) with CRC-16, as Stellar's strkeys use them ([SEP-23]).
//!
//! [SEP-23]: https://github.com/stellar/stellar-protocol/blob/master/ecosystem/sep-0023.md

use core::fmt;

use super::Fault;
use super::symbols::{groups, regroup};
use crate::address::Reason;

const CHECKSUM: usize = 2;

const DIGITS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Marks a byte that is no digit.
const NONE: u8 = 0x80;

static VALUES: [u8; 256] = {
    let mut values = [NONE; 256];
    let mut value = 0_u8;
    while value < 32 {
        values[DIGITS[value as usize] as usize] = value;
        value += 1;
    }
    values
};

/// The bytes of a text that stands for exactly `N` of them, of which the last are a checksum that is right.
pub(crate) fn decode_check<const N: usize>(text: &[u8]) -> Result<[u8; N], Fault> {
    if text.len() != (N * 8).div_ceil(5) {
        return Err(Reason::BadLength.into());
    }
    let mut buffer = [0; LONGEST];
    let values = buffer.get_mut(..text.len()).ok_or(Reason::BadLength)?;
    let mut seen = 0;
    for (value, byte) in values.iter_mut().zip(text) {
        *value = VALUES[usize::from(*byte)];
        seen |= *value;
    }
    if seen & NONE != 0 {
        let at = values.iter().position(|value| *value == NONE);
        return Err(Fault::at(Reason::BadCharacter, at.unwrap_or(0)));
    }
    let bytes: [u8; N] = regroup::<N>(values)?.as_slice().try_into().map_err(|_| Reason::BadLength)?;
    let (body, checksum) = bytes.split_at(N - CHECKSUM);
    if crc16(body).to_le_bytes() != checksum {
        return Err(Reason::BadChecksum.into());
    }
    Ok(bytes)
}

/// The digits of a muxed account.
const LONGEST: usize = 69;

/// Writes `version`, `payload` and their checksum.
pub(crate) fn write_check(version: u8, payload: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut bytes = [0; 64];
    let length = payload.len() + 1;
    let body = bytes.get_mut(..length + CHECKSUM).ok_or(fmt::Error)?;
    body[0] = version;
    body[1..length].copy_from_slice(payload);
    let checksum = crc16(&body[..length]).to_le_bytes();
    body[length..].copy_from_slice(&checksum);
    let mut text = [0; LONGEST];
    let written = groups(body, &mut text).ok_or(fmt::Error)?;
    for digit in &mut text {
        *digit = DIGITS[usize::from(*digit & 31)];
    }
    f.write_str(core::str::from_utf8(&text[..written]).map_err(|_| fmt::Error)?)
}

/// CRC-16/XMODEM, four bytes at a time: a table for each half byte of them.
fn crc16(bytes: &[u8]) -> u16 {
    let (words, rest) = bytes.as_chunks::<4>();
    let crc = words.iter().fold(0, |crc, word| {
        let word = u32::from_be_bytes(*word) ^ u32::from(crc) << 16;
        let effects = HALF_BYTES.iter().enumerate();
        effects.fold(0, |crc, (at, effects)| crc ^ effects[(word >> (4 * at) & 15) as usize])
    });
    rest.iter().fold(crc, |crc, byte| {
        let [high, low] = (crc ^ u16::from(*byte) << 8).to_be_bytes();
        u16::from(low) << 8 ^ HALF_BYTES[0][usize::from(high & 15)] ^ HALF_BYTES[1][usize::from(high >> 4)]
    })
}

/// What the half bytes of a word of four bytes do to the checksum, from the lowest to the highest.
static HALF_BYTES: [[u16; 16]; 8] = {
    let mut tables = [[0; 16]; 8];
    let mut at = 0;
    while at < 8 {
        let mut value = 1;
        while value < 16 {
            // The lowest half byte is followed by the 16 zero bits of the division, the others by more.
            let mut remainder = (value as u64) << (4 * at + 16);
            let mut bit = 52;
            while bit >= 16 {
                if remainder >> bit & 1 == 1 {
                    remainder ^= 0x1_1021 << (bit - 16);
                }
                bit -= 1;
            }
            tables[at][value] = (remainder & 0xffff) as u16;
            value += 1;
        }
        at += 1;
    }
    tables
};

#[cfg(test)]
mod tests {
    #[test]
    fn the_checksum_is_the_published_one() {
        assert_eq!(super::crc16(b"123456789"), 0x31c3);
        assert_eq!(super::crc16(b""), 0);
    }
}
