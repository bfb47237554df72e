//! CashAddr texts of regtest, and the legacy ones of the node behind the server. Both have the hash of a key.

use checkout_core::Network;
use checkout_core::address::{Address, Kind, Options};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The version of pay-to-public-key-hash on test networks.
const VERSION: u8 = 0x6f;

const ANY: Options = Options { allow_test_networks: true, allow_legacy_bch: true, ..Options::STRICT };

/// The prefix of CashAddr texts on regtest, and that of the main network.
const PREFIXES: (&str, &str) = ("bchreg:", "bitcoincash:");

/// The node's form of a CashAddr text; any other text is unchanged.
pub fn legacy(text: &str) -> String {
    match Address::parse_with(Network::Bch, text, &ANY) {
        Ok(address) if address.kind() == Kind::P2pkh && text.starts_with(PREFIXES.0) => {
            let bytes = [&[VERSION], address.payload()].concat();
            let check = Sha256::digest(Sha256::digest(&bytes));
            bs58::encode([&bytes[..], &check[..4]].concat()).into_string()
        }
        // The node would read a text of the main network as one of another coin.
        Ok(_) if text.starts_with(PREFIXES.1) => "invalid".to_owned(),
        _ => text.to_owned(),
    }
}

/// The CashAddr text of a legacy one; any other text is unchanged.
fn cash(text: &str) -> String {
    let bytes = bs58::decode(text).with_check(None).into_vec().unwrap_or_default();
    match bytes.split_first() {
        Some((&VERSION, hash)) if hash.len() == 20 => written(hash),
        _ => text.to_owned(),
    }
}

pub(super) fn to_node(value: Value) -> Value {
    texts(value, &legacy)
}

pub(super) fn from_node(value: Value) -> Value {
    texts(value, &cash)
}

fn texts(value: Value, change: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(change(&text)),
        Value::Array(list) => list.into_iter().map(|item| texts(item, change)).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| (change(&name), texts(value, change))).collect()
        }
        other => other,
    }
}

/// CashAddr: five bits a letter, and a checksum over prefix and letters (its specification, "Checksum").
fn written(hash: &[u8]) -> String {
    const LETTERS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    let bytes = [&[0_u8], hash].concat();
    let (mut values, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for byte in bytes {
        bits = (bits << 8) | u32::from(byte);
        count += 8;
        while count >= 5 {
            count -= 5;
            values.push(u8::try_from((bits >> count) & 31).unwrap_or_default());
        }
    }
    values.push(u8::try_from((bits << (5 - count)) & 31).unwrap_or_default());
    let prefix = PREFIXES.0.trim_end_matches(':').bytes().map(|letter| letter & 31).chain([0]);
    let check = checksum(prefix.chain(values.iter().copied()).chain([0; 8]));
    values.extend((0..8).rev().map(|at| u8::try_from((check >> (5 * at)) & 31).unwrap_or_default()));
    let letters: String = values.iter().map(|value| char::from(LETTERS[usize::from(*value)])).collect();
    format!("{}{letters}", PREFIXES.0)
}

fn checksum(values: impl Iterator<Item = u8>) -> u64 {
    const TERMS: [u64; 5] = [0x98_f2bc_8e61, 0x79_b76d_99e2, 0xf3_3e5f_b3c4, 0xae_2eab_e2a8, 0x1e_4f43_e470];
    let mut sum: u64 = 1;
    for value in values {
        let top = sum >> 35;
        sum = ((sum & 0x07_ffff_ffff) << 5) ^ u64::from(value);
        for (at, term) in TERMS.iter().enumerate() {
            if (top >> at) & 1 == 1 {
                sum ^= term;
            }
        }
    }
    sum ^ 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_have_the_same_hash() {
        let text = written(&[7; 20]);
        assert!(Address::parse_with(Network::Bch, &text, &ANY).is_ok(), "{text}");
        assert_eq!(cash(&legacy(&text)), text);
        assert_eq!((legacy("00ff").as_str(), cash("00ff").as_str()), ("00ff", "00ff"));
    }
}
