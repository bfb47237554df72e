//! Valid random addresses of every kind, written by the oracles' encoders, not the core's.

use std::str::FromStr;

use checkout_oracles::base58::{self, BITCOIN, RIPPLE};
use checkout_oracles::random::Random;
use checkout_oracles::{bech32, cashaddr, evm, strkey};

/// Addresses per kind: too many for a branch predictor to learn.
const MANY: usize = 2_048;

/// A kind's addresses, the same on every run.
pub(crate) fn many(make: fn(&mut Random) -> String) -> Vec<String> {
    let mut random = Random::new(20_090_103);
    (0..MANY).map(|_| make(&mut random)).collect()
}

pub(crate) fn base58_hash<const VERSION: u8>(random: &mut Random) -> String {
    base58::check(&[VERSION], &random.bytes(20), BITCOIN)
}

pub(crate) fn bitcoin_segwit<const VERSION: u8, const LENGTH: usize>(random: &mut Random) -> String {
    bech32::segwit("bc", VERSION, &random.bytes(LENGTH), bech32::constant_of(VERSION))
}

pub(crate) fn litecoin_segwit<const VERSION: u8, const LENGTH: usize>(random: &mut Random) -> String {
    bech32::segwit("ltc", VERSION, &random.bytes(LENGTH), bech32::constant_of(VERSION))
}

/// Two compressed keys. The `litecoin` crate ensures that both are points of the curve.
pub(crate) fn mweb(random: &mut Random) -> String {
    loop {
        let mut keys = Vec::new();
        for _ in 0..2 {
            keys.push(2 + (random.byte() & 1));
            keys.extend(random.bytes(32));
        }
        let text = bech32::segwit("ltcmweb", 0, &keys, bech32::BECH32);
        if litecoin::Address::from_str(&text).is_ok() {
            return text;
        }
    }
}

pub(crate) fn cash_address<const TYPE: u8, const LENGTH: usize>(random: &mut Random) -> String {
    cashaddr::encode("bitcoincash", cashaddr::version_byte(TYPE, LENGTH), &random.bytes(LENGTH))
}

pub(crate) fn bare_cash_address(random: &mut Random) -> String {
    let text = cash_address::<0, 20>(random);
    text.split_once(':').expect("a prefix").1.to_owned()
}

pub(crate) fn evm_checksummed(random: &mut Random) -> String {
    evm::checksummed(&random.bytes(20))
}

pub(crate) fn evm_lower(random: &mut Random) -> String {
    format!("0x{}", evm::hex(&random.bytes(20)))
}

pub(crate) fn evm_upper(random: &mut Random) -> String {
    format!("0x{}", evm::hex(&random.bytes(20)).to_ascii_uppercase())
}

pub(crate) fn tron_hex(random: &mut Random) -> String {
    format!("41{}", evm::hex(&random.bytes(20)))
}

pub(crate) fn classic(random: &mut Random) -> String {
    base58::check(&[0], &random.bytes(20), RIPPLE)
}

/// XLS-5: two bytes of prefix, the account, flags and eight bytes of tag.
pub(crate) fn x_address(random: &mut Random) -> String {
    let account = random.bytes(20);
    let tag = (random.word() >> 32).to_le_bytes();
    base58::check(&[0x05, 0x44], &[&account[..], &[1], &tag].concat(), RIPPLE)
}

pub(crate) fn stellar_account(random: &mut Random) -> String {
    strkey::encode(strkey::ACCOUNT, &random.bytes(32))
}

pub(crate) fn stellar_muxed(random: &mut Random) -> String {
    strkey::encode(strkey::MUXED, &random.bytes(40))
}

pub(crate) fn stellar_contract(random: &mut Random) -> String {
    strkey::encode(CONTRACT, &random.bytes(32))
}

/// SEP-23.
const CONTRACT: u8 = 2 << 3;
