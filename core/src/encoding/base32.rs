//! Base32 (RFC 4648, upper case, no padding) with CRC-16, as Stellar's strkeys use them ([SEP-23]).
//!
//! [SEP-23]: https://github.com/stellar/stellar-protocol/blob/master/ecosystem/sep-0023.md

use core::fmt;

use super::charset::groups;
use super::crc16::crc16;
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
