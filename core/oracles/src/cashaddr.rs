//! CashAddr as its specification describes it, bit by bit.
//! <https://github.com/bitcoincashorg/bitcoincash.org/blob/master/spec/cashaddr.md>

use crate::bech32::{SYMBOLS, five_bit_groups};

fn polymod(values: impl IntoIterator<Item = u8>) -> u64 {
    const GENERATORS: [u64; 5] =
        [0x98_f2bc_8e61, 0x79_b76d_99e2, 0xf3_3e5f_b3c4, 0xae_2eab_e2a8, 0x1e_4f43_e470];
    let mut state: u64 = 1;
    for value in values {
        let top = state >> 35;
        state = (state & 0x07_ffff_ffff) << 5 ^ u64::from(value);
        for (bit, generator) in GENERATORS.iter().enumerate() {
            if top >> bit & 1 == 1 {
                state ^= generator;
            }
        }
    }
    state ^ 1
}

/// The version byte for a type and a hash of this size, rounded up to a defined size.
pub fn version_byte(kind: u8, length: usize) -> u8 {
    let size = [20, 24, 28, 32, 40, 48, 56, 64].iter().position(|size| *size >= length);
    kind << 3 | u8::try_from(size.unwrap_or(7)).expect("less than 8")
}

/// `prefix`, a colon, `version`, `hash` and their checksum.
pub fn encode(prefix: &str, version: u8, hash: &[u8]) -> String {
    let values = five_bit_groups(&[&[version], hash].concat());
    encode_values(prefix, &values)
}

pub fn encode_values(prefix: &str, values: &[u8]) -> String {
    let head = prefix.bytes().map(|byte| byte & 31).chain([0]);
    let sum = polymod(head.chain(values.iter().copied()).chain([0; 8]));
    let sum = (0..8).map(|at| (sum >> (5 * (7 - at)) & 31) as u8);
    let symbols = values.iter().copied().chain(sum).map(|value| char::from(SYMBOLS[usize::from(value)]));
    format!("{prefix}:{}", symbols.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::{encode, version_byte};

    #[test]
    fn writes_what_the_specification_has() {
        // "Larger test vectors": 20 bytes, types 0 and 1.
        let hash = [
            0xf5, 0xbf, 0x48, 0xb3, 0x97, 0xda, 0xe7, 0x0b, 0xe8, 0x2b, 0x3c, 0xca, 0x47, 0x93, 0xf8, 0xeb,
            0x2b, 0x6c, 0xda, 0xc9,
        ];
        assert_eq!(
            encode("bitcoincash", version_byte(0, 20), &hash),
            "bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2"
        );
        assert_eq!(
            encode("bchtest", version_byte(1, 20), &hash),
            "bchtest:pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t"
        );
    }
}
