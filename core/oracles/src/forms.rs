//! Random addresses: valid ones of every kind, and invalid ones with a valid checksum.

use crypto_checkout_core::Network;

use crate::base58::{self, BITCOIN, RIPPLE};
use crate::parts::Made;
pub use crate::parts::Parts;
use crate::random::Random;
use crate::{address_only, bech32, cardano, cashaddr, evm, monero, ss58, strkey, zcash};

/// One valid address of every kind of a network.
pub fn right(network: Network, random: &mut Random) -> Vec<Made> {
    match network {
        Network::Btc => bitcoin_family("bc", [0x00, 0x05], random),
        Network::Ltc => bitcoin_family("ltc", [0x30, 0x32], random),
        Network::Doge => hashes([0x1e, 0x16], random),
        Network::Bch => bitcoin_cash(random),
        network if is_evm(network) => ethereum(random),
        Network::Trx => {
            let hash = random.bytes(20);
            vec![(base58::check(&[0x41], &hash, BITCOIN), Parts::new("account", &hash))]
        }
        Network::Xrp => xrp(random),
        Network::Xlm => stellar(random),
        Network::Dot => ss58::right(random),
        Network::Ada => cardano::right(random),
        Network::Xmr => monero::right(random),
        Network::Zec => zcash::right(random),
        other => address_only::right(other, random),
    }
}

fn is_evm(network: Network) -> bool {
    network.spec().chain_id().is_some()
}

fn hashes(versions: [u8; 2], random: &mut Random) -> Vec<Made> {
    let made = versions.into_iter().zip(["p2pkh", "p2sh"]).map(|(version, kind)| {
        let hash = random.bytes(20);
        (base58::check(&[version], &hash, BITCOIN), Parts::new(kind, &hash))
    });
    made.collect()
}

fn bitcoin_family(hrp: &str, versions: [u8; 2], random: &mut Random) -> Vec<Made> {
    let mut made = hashes(versions, random);
    let later = 2 + random.below(15);
    let programs = [
        (0, 20, "p2wpkh"),
        (0, 32, "p2wsh"),
        (1, 32, "p2tr"),
        (later, 2 + random.below(39), "future_witness"),
        (1, 3 + random.below(29), "future_witness"),
    ];
    for (version, length, kind) in programs {
        let version = u8::try_from(version).expect("at most 16");
        let program = random.bytes(length);
        let text = bech32::segwit(hrp, version, &program, bech32::constant_of(version));
        made.push((text, Parts::new(kind, &program)));
    }
    made
}

fn bitcoin_cash(random: &mut Random) -> Vec<Made> {
    let kinds = [
        (0, 20, "p2pkh"),
        (1, 20, "p2sh"),
        (1, 32, "p2sh32"),
        (2, 20, "token_p2pkh"),
        (3, 20, "token_p2sh"),
        (3, 32, "token_p2sh32"),
    ];
    let mut make = |(type_bits, length, kind): (u8, usize, &str)| {
        let hash = random.bytes(length);
        let text = cashaddr::encode("bitcoincash", cashaddr::version_byte(type_bits, length), &hash);
        (text, Parts::new(kind, &hash))
    };
    kinds.into_iter().map(&mut make).collect()
}

fn ethereum(random: &mut Random) -> Vec<Made> {
    let account = random.bytes(20);
    let parts = Parts::new("account", &account);
    let digits = evm::hex(&account);
    vec![
        (evm::checksummed(&account), parts.clone()),
        (format!("0x{digits}"), parts.clone()),
        (format!("0x{}", digits.to_ascii_uppercase()), parts),
    ]
}

fn xrp(random: &mut Random) -> Vec<Made> {
    let account = random.bytes(20);
    let tag = u32::try_from(random.word() >> 32).expect("32 bits");
    let with_tag = Parts { tag: Some(tag.into()), ..Parts::new("x_address", &account) };
    vec![
        (base58::check(&[0], &account, RIPPLE), Parts::new("classic", &account)),
        (x_address([0x05, 0x44], &account, 0, 0), Parts::new("x_address", &account)),
        (x_address([0x05, 0x44], &account, 1, tag.into()), with_tag),
    ]
}

/// <https://github.com/XRPLF/XRPL-Standards/tree/master/XLS-0005-standard-for-tagged-addresses>
fn x_address(prefix: [u8; 2], account: &[u8], flags: u8, tag: u64) -> String {
    let rest = [account, &[flags], &tag.to_le_bytes()].concat();
    base58::check(&prefix, &rest, RIPPLE)
}

fn stellar(random: &mut Random) -> Vec<Made> {
    let key = random.bytes(32);
    let id = random.word();
    let muxed = [&key[..], &id.to_be_bytes()].concat();
    vec![
        (strkey::encode(strkey::ACCOUNT, &key), Parts::new("account", &key)),
        (strkey::encode(strkey::MUXED, &muxed), Parts { tag: Some(id), ..Parts::new("muxed", &key) }),
    ]
}

/// Pay-to-anchor, for the networks that define it: version 1, two bytes
/// ([BIP-433](https://github.com/bitcoin/bips/blob/master/bip-0433.mediawiki)).
pub fn anchor(network: Network) -> Option<String> {
    let hrp = match network {
        Network::Btc => "bc",
        Network::Ltc => "ltc",
        _ => return None,
    };
    Some(bech32::segwit(hrp, 1, &[0x4e, 0x73], bech32::BECH32M))
}

/// All-zero addresses, whose keys are unknown.
pub fn zeros(network: Network) -> Vec<String> {
    let segwit =
        |hrp, version, length| bech32::segwit(hrp, version, &vec![0; length], bech32::constant_of(version));
    match network {
        Network::Btc => {
            vec![base58::check(&[0], &[0; 20], BITCOIN), segwit("bc", 0, 20), segwit("bc", 1, 32)]
        }
        Network::Ltc => vec![base58::check(&[0x30], &[0; 20], BITCOIN), segwit("ltc", 0, 32)],
        Network::Doge => {
            vec![base58::check(&[0x1e], &[0; 20], BITCOIN), base58::check(&[0x16], &[0; 20], BITCOIN)]
        }
        Network::Bch => vec![cashaddr::encode("bitcoincash", cashaddr::version_byte(0, 20), &[0; 20])],
        network if is_evm(network) => vec![evm::checksummed(&[0; 20])],
        Network::Trx => vec![base58::check(&[0x41], &[0; 20], BITCOIN)],
        Network::Xrp => vec![base58::check(&[0], &[0; 20], RIPPLE), x_address([0x05, 0x44], &[0; 20], 1, 7)],
        Network::Xlm => vec![strkey::encode(strkey::ACCOUNT, &[0; 32])],
        Network::Dot => vec![ss58::encode(0, &[0; 32])],
        Network::Ada => vec![cardano::encode("addr", &[&[0x61][..], &[0; 28]].concat())],
        Network::Xmr => vec![monero::encode(18, &[0; 64])],
        Network::Zec => vec![base58::check(&[0x1c, 0xb8], &[0; 20], BITCOIN)],
        other => address_only::zeros(other),
    }
}

/// A text with a valid checksum in one of the network's encodings, and any version, length and flags.
pub fn near(network: Network, random: &mut Random) -> String {
    match network {
        Network::Btc | Network::Ltc => {
            if random.below(4) == 0 {
                near_base58(random, BITCOIN)
            } else {
                near_segwit(random)
            }
        }
        Network::Bch => {
            if random.below(4) == 0 {
                near_base58(random, BITCOIN)
            } else {
                near_cashaddr(random)
            }
        }
        network if is_evm(network) => near_evm(random),
        Network::Trx if random.below(8) == 0 => {
            format!("{}{}", random.pick(&["41", "0x41", "42", ""]), evm::hex(&random.bytes(20)))
        }
        Network::Trx | Network::Doge => near_base58(random, BITCOIN),
        Network::Xrp => {
            if random.below(2) == 0 {
                near_base58(random, RIPPLE)
            } else {
                near_x_address(random)
            }
        }
        Network::Xlm => near_strkey(random),
        Network::Dot => ss58::near(random),
        Network::Ada => cardano::near(random),
        Network::Xmr => monero::near(random),
        Network::Zec => zcash::near(random),
        other => address_only::near(other, random),
    }
}

fn near_base58(random: &mut Random, alphabet: &[u8; 58]) -> String {
    let known = [0x00, 0x05, 0x16, 0x1e, 0x30, 0x32, 0x3a, 0x41, 0x6f, 0x80, 0xc4, 0x21];
    let version = if random.below(3) == 0 { random.byte() } else { *random.pick(&known) };
    let length = if random.below(3) == 0 { random.below(60) } else { 18 + random.below(5) };
    base58::check(&[version], &random.bytes(length), alphabet)
}

fn near_segwit(random: &mut Random) -> String {
    let hrp =
        *random.pick(&["bc", "ltc", "bc", "ltc", "tb", "bcrt", "tltc", "rltc", "ltcmweb", "bitcoincash"]);
    let constant = *random.pick(&[bech32::BECH32, bech32::BECH32M]);
    if random.below(3) == 0 {
        // Random symbols: most leave extra bits or nonzero padding.
        let count = random.below(70);
        let values: Vec<u8> = (0..count).map(|_| random.byte() & 31).collect();
        return bech32::encode(hrp, &values, constant);
    }
    let length = *random.pick(&[0, 1, 2, 19, 20, 21, 31, 32, 33, 40, 41]);
    let version = *random.pick(&[0, 0, 1, 1, 2, 15, 16, 17, 31]);
    bech32::segwit(hrp, version, &random.bytes(length), constant)
}

fn near_cashaddr(random: &mut Random) -> String {
    let prefix =
        *random.pick(&["bitcoincash", "bitcoincash", "bitcoincash", "bchtest", "bchreg", "ecash", "bc"]);
    let text = if random.below(4) == 0 {
        let count = random.below(112);
        let values: Vec<u8> = (0..count).map(|_| random.byte() & 31).collect();
        cashaddr::encode_values(prefix, &values)
    } else {
        let length = *random.pick(&[19, 20, 20, 20, 21, 24, 28, 32, 32, 40, 48, 56, 64]);
        let version = if random.below(2) == 0 {
            random.byte()
        } else {
            cashaddr::version_byte((random.byte() & 15) >> random.below(3), length)
        };
        cashaddr::encode(prefix, version, &random.bytes(length))
    };
    if random.below(3) == 0 { text.split_once(':').expect("a prefix").1.to_owned() } else { text }
}

fn near_evm(random: &mut Random) -> String {
    let length = *random.pick(&[19, 20, 20, 20, 20, 21]);
    let bytes = random.bytes(length);
    let digits = evm::checksummed(&bytes);
    let digits = match random.below(4) {
        0 => digits[2..].to_owned(),
        1 => format!("0X{}", &digits[2..]),
        _ => digits,
    };
    // Changes the letter case of one digit, or of none.
    let at = random.below(digits.len());
    let (head, tail) = digits.split_at(at);
    let flipped = tail[..1].chars().map(|letter| {
        if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
    });
    let flipped: String = if random.below(3) == 0 { flipped.collect() } else { tail[..1].to_owned() };
    format!("{head}{flipped}{}", &tail[1..])
}

fn near_x_address(random: &mut Random) -> String {
    let any = [random.byte(), random.byte()];
    let prefix = *random.pick(&[[0x05, 0x44], [0x05, 0x44], [0x04, 0x93], any]);
    let length = *random.pick(&[19, 20, 20, 20, 20, 20, 21]);
    let tag = random.word();
    let tag = *random.pick(&[0, 1, tag >> 32, tag, 1 << 32, 1 << 63]);
    let flags = *random.pick(&[0, 0, 1, 1, 2, 3, 255]);
    x_address(prefix, &random.bytes(length), flags, tag)
}

fn near_strkey(random: &mut Random) -> String {
    // SEP-23: accounts, muxed, seeds, pre-authorised transactions, hashes, signed payloads, contracts.
    let known = [6 << 3, 12 << 3, 18 << 3, 19 << 3, 23 << 3, 15 << 3, 2 << 3, 6 << 3 | 1, 12 << 3 | 1];
    let version = if random.below(4) == 0 { random.byte() } else { *random.pick(&known) };
    let length = *random.pick(&[0, 31, 32, 32, 32, 33, 39, 40, 40, 40, 41, 64]);
    strkey::encode(version, &random.bytes(length))
}

#[cfg(test)]
mod tests {
    use super::{Random, near, right};
    use crypto_checkout_core::{Address, Network};

    #[test]
    fn the_core_recovers_the_content_of_an_address() {
        let mut random = Random::new(1);
        for network in Network::ALL {
            for (text, parts) in (0..500).flat_map(|_| right(*network, &mut random)) {
                let address = Address::parse(*network, &text).unwrap_or_else(|e| panic!("{text}: {e}"));
                assert_eq!(address.kind().code(), parts.kind, "{text}");
                assert_eq!((address.payload(), address.tag()), (&parts.payload[..], parts.tag), "{text}");
            }
        }
    }

    #[test]
    fn some_near_misses_are_valid() {
        let mut random = Random::new(2);
        for network in Network::ALL {
            let texts: Vec<String> = (0..4_000).map(|_| near(*network, &mut random)).collect();
            let right = texts.iter().filter(|text| Address::parse(*network, text).is_ok()).count();
            assert!((10..3_000).contains(&right), "{network}: {right}");
        }
    }
}
