//! Base32 (RFC 4648, upper case, no padding) with CRC-16, as Stellar's strkeys use them ([SEP-23]).
//!
//! [SEP-23]: https://github.com/stellar/stellar-protocol/blob/master/ecosystem/sep-0023.md

use core::fmt::{self, Write};

use super::Fault;
use super::symbols::{Regroup, groups};
use crate::address::Reason;

const CHECKSUM: usize = 2;

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'2'..=b'7' => Some(byte - b'2' + 26),
        _ => None,
    }
}

/// The bytes before the checksum, of a text that stands for exactly `N` bytes with it.
pub(crate) fn decode_check<const N: usize>(text: &[u8]) -> Result<[u8; N], Fault> {
    if text.len() != (N * 8).div_ceil(5) {
        return Err(Reason::BadLength.into());
    }
    let mut bytes = Regroup::<N>::new();
    for (at, character) in text.iter().enumerate() {
        bytes.push(digit(*character).ok_or(Fault::at(Reason::BadCharacter, at))?);
    }
    let bytes: [u8; N] = bytes.finish()?.try_into().map_err(|_| Reason::BadLength)?;
    let (body, checksum) = bytes.split_at(N - CHECKSUM);
    if crc16(body).to_le_bytes() != checksum {
        return Err(Reason::BadChecksum.into());
    }
    Ok(bytes)
}

/// Writes `version`, `payload` and their checksum.
pub(crate) fn write_check(version: u8, payload: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut bytes = [0; 64];
    let length = payload.len() + 1;
    let body = bytes.get_mut(..length + CHECKSUM).ok_or(fmt::Error)?;
    body[0] = version;
    body[1..length].copy_from_slice(payload);
    let checksum = crc16(&body[..length]).to_le_bytes();
    body[length..].copy_from_slice(&checksum);
    groups(body).try_for_each(|value| {
        f.write_char(char::from(if value < 26 { b'A' + value } else { b'2' + value - 26 }))
    })
}

/// CRC-16/XMODEM, four bits at a time.
fn crc16(bytes: &[u8]) -> u16 {
    const TABLE: [u16; 16] = {
        let mut table = [0; 16];
        let mut index = 0_u16;
        while index < 16 {
            let mut value = index << 12;
            let mut bit = 0;
            while bit < 4 {
                value = if value & 0x8000 == 0 { value << 1 } else { value << 1 ^ 0x1021 };
                bit += 1;
            }
            table[index as usize] = value;
            index += 1;
        }
        table
    };
    bytes.iter().fold(0, |crc, byte| {
        let crc = crc << 4 ^ TABLE[usize::from(crc >> 12 ^ u16::from(byte >> 4))];
        crc << 4 ^ TABLE[usize::from(crc >> 12 ^ u16::from(byte & 15))]
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_checksum_is_the_published_one() {
        assert_eq!(super::crc16(b"123456789"), 0x31c3);
    }
}
