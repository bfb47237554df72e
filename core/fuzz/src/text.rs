//! Converts input bytes to text. libFuzzer cannot guess a checksum, so one byte selects whether the rest is
//! the text itself or the payload of one of the encodings.

use checkout_oracles::{base58, bech32, cashaddr, evm, strkey};

/// The byte for plain text.
pub(crate) const PLAIN: u8 = 0;

const HRPS: [&str; 8] = ["bc", "tb", "bcrt", "ltc", "tltc", "rltc", "ltcmweb", "bitcoincash"];
const PREFIXES: [&str; 4] = ["bitcoincash", "bchtest", "bchreg", "ecash"];

/// The longest payload: twice the longest of any address.
const LONGEST: usize = 128;

pub(crate) fn text(data: &[u8]) -> String {
    let Some((how, rest)) = data.split_first() else {
        return String::new();
    };
    if *how == PLAIN || rest.len() > LONGEST || rest.len() < 3 {
        return String::from_utf8_lossy(rest).into_owned();
    }
    let five_bits = |values: &[u8]| values.iter().map(|value| value & 31).collect::<Vec<u8>>();
    let constant = if rest[0] & 0x80 == 0 { bech32::BECH32 } else { bech32::BECH32M };
    let hrp = HRPS[usize::from(rest[0] & 7)];
    let prefix = PREFIXES[usize::from(rest[0] & 3)];
    match how % 11 {
        1 => base58::check(&[], rest, base58::BITCOIN),
        2 => base58::check(&[], rest, base58::RIPPLE),
        3 => bech32::segwit(hrp, rest[1] & 31, &rest[2..], constant),
        4 => bech32::encode(hrp, &five_bits(&rest[1..]), constant),
        5 => cashaddr::encode(prefix, rest[1], &rest[2..]),
        6 => cashaddr::encode_values(prefix, &five_bits(&rest[1..])),
        7 => strkey::encode(rest[0], &rest[1..]),
        8 => evm::checksummed(rest),
        9 => evm::hex(rest),
        10 => bech32::segwit(hrp, rest[1] & 31, &rest[2..], constant).to_ascii_uppercase(),
        _ => String::from_utf8_lossy(rest).into_owned(),
    }
}
