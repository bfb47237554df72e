//! Ethereum and the networks that share its accounts: hexadecimal with an [EIP-55] checksum in the letter
//! case.
//!
//! [EIP-55]: https://eips.ethereum.org/EIPS/eip-55

use alloc::string::{String, ToString};
use core::fmt;

use super::HEX_DIGITS as DIGITS;
use super::facts::{Explorer, Fees, Finality, GasCoin, KeyPath, TransactionIdForm};
use super::name::is_name;
use super::pairs::{coin, limits, token};
use super::public_key::PublicKey;
use super::spec::{Chain, ChainSpec, Checksum, PaymentLink};
use crate::address::{Address, AddressError, Kind, Reason};
use crate::currency::Currency;
use crate::encoding::{hash, hex};
use crate::network::{Network, TagRule};

mod arbitrum;
#[cfg(feature = "avalanche")]
mod avalanche;
mod base;
mod icap;
#[cfg(feature = "optimism")]
mod optimism;
mod polygon;

/// A network of this family.
macro_rules! evm {
    ($chain:ident, $spec:expr) => {
        pub(in crate::chain) enum $chain {}

        impl Chain for $chain {
            const SPEC: ChainSpec = $spec;

            fn parse(text: &str) -> Result<Address, AddressError> {
                parse(Self::SPEC.network, text)
            }

            fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write(address, f)
            }

            fn normal_form(address: &Address, text: &str) -> String {
                normal_form(address, text)
            }

            fn deposit(key: &PublicKey<'_>) -> Option<Address> {
                Some(Address::new(Self::SPEC.network, Kind::Account, &key.account()))
            }
        }
    };
}

evm!(Ethereum, ETHEREUM);
evm!(BnbSmartChain, BNB_SMART_CHAIN);
evm!(Polygon, polygon::SPEC);
evm!(Base, base::SPEC);
evm!(Arbitrum, arbitrum::SPEC);
#[cfg(feature = "optimism")]
evm!(Optimism, optimism::SPEC);
#[cfg(feature = "avalanche")]
evm!(Avalanche, avalanche::SPEC);

/// From EIP-55.
const EXAMPLE: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// An address is the same account on all of them.
const FAMILY: [Network; 5] = [Network::Eth, Network::Bsc, Network::Polygon, Network::Base, Network::Arbitrum];

/// The family, with one network first.
const fn family_of(network: Network) -> [Network; FAMILY.len()] {
    let mut all = FAMILY;
    let mut at = 0;
    while all[at] as usize != network as usize {
        at += 1;
    }
    while at > 0 {
        all[at] = all[at - 1];
        at -= 1;
    }
    all[0] = network;
    all
}

/// The shared values of this family, with Ethereum's facts.
const ETHEREUM: ChainSpec = ChainSpec {
    network: Network::Eth,
    name: "Ethereum",
    token_standard: Some("ERC-20"),
    instant: false,
    replaceable: true,
    tag: TagRule::None,
    shared_accounts: &family_of(Network::Eth),
    pairs: &[
        coin(Currency::Eth, Network::Eth, 18, limits("0.0006", "0.01", "1000")),
        token(
            Currency::Usdc,
            Network::Eth,
            6,
            6,
            "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
            limits("1.5", "15", "1000000"),
        ),
        token(
            Currency::Usdt,
            Network::Eth,
            6,
            6,
            "0xdAC17F958D2ee523a2206206994597C13D831ec7",
            limits("1.5", "15", "1000000"),
        ),
        token(
            Currency::Link,
            Network::Eth,
            18,
            8,
            "0x514910771AF9Ca656af840dff83E8264EcF986CA",
            limits("0.1", "1", "50000"),
        ),
    ],
    gas_coin: None,
    key_path: KeyPath { purpose: 44, coin_type: 60, account: 0 },
    // Casper FFG: the finalized block is two to three epochs of 32 slots behind the newest.
    finality: Finality { blocks: 96, reason: "three epochs of 32 slots" },
    block_seconds: 12,
    fees: Fees::Varying,
    transaction_id: TransactionIdForm::Prefixed,
    explorer: Explorer {
        transactions: "https://etherscan.io/tx/",
        addresses: "https://etherscan.io/address/",
    },
    test_networks: &[],
    example: EXAMPLE,
    sandbox_account: None,
    sandbox_fee: "0.00042",
    smallest_transfer: "0",
    checksum: Checksum::LetterCase,
    burned: BURNED,
    // Chain ids are those of EIP-155; <https://chainid.network>.
    link: PaymentLink::Erc681 { chain_id: "1", trust: "c60", public_node: None },
    address_only: false,
};

const BNB_SMART_CHAIN: ChainSpec = ChainSpec {
    network: Network::Bsc,
    // Binance-Peg tokens: Binance owes them, <https://www.binance.com/en/collateral-btokens>.
    pairs: &[
        token(
            Currency::Eth,
            Network::Bsc,
            18,
            8,
            "0x2170Ed0880ac9A755fd29B2688956BD959F933F8",
            limits("0.00005", "0.002", "500"),
        )
        .wrapped_by("Binance"),
        token(
            Currency::Usdc,
            Network::Bsc,
            18,
            6,
            "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d",
            limits("0.2", "5", "500000"),
        )
        .wrapped_by("Binance"),
        token(
            Currency::Usdt,
            Network::Bsc,
            18,
            6,
            "0x55d398326f99059fF775485246999027B3197955",
            limits("0.2", "5", "500000"),
        )
        .wrapped_by("Binance"),
    ],
    gas_coin: Some(GasCoin {
        code: "BNB",
        sandbox_eur: "600",
        sane_millieur: (20_000, 20_000_000),
        coingecko: "binancecoin",
        kraken: Some("BNBEUR"),
    }),
    name: "BNB Smart Chain",
    token_standard: Some("BEP-20"),
    shared_accounts: &family_of(Network::Bsc),
    // A different account than Ethereum's: older databases have keys of both.
    key_path: KeyPath { purpose: 44, coin_type: 60, account: 1 },
    // BEP-126 finalizes after two blocks if enough validators vote. Otherwise a block is final once most of
    // the 21 validators have built on it, each with 8 blocks in a row: 11 × 8.
    finality: Finality { blocks: 88, reason: "turns of 11 of the 21 validators, 8 blocks each" },
    block_seconds: 1,
    fees: Fees::Low,
    explorer: Explorer { transactions: "https://bscscan.com/tx/", addresses: "https://bscscan.com/address/" },
    sandbox_fee: "0.000063",
    smallest_transfer: "0",
    // <https://docs.bnbchain.org/bnb-smart-chain/developers/json_rpc/json-rpc-endpoint>
    link: PaymentLink::Erc681 {
        chain_id: "56",
        trust: "c20000714",
        public_node: Some("https://bsc-dataseed.bnbchain.org"),
    },
    ..ETHEREUM
};

/// The dead address used for burning tokens, in the two forms that explorers label.
const BURNED: &[&[u8]] = &[
    &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xde, 0xad],
    &[0xde, 0xad, 0, 0, 0, 0, 0, 0, 0, 0, 0x42, 0x06, 0x94, 0x20, 0x69, 0x42, 0x06, 0x94, 0x20, 0x69],
];

fn parse(network: Network, text: &str) -> Result<Address, AddressError> {
    // A form with a wrong prefix is suggested with the right one if its digits are valid.
    let other = |reason, digits: &[u8]| match decode(network, digits, 0) {
        Ok(address) => AddressError::suggesting(reason, address),
        Err(error) => error,
    };
    match text.as_bytes() {
        [b'0', b'x', digits @ ..] if digits.len() == DIGITS => decode(network, digits, 2),
        // Names may start like an address.
        bytes if is_name(bytes) => Err(Reason::NeedsResolution.into()),
        [b'0', b'x', ..] => Err(Reason::BadLength.into()),
        [b'0', b'X', digits @ ..] if digits.len() == DIGITS => Err(other(Reason::BadPrefix, digits)),
        digits if digits.len() == DIGITS && digits.iter().all(u8::is_ascii_hexdigit) => {
            Err(other(Reason::Missing0x, digits))
        }
        [b'X' | b'x', b'E' | b'e', rest @ ..] => {
            let account = Address::new(network, Kind::Account, &icap::decode(rest)?);
            Err(AddressError::suggesting(Reason::IcapForm, account))
        }
        _ => Err(Reason::Unrecognized.into()),
    }
}

/// Digits in one letter case carry no checksum; mixed case must match the checksum.
fn decode(network: Network, digits: &[u8], start: usize) -> Result<Address, AddressError> {
    let digits: &[u8; DIGITS] = digits.try_into().map_err(|_| Reason::BadLength)?;
    let Some(hash) = hex::decode_array::<20>(digits) else {
        let at = digits.iter().position(|digit| !digit.is_ascii_hexdigit()).unwrap_or(0);
        return Err(AddressError::at(Reason::BadCharacter, start + at));
    };
    if has_both_cases(digits) && checksummed(*digits) != *digits {
        return Err(Reason::BadChecksum.into());
    }
    Ok(Address::new(network, Kind::Account, &hash))
}

/// In ASCII, all hexadecimal digits except upper-case letters have this bit …
const SMALL: u8 = 0x20;

/// … and only letters have the next one.
const LETTER: u8 = 0x40;

fn has_both_cases(digits: &[u8; DIGITS]) -> bool {
    let seen = |case: u8| digits.iter().fold(0, |seen, digit| seen | (digit ^ case) & (digit & LETTER) >> 1);
    seen(0) != 0 && seen(SMALL) != 0
}

/// A letter is upper case if the hash of the lower-case text has its bit set at the same position.
fn checksummed(mut digits: [u8; DIGITS]) -> [u8; DIGITS] {
    for digit in &mut digits {
        *digit |= SMALL;
    }
    let mask = hash::keccak256(&digits);
    for ([first, second], bits) in digits.as_chunks_mut::<2>().0.iter_mut().zip(mask) {
        *first ^= (*first & LETTER) >> 1 & bits >> 2;
        *second ^= (*second & LETTER) >> 1 & bits << 2;
    }
    digits
}

/// Mixed-case digits were verified when they were parsed.
fn normal_form(address: &Address, text: &str) -> String {
    let digits = text.strip_prefix("0x").and_then(|digits| digits.as_bytes().try_into().ok());
    if digits.is_some_and(has_both_cases) {
        return text.to_string();
    }
    // Written as one piece, which is faster than the formatter's pieces.
    let mut normal = String::with_capacity(2 + DIGITS);
    normal.push_str("0x");
    normal.push_str(core::str::from_utf8(&digits_of(address)).unwrap_or_default());
    normal
}

fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("0x")?;
    f.write_str(core::str::from_utf8(&digits_of(address)).map_err(|_| fmt::Error)?)
}

fn digits_of(address: &Address) -> [u8; DIGITS] {
    let mut digits = [b'0'; DIGITS];
    for (pair, byte) in digits.as_chunks_mut::<2>().0.iter_mut().zip(address.payload()) {
        *pair = hex::lower_digits(*byte);
    }
    checksummed(digits)
}
