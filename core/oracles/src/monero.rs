//! Monero's addresses: <https://docs.getmonero.org/public-address/standard-address/>

use sha3::{Digest, Keccak256};

use crate::base58::BITCOIN;
use crate::parts::{Made, Parts};
use crate::random::Random;

/// Public keys that are points of the curve, in hexadecimal: of the tests of RFC 8032.
const POINTS: [&str; 5] = [
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    "278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e",
    "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
];

/// `content` after a version, with its checksum, in blocks of base58.
pub fn encode(version: u8, content: &[u8]) -> String {
    const SIZES: [usize; 9] = [0, 2, 3, 5, 6, 7, 9, 10, 11];
    let mut bytes = [&[version], content].concat();
    let sum = Keccak256::digest(&bytes);
    bytes.extend(&sum[..4]);
    let block = |block: &[u8]| {
        let number = block.iter().fold(0_u128, |number, byte| number * 256 + u128::from(*byte));
        let digit =
            |power: usize| BITCOIN[(number / 58_u128.pow(u32::try_from(power).unwrap()) % 58) as usize];
        (0..SIZES[block.len()]).rev().map(|power| char::from(digit(power))).collect::<String>()
    };
    bytes.chunks(8).map(block).collect()
}

fn key(random: &mut Random) -> Vec<u8> {
    let digits = random.pick(&POINTS);
    (0..32).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap()).collect()
}

pub(crate) fn right(random: &mut Random) -> Vec<Made> {
    let keys = [key(random), key(random)].concat();
    let integrated = [&keys[..], &random.bytes(8)].concat();
    [(18, "account", &keys), (42, "subaddress", &keys), (19, "integrated", &integrated)]
        .map(|(version, kind, content)| (encode(version, content), Parts::new(kind, content)))
        .to_vec()
}

pub(crate) fn near(random: &mut Random) -> String {
    let any = random.byte();
    let version = *random.pick(&[18, 18, 19, 19, 42, 42, 53, 54, 63, 24, 25, 36, any]);
    let spend = key(random);
    let length = *random.pick(&[0, 0, 0, 8, 8, 8, 1, 7, 32]);
    let rest = random.bytes(length);
    let view = if random.below(6) == 0 { random.bytes(32) } else { key(random) };
    let content = [spend, view, rest].concat();
    let text = encode(version, &content);
    // Digits that are more than a block.
    if random.below(8) == 0 { format!("{}zzzzzzz", &text[..text.len() - 7]) } else { text }
}

#[cfg(test)]
mod tests {
    use super::encode;

    #[test]
    fn writes_what_the_reference_writes() {
        // monero-project/monero, src/common/base58.cpp: full blocks of zeros are eleven ones.
        assert!(encode(18, &[0; 64]).starts_with("41d7FXjswpK11111"));
    }
}
