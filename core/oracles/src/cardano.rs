//! Cardano's addresses: <https://github.com/cardano-foundation/CIPs/blob/master/CIP-0019/README.md>

use crate::base58::{self, BITCOIN};
use crate::bech32::{self, BECH32, BECH32M, five_bit_groups};
use crate::parts::{Made, Parts};
use crate::random::Random;

pub fn encode(hrp: &str, bytes: &[u8]) -> String {
    bech32::encode(hrp, &five_bit_groups(bytes), BECH32)
}

/// Seven bits each, the highest first.
fn number(value: u32) -> Vec<u8> {
    let groups = (0..5).rev().map(|at| (value >> (7 * at) & 0x7f) as u8);
    let mut groups: Vec<u8> = groups.skip_while(|group| *group == 0).collect();
    let last = groups.pop().unwrap_or(0);
    groups.iter().map(|group| group | 0x80).chain([last]).collect()
}

fn pointer(random: &mut Random) -> Vec<u8> {
    let word = random.word().to_le_bytes();
    let slot = u32::from_le_bytes([word[0], word[1], word[2], word[3]]) >> random.below(32);
    let small = |low, high| u32::from(u16::from_le_bytes([low, high])) >> (word[0] & 15);
    [number(slot), number(small(word[4], word[5])), number(small(word[6], word[7]))].concat()
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        for bit in 0..8 {
            let low = (sum ^ u32::from(byte >> bit)) & 1;
            sum = sum >> 1 ^ if low == 1 { 0xedb8_8320 } else { 0 };
        }
    }
    !sum
}

fn cbor(major: u8, value: u32) -> Vec<u8> {
    let all = value.to_be_bytes();
    match value {
        0..24 => vec![major << 5 | all[3]],
        24..256 => vec![major << 5 | 0x18, all[3]],
        256..65536 => vec![major << 5 | 0x19, all[2], all[3]],
        _ => [&[major << 5 | 0x1a], &all[..]].concat(),
    }
}

fn string(bytes: &[u8]) -> Vec<u8> {
    [&cbor(2, u32::try_from(bytes.len()).unwrap()), bytes].concat()
}

/// `attributes` are a map in CBOR.
pub fn byron(root: &[u8], attributes: &[u8], kind: u8, crc: u32) -> String {
    let body = [&[0x83], &string(root)[..], attributes, &[kind]].concat();
    let sum = cbor(0, crc32(&body) ^ crc);
    base58::encode(&[&[0x82, 0xd8, 24], &string(&body)[..], &sum].concat(), BITCOIN)
}

fn path(random: &mut Random) -> (Vec<u8>, Vec<u8>) {
    let path = random.bytes(28);
    let attributes = [&[0xa1, 1], &string(&string(&path))[..]].concat();
    (path, attributes)
}

pub(crate) fn right(random: &mut Random) -> Vec<Made> {
    let shelley = |kind: u8, rest: Vec<u8>| {
        let text = encode("addr", &[&[kind << 4 | 1], &rest[..]].concat());
        (text, Parts::new("shelley", &rest))
    };
    let some = u8::try_from(random.below(2)).unwrap();
    let base = shelley(u8::try_from(random.below(4)).unwrap(), random.bytes(56));
    let with_pointer = shelley(4 + some, [random.bytes(28), pointer(random)].concat());
    let alone = shelley(6 + some, random.bytes(28));
    let root = random.bytes(28);
    let icarus = (byron(&root, &[0xa0], 0, 0), Parts::new("byron", &root));
    let (path, attributes) = path(random);
    let daedalus = (byron(&root, &attributes, 0, 0), Parts::new("byron", &[root, path].concat()));
    vec![base, with_pointer, alone, icarus, daedalus]
}

pub(crate) fn near(random: &mut Random) -> String {
    if random.below(3) == 0 {
        let length = *random.pick(&[28, 28, 28, 27, 29]);
        let (_, path) = path(random);
        let magic = [&[0xa1, 2], &string(&cbor(0, 1_097_911_063))[..]].concat();
        let attributes = random.pick(&[vec![0xa0], path, magic, vec![0xa1, 3, 0x41, 1], vec![0x80]]).clone();
        let kind = *random.pick(&[0, 0, 2, 1, 3, 23]);
        let crc = *random.pick(&[0, 0, 0, 1]);
        return byron(&random.bytes(length), &attributes, kind, crc);
    }
    let header = *random.pick(&[0x01, 0x11, 0x41, 0x61, 0x71, 0xe1, 0xf1, 0x81, 0x91, 0x60, 0x62, 0x00]);
    let length = *random.pick(&[28, 28, 28, 56, 56, 27, 29, 55, 57]);
    let mut bytes = [vec![header], random.bytes(length)].concat();
    if random.below(4) == 0 {
        bytes.extend(pointer(random));
    }
    let hrp = *random.pick(&["addr", "addr", "addr", "addr_test", "stake", "addr_vkh"]);
    if random.below(8) == 0 {
        return bech32::encode(hrp, &five_bit_groups(&bytes), BECH32M);
    }
    encode(hrp, &bytes)
}

#[cfg(test)]
mod tests {
    use super::{crc32, number};

    #[test]
    fn numbers_and_sums_are_as_published() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        // CIP-19: the pointer of its test vectors.
        assert_eq!([number(2_498_243), number(27), number(3)].concat(), [0x81, 0x98, 0xbd, 0x43, 0x1b, 0x03]);
        assert_eq!(number(0), [0]);
    }
}
