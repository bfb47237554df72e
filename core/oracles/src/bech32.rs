//! bech32 and bech32m, implemented bit by bit from BIP-173 and BIP-350.

pub const SYMBOLS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
pub const BECH32: u32 = 1;
pub const BECH32M: u32 = 0x2bc8_30a3;

/// Five bits each; the last group is padded with zeros.
pub fn five_bit_groups(bytes: &[u8]) -> Vec<u8> {
    let bits: Vec<u8> = bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)).collect();
    bits.chunks(5)
        .map(|group| (0..5).fold(0, |value, at| value << 1 | group.get(at).copied().unwrap_or(0)))
        .collect()
}

fn polymod(values: impl IntoIterator<Item = u8>) -> u32 {
    const GENERATORS: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    let mut state: u32 = 1;
    for value in values {
        let top = state >> 25;
        state = (state & 0x1ff_ffff) << 5 ^ u32::from(value);
        for (bit, generator) in GENERATORS.iter().enumerate() {
            if top >> bit & 1 == 1 {
                state ^= generator;
            }
        }
    }
    state
}

/// `hrp`, the separator, `values` and their checksum; `constant` is [`BECH32`] or [`BECH32M`].
pub fn encode(hrp: &str, values: &[u8], constant: u32) -> String {
    let high = hrp.bytes().map(|byte| byte >> 5);
    let low = hrp.bytes().map(|byte| byte & 31);
    let all = high.chain([0]).chain(low).chain(values.iter().copied()).chain([0; 6]);
    let sum = polymod(all) ^ constant;
    let sum = (0..6).map(|at| (sum >> (5 * (5 - at)) & 31) as u8);
    let symbols = values.iter().copied().chain(sum).map(|value| char::from(SYMBOLS[usize::from(value)]));
    format!("{hrp}1{}", symbols.collect::<String>())
}

/// A witness program; `constant` need not be the right one for the version.
pub fn segwit(hrp: &str, version: u8, program: &[u8], constant: u32) -> String {
    let mut values = vec![version];
    values.extend(five_bit_groups(program));
    encode(hrp, &values, constant)
}

pub fn constant_of(version: u8) -> u32 {
    if version == 0 { BECH32 } else { BECH32M }
}

#[cfg(test)]
mod tests {
    use super::{BECH32, BECH32M, encode, segwit};

    #[test]
    fn writes_what_the_standards_have() {
        assert_eq!(encode("a", &[], BECH32), "a12uel5l");
        assert_eq!(encode("a", &[], BECH32M), "a1lqfn3a");
        let program = [
            0x75, 0x1e, 0x76, 0xe8, 0x19, 0x91, 0x96, 0xd4, 0x54, 0x94, 0x1c, 0x45, 0xd1, 0xb3, 0xa3, 0x23,
            0xf1, 0x43, 0x3b, 0xd6,
        ];
        assert_eq!(segwit("bc", 0, &program, BECH32), "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4");
        assert_eq!(segwit("bc", 16, &[0x75, 0x1e], BECH32M), "bc1sw50qgdz25j");
    }
}
