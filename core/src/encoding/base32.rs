//! Base32 (RFC 4648, upper case, no padding) with CRC-16, as Stellar's strkeys use them ([SEP-23]).
//!
//! [SEP-23]: https://github.com/stellar/stellar-protocol/blob/master/ecosystem/sep-0023.md

use core::fmt;

use super::charset::groups;
use super::{DecodeError, ErrorKind};

const CHECKSUM: usize = 2;

const DIGITS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Marks bytes that are not digits.
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

/// Decodes exactly `N` bytes, including a valid checksum at the end.
pub(crate) fn decode_check<const N: usize>(text: &[u8]) -> Result<[u8; N], DecodeError> {
    if text.len() != (N * 8).div_ceil(5) {
        return Err(ErrorKind::Length.into());
    }
    let mut seen = 0;
    let mut number = |digits: &[u8]| {
        digits.iter().fold(0_u64, |number, digit| {
            let value = VALUES[usize::from(*digit)];
            seen |= value;
            number << 5 | u64::from(value)
        })
    };
    let mut bytes = [0; N];
    let ((fives, last), (eights, rest)) = (bytes.as_chunks_mut::<5>(), text.as_chunks::<8>());
    for (five, eight) in fives.iter_mut().zip(eights) {
        let [_, _, _, group @ ..] = number(eight).to_be_bytes();
        *five = group;
    }
    // The remaining bits are less than one byte.
    let (rest, left_over) = (number(rest), rest.len() * 5 % 8);
    for (at, byte) in last.iter_mut().rev().enumerate() {
        *byte = (rest >> (left_over + 8 * at) & 0xff) as u8;
    }
    if seen & NONE != 0 {
        let at = text.iter().position(|digit| VALUES[usize::from(*digit)] == NONE);
        return Err(DecodeError::at(ErrorKind::Character, at.unwrap_or(0)));
    }
    if left_over >= 5 {
        return Err(ErrorKind::Length.into());
    }
    if rest & ((1 << left_over) - 1) != 0 {
        return Err(ErrorKind::Padding.into());
    }
    let (body, checksum) = bytes.split_at(N - CHECKSUM);
    if crc16(body).to_le_bytes() != checksum {
        return Err(ErrorKind::Checksum.into());
    }
    Ok(bytes)
}

/// The number of digits of a muxed account.
const LONGEST: usize = 69;

/// Encodes `version`, `payload` and their checksum.
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
    let text = text.get_mut(..written).ok_or(fmt::Error)?;
    for digit in &mut *text {
        *digit = DIGITS[usize::from(*digit & 31)];
    }
    f.write_str(core::str::from_utf8(text).map_err(|_| fmt::Error)?)
}

/// CRC-16/XMODEM, eight bytes at a time, with a table per half byte.
fn crc16(bytes: &[u8]) -> u16 {
    let (words, rest) = bytes.as_chunks::<8>();
    let crc = words.iter().fold(0, |crc, word| {
        let word = u64::from_be_bytes(*word) ^ u64::from(crc) << 48;
        let effects = HALF_BYTES.iter().enumerate();
        effects.fold(0, |crc, (at, effects)| crc ^ effects[(word >> (4 * at) & 15) as usize])
    });
    rest.iter().fold(crc, |crc, byte| {
        let [high, low] = (crc ^ u16::from(*byte) << 8).to_be_bytes();
        u16::from(low) << 8 ^ HALF_BYTES[0][usize::from(high & 15)] ^ HALF_BYTES[1][usize::from(high >> 4)]
    })
}

/// The effect of each half byte of an eight-byte word on the checksum, lowest first.
static HALF_BYTES: [[u16; 16]; 16] = {
    let mut tables = [[0; 16]; 16];
    let mut at = 0;
    while at < 16 {
        let mut value = 1;
        while value < 16 {
            // The 16 zero bits of the division follow the lowest half byte; more bits follow the others.
            let mut remainder = (value as u128) << (4 * at + 16);
            let mut bit = 80;
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
    fn the_checksum_matches_the_published_one() {
        assert_eq!(super::crc16(b"123456789"), 0x31c3);
        assert_eq!(super::crc16(b""), 0);
    }
}
