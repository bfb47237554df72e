//! Stellar's strkeys: a version byte, a payload and CRC-16/XMODEM in base32 without padding.
//! <https://github.com/stellar/stellar-protocol/blob/master/ecosystem/sep-0023.md>

use crate::bech32::five_bit_groups;

const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

pub const ACCOUNT: u8 = 6 << 3;
pub const MUXED: u8 = 12 << 3;

pub(crate) fn crc16(bytes: &[u8]) -> u16 {
    let mut crc: u16 = 0;
    for byte in bytes {
        crc ^= u16::from(*byte) << 8;
        for _ in 0..8 {
            crc = if crc & 0x8000 == 0 { crc << 1 } else { crc << 1 ^ 0x1021 };
        }
    }
    crc
}

pub fn encode(version: u8, payload: &[u8]) -> String {
    let mut bytes = [&[version], payload].concat();
    bytes.extend(crc16(&bytes).to_le_bytes());
    five_bit_groups(&bytes).into_iter().map(|value| char::from(ALPHABET[usize::from(value)])).collect()
}

#[cfg(test)]
mod tests {
    use super::{ACCOUNT, MUXED, encode};

    #[test]
    fn writes_what_the_standard_has() {
        let key = [
            0x3f, 0x0c, 0x34, 0xbf, 0x93, 0xad, 0x0d, 0x99, 0x71, 0xd0, 0x4c, 0xcc, 0x90, 0xf7, 0x05, 0x51,
            0x1c, 0x83, 0x8a, 0xad, 0x97, 0x34, 0xa4, 0xa2, 0xfb, 0x0d, 0x7a, 0x03, 0xfc, 0x7f, 0xe8, 0x9a,
        ];
        assert_eq!(encode(ACCOUNT, &key), "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ");
        let muxed = [&key[..], &(1_u64 << 63).to_be_bytes()].concat();
        assert_eq!(
            encode(MUXED, &muxed),
            "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK"
        );
    }
}
