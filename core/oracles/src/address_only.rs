//! Random addresses of the networks of which only addresses are checked.

use crypto_checkout_core::Network;

use crate::base58::{self, BITCOIN};
use crate::bech32::{self, BECH32, BECH32M, five_bit_groups};
use crate::evm::hex;
use crate::parts::{Made, Parts};
use crate::random::Random;
use crate::strkey::crc16;

pub(crate) fn right(network: Network, random: &mut Random) -> Vec<Made> {
    match network {
        Network::Sol => {
            let key = random.bytes(32);
            vec![(base58::encode(&key, BITCOIN), Parts::new("account", &key))]
        }
        Network::Atom => {
            let accounts = [random.bytes(20), random.bytes(32)];
            accounts
                .map(|account| (cosmos("cosmos", &account, BECH32), Parts::new("account", &account)))
                .into()
        }
        Network::Ton => {
            let account = [&[*random.pick(&[0, 0xff])][..], &random.bytes(32)].concat();
            let (here, there) = (ton(0x11, &account), ton(0x51, &account));
            vec![
                (here.replace('-', "+").replace('_', "/"), Parts::new("account", &account)),
                (here, Parts::new("account", &account)),
                (there, Parts::new("non_bounceable", &account)),
            ]
        }
        Network::Sui | Network::Apt => {
            let key = random.bytes(32);
            let digits = hex(&key);
            let texts = [format!("0x{digits}"), format!("0x{}", digits.to_ascii_uppercase())];
            texts.map(|text| (text, Parts::new("account", &key))).into()
        }
        other => panic!("a network without forms: {other}"),
    }
}

pub(crate) fn zeros(network: Network) -> Vec<String> {
    let of_master = [&[0xff][..], &[0; 32]].concat();
    match network {
        Network::Sol => vec!["1".repeat(32)],
        Network::Atom => [20, 32].map(|length| cosmos("cosmos", &vec![0; length], BECH32)).into(),
        Network::Ton => vec![ton(0x11, &[0; 33]), ton(0x51, &of_master)],
        _ => vec![
            format!("0x{}", "0".repeat(64)),
            format!("0x{}2", "0".repeat(63)),
            "0x0".to_owned(),
            "0xf".to_owned(),
        ],
    }
}

pub(crate) fn near(network: Network, random: &mut Random) -> String {
    match network {
        Network::Sol => {
            let zeros = vec![0; *random.pick(&[0, 0, 1, 2, 31])];
            let length = *random.pick(&[30, 31, 32, 32, 33, 34]);
            let rest = random.bytes(usize::saturating_sub(length, zeros.len()));
            base58::encode(&[zeros, rest].concat(), BITCOIN)
        }
        Network::Atom => {
            let hrp = *random.pick(&["cosmos", "cosmos", "cosmos", "cosmosvaloper", "cosmo", "osmo", "bc"]);
            let variant = *random.pick(&[BECH32, BECH32, BECH32M]);
            if random.below(3) == 0 {
                let count = *random.pick(&[0, 1, 31, 32, 33, 51, 52, 52, 53, 60]);
                let values: Vec<u8> = (0..count).map(|_| random.byte() & 31).collect();
                return bech32::encode(hrp, &values, variant);
            }
            let length = *random.pick(&[0, 1, 19, 20, 20, 21, 31, 32, 32, 33, 40]);
            cosmos(hrp, &random.bytes(length), variant)
        }
        Network::Ton => {
            let (any_tag, any_chain) = (random.byte(), random.byte());
            let tag = *random.pick(&[0x11, 0x51, 0x11, 0x51, 0x91, 0xd1, 0x00, any_tag]);
            let chain = *random.pick(&[0, 0, 0xff, 0xff, 1, 0xfe, any_chain]);
            let length = *random.pick(&[31, 32, 32, 32, 32, 33]);
            let account = [&[chain][..], &random.bytes(length)].concat();
            let text = ton(tag, &account);
            match random.below(6) {
                0 => text.replace('-', "+").replace('_', "/"),
                1 => text.replace('-', "+"),
                2 => format!("{}:{}", random.pick(&["0", "-1", "1", "00", "-2"]), hex(&account[1..])),
                _ => text,
            }
        }
        _ => {
            let length = *random.pick(&[1, 2, 31, 32, 32, 32, 33]);
            let digits = hex(&random.bytes(length));
            let digits = &digits[random.below(2)..];
            format!("{}{digits}", random.pick(&["0x", "0x", "0x", "0x", "0X", ""]))
        }
    }
}

fn cosmos(hrp: &str, account: &[u8], variant: u32) -> String {
    bech32::encode(hrp, &five_bit_groups(account), variant)
}

/// In the alphabet of URLs (<https://github.com/ton-blockchain/TEPs/blob/master/text/0002-address.md>).
fn ton(tag: u8, account: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut bytes = [&[tag], account].concat();
    bytes.extend(crc16(&bytes).to_be_bytes());
    let bits: Vec<u8> = bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)).collect();
    let value =
        |six: &[u8]| (0..6).fold(0, |value, at| value << 1 | usize::from(six.get(at).copied().unwrap_or(0)));
    bits.chunks(6).map(|six| char::from(DIGITS[value(six)])).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn writes_what_is_published() {
        let elector = [&[0xff][..], &[0x33; 32]].concat();
        assert_eq!(super::ton(0x11, &elector), "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF");
        assert_eq!(super::ton(0x11, &[0; 33]), "EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c");
    }
}
