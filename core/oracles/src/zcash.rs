//! Zcash's addresses: <https://zips.z.cash/protocol/protocol.pdf>, ZIP-316 and ZIP-320.

use crate::base58::{self, BITCOIN};
use crate::bech32::{self, BECH32, BECH32M, five_bit_groups};
use crate::parts::{Made, Parts};
use crate::random::Random;

/// `items` are type, length and content of each receiver.
pub fn unified(hrp: &str, items: &[u8], constant: u32) -> String {
    let mut padding = [0; 16];
    padding[..hrp.len()].copy_from_slice(hrp.as_bytes());
    let mut bytes = [items, &padding].concat();
    f4jumble::f4jumble_mut(&mut bytes).expect("48 bytes and more");
    bech32::encode(hrp, &five_bit_groups(&bytes), constant)
}

fn item(kind: u8, random: &mut Random) -> Vec<u8> {
    random.bytes(if kind < 2 { 20 } else { 43 })
}

fn encoded(kinds: &[u8], random: &mut Random) -> (Vec<u8>, Vec<u8>) {
    let (mut items, mut payload) = (Vec::new(), Vec::new());
    for kind in kinds {
        let content = item(*kind, random);
        items.extend([*kind, u8::try_from(content.len()).unwrap()]);
        items.extend(&content);
        payload.extend(content);
    }
    (items, payload)
}

pub(crate) fn right(random: &mut Random) -> Vec<Made> {
    let transparent = [([0x1c, 0xb8], "p2pkh"), ([0x1c, 0xbd], "p2sh")].map(|(version, kind)| {
        let hash = random.bytes(20);
        (base58::check(&version, &hash, BITCOIN), Parts::new(kind, &hash))
    });
    let sapling = random.bytes(43);
    let tex = random.bytes(20);
    let mut made = transparent.to_vec();
    made.push((bech32::encode("zs", &five_bit_groups(&sapling), BECH32), Parts::new("sapling", &sapling)));
    made.push((bech32::encode("tex", &five_bit_groups(&tex), BECH32M), Parts::new("tex", &tex)));
    for kinds in [&[3][..], &[2, 3], &[0, 2, 3], &[1, 3]] {
        let (items, payload) = encoded(kinds, random);
        made.push((unified("u", &items, BECH32M), Parts::new("unified", &payload)));
    }
    made
}

pub(crate) fn near(random: &mut Random) -> String {
    let constant = *random.pick(&[BECH32, BECH32M, BECH32M]);
    match random.below(3) {
        0 => {
            let any = [random.byte(), random.byte()];
            let version = *random.pick(&[[0x1c, 0xb8], [0x1c, 0xbd], [0x1d, 0x25], [0x1c, 0xba], any]);
            let length = *random.pick(&[20, 20, 19, 21, 32]);
            base58::check(&version, &random.bytes(length), BITCOIN)
        }
        1 => {
            let hrp = *random.pick(&["zs", "tex", "zs", "tex", "ztestsapling", "textest", "u"]);
            let length = *random.pick(&[43, 20, 42, 44, 19, 21]);
            bech32::encode(hrp, &five_bit_groups(&random.bytes(length)), constant)
        }
        _ => {
            let kinds = *random.pick(&[
                &[3][..],
                &[2],
                &[0, 3],
                &[0, 2],
                &[0, 1, 3],
                &[3, 2],
                &[2, 2],
                &[3, 4],
                &[0, 1],
            ]);
            let (mut items, _) = encoded(kinds, random);
            if random.below(4) == 0 {
                let at = random.below(items.len().min(3));
                items[at] ^= 1 << random.below(8);
            }
            let hrp = *random.pick(&["u", "u", "u", "utest"]);
            unified(hrp, &items, constant)
        }
    }
}
