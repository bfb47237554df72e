//! SS58: <https://docs.polkadot.com/polkadot-protocol/parachain-basics/accounts/#address-formats>

use blake2::{Blake2b512, Digest};

use crate::base58::{self, BITCOIN};
use crate::parts::{Made, Parts};
use crate::random::Random;

/// A prefix of up to 14 bits, `content` and their checksum.
pub fn encode(prefix: u16, content: &[u8]) -> String {
    let [high, low] = prefix.to_be_bytes();
    let head = if prefix < 64 { vec![low] } else { vec![0x40 | low >> 2, high | low << 6] };
    let mut bytes = [&head, content].concat();
    let sum = Blake2b512::digest([b"SS58PRE", &bytes[..]].concat());
    bytes.extend(&sum[..2]);
    base58::encode(&bytes, BITCOIN)
}

pub(crate) fn right(random: &mut Random) -> Vec<Made> {
    let account = random.bytes(32);
    vec![(encode(0, &account), Parts::new("account", &account))]
}

pub(crate) fn near(random: &mut Random) -> String {
    let any = u16::from(random.byte()) << 6 | u16::from(random.byte() & 63);
    let prefix = *random.pick(&[0, 0, 0, 0, 1, 2, 42, 63, 64, any]);
    let length = *random.pick(&[32, 32, 32, 31, 33, 8, 4, 2, 1]);
    encode(prefix, &random.bytes(length))
}

#[cfg(test)]
mod tests {
    use super::encode;

    #[test]
    fn writes_what_is_published() {
        let alice = [
            0xd4, 0x35, 0x93, 0xc7, 0x15, 0xfd, 0xd3, 0x1c, 0x61, 0x14, 0x1a, 0xbd, 0x04, 0xa9, 0x9f, 0xd6,
            0x82, 0x2c, 0x85, 0x58, 0x85, 0x4c, 0xcd, 0xe3, 0x9a, 0x56, 0x84, 0xe7, 0xa5, 0x6d, 0xa2, 0x7d,
        ];
        assert_eq!(encode(0, &alice), "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5");
        assert_eq!(encode(42, &alice), "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY");
    }
}
