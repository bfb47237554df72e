//! Bitcoin Cash: [CashAddr]. Bitcoin's base58 form is refused, with the CashAddr form as the suggestion.
//!
//! Types 2 and 3 and hashes of 32 bytes for scripts come from [CHIP-2022-02-CashTokens] and [CHIP-2022-05 P2SH32].
//!
//! [CashAddr]: https://github.com/bitcoincashorg/bitcoincash.org/blob/master/spec/cashaddr.md
//! [CHIP-2022-02-CashTokens]: https://github.com/cashtokens/cashtokens
//! [CHIP-2022-05 P2SH32]: https://gitlab.com/0353F40E/p2sh32

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::facts::{Explorer, Fees, Finality, KeyPath, TransactionIdForm};
use super::pairs::{coin, limits};
use super::public_key::PublicKey;
use super::spec::{Chain, ChainSpec, Checksum, PaymentLink, lower_case};
use crate::address::{Address, AddressError, Kind, Payload, Reason, TestNetwork};
use crate::currency::Currency;
use crate::encoding::base58;
use crate::encoding::cashaddr::{self, Buffer, Prefix};
use crate::encoding::hash;
use crate::network::{Network, TagRule};

pub(super) enum BitcoinCash {}

impl Chain for BitcoinCash {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Bch,
        name: "Bitcoin Cash",
        token_standard: None,
        instant: true,
        // Nodes keep the transaction that they saw first: `txn-mempool-conflict` in BCHN's `validation.cpp`.
        replaceable: false,
        tag: TagRule::None,
        shared_accounts: &[Network::Bch],
        pairs: &[coin(Currency::Bch, Network::Bch, 8, limits("0.00001", "0.005", "5000"))],
        gas_coin: None,
        key_path: KeyPath { purpose: 44, coin_type: 145, account: 0 },
        // Bitcoin Cash Node, `-maxreorgdepth`: nodes refuse to undo a block with ten on top of it.
        finality: Finality { blocks: 11, reason: "nodes do not undo more than 10" },
        block_seconds: 600,
        fees: Fees::Low,
        transaction_id: TransactionIdForm::Lower,
        explorer: Explorer {
            transactions: "https://blockchair.com/bitcoin-cash/transaction/",
            addresses: "https://blockchair.com/bitcoin-cash/address/",
        },
        test_networks: &[TestNetwork::Testnet, TestNetwork::Regtest],
        example: "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", // CashAddr specification
        sandbox_account: None,
        sandbox_fee: "0.00000226",
        // `GetDustThreshold` and `DUST_RELAY_TX_FEE` of Bitcoin Cash Node (`src/policy/policy.cpp`), to an address of the kind that is given out.
        smallest_transfer: "0.00000546",
        checksum: Checksum::Always,
        burned: &[],
        link: PaymentLink::Bip321 { scheme: MAIN_PREFIX, capitals: None },
        address_only: false,
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        parse(text)
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(address, f)
    }

    fn normal_form(address: &Address, text: &str) -> String {
        normal_form(address, text)
    }

    fn locate(text: &str) -> Vec<usize> {
        locate(text)
    }

    /// Pays to the hash of the compressed key, like BIP-44 wallets.
    fn deposit(key: &PublicKey<'_>) -> Option<Address> {
        Some(Address::new(Network::Bch, Kind::P2pkh, &hash::hash160(key.compressed)))
    }
}

const MAIN_PREFIX: &str = "bitcoincash";

static MAIN: Prefix = Prefix::new(MAIN_PREFIX);
static TEST: Prefix = Prefix::new("bchtest");
static REGTEST: Prefix = Prefix::new("bchreg");

/// In the order of [`ENVIRONMENTS`].
static PREFIXES: [&Prefix; 3] = [&MAIN, &TEST, &REGTEST];

const ENVIRONMENTS: [Option<TestNetwork>; 3] = [None, Some(TestNetwork::Testnet), Some(TestNetwork::Regtest)];

/// Hash sizes by the low three bits of the version byte.
const SIZES: [usize; 8] = [20, 24, 28, 32, 40, 48, 56, 64];

/// The type bits of each kind, and the size of its hash in bytes.
const KINDS: [(u8, usize, Kind); 6] = [
    (0, 20, Kind::P2pkh),
    (1, 20, Kind::P2sh),
    (1, 32, Kind::P2sh32),
    (2, 20, Kind::TokenP2pkh),
    (3, 20, Kind::TokenP2sh),
    (3, 32, Kind::TokenP2sh32),
];

fn parse(text: &str) -> Result<Address, AddressError> {
    let mut buffer = Buffer::new();
    for (prefix, test_network) in PREFIXES.iter().zip(ENVIRONMENTS) {
        if prefix.starts(text) {
            let decoded = cashaddr::decode(&[*prefix], text, prefix.text.len() + 1, &mut buffer)?;
            return from_cashaddr(&decoded, test_network);
        }
    }
    match text.as_bytes() {
        bytes if bytes.contains(&b':') => Err(Reason::BadPrefix.into()),
        [b'q' | b'p' | b'z' | b'r' | b'Q' | b'P' | b'Z' | b'R', ..] => {
            let decoded = cashaddr::decode(&PREFIXES, text, 0, &mut buffer)?;
            from_cashaddr(&decoded, ENVIRONMENTS[decoded.prefix])
        }
        // `A` to `C` and `7` have 32 bytes.
        [b'1' | b'3' | b'A' | b'B' | b'C' | b'm' | b'n' | b'2' | b'7', ..] => legacy(text),
        _ => Err(Reason::Unrecognized.into()),
    }
}

fn from_cashaddr(
    decoded: &cashaddr::Decoded<'_>,
    test_network: Option<TestNetwork>,
) -> Result<Address, AddressError> {
    let bytes = decoded.bytes()?;
    let (version, hash) = bytes.as_slice().split_first().ok_or(Reason::BadLength)?;
    if version & 0x80 != 0 {
        return Err(Reason::ReservedBits.into());
    }
    if hash.len() != SIZES[usize::from(version & 7)] {
        return Err(Reason::BadLength.into());
    }
    let type_bits = version >> 3;
    if !KINDS.iter().any(|row| row.0 == type_bits) {
        return Err(Reason::UndefinedType.into());
    }
    let row = KINDS.iter().find(|row| (row.0, row.1) == (type_bits, hash.len()));
    let (_, _, kind) = *row.ok_or(Reason::UnsupportedHashSize)?;
    let payload = Payload::new(hash).ok_or(Reason::UnsupportedHashSize)?;
    Ok(Address { network: Network::Bch, test_network, kind, version: 0, payload, tag: None })
}

fn locate(text: &str) -> Vec<usize> {
    let (prefix, head) = match text.split_once(':') {
        Some((prefix, _)) => {
            let known = PREFIXES.iter().find(|known| prefix.eq_ignore_ascii_case(known.text));
            (known.copied(), prefix.len() + 1)
        }
        None if text.starts_with(['q', 'p', 'z', 'r', 'Q', 'P', 'Z', 'R']) => (Some(&MAIN), 0),
        None => (None, 0),
    };
    prefix.map(|prefix| cashaddr::locate(prefix, text, head)).unwrap_or_default()
}

/// Bitcoin's base58 form. Never accepted, because the same text is valid on both networks.
fn legacy(text: &str) -> Result<Address, AddressError> {
    if !(25..=54).contains(&text.len()) {
        return Err(Reason::BadLength.into());
    }
    let mut buffer = base58::Buffer::new();
    let payload = base58::decode_check(text, &base58::BITCOIN, &mut buffer)?;
    let (version, hash) = payload.split_first().ok_or(Reason::BadLength)?;
    let (kind, test_network) = match (version, hash.len()) {
        (0x00, 20) => (Kind::P2pkh, None),
        (0x05, 20) => (Kind::P2sh, None),
        (0x05, 32) => (Kind::P2sh32, None),
        (0x6f, 20) => (Kind::P2pkh, Some(TestNetwork::Testnet)),
        (0xc4, 20) => (Kind::P2sh, Some(TestNetwork::Testnet)),
        (0xc4, 32) => (Kind::P2sh32, Some(TestNetwork::Testnet)),
        (_, 20 | 32) => return Err(Reason::BadVersion.into()),
        _ => return Err(Reason::BadLength.into()),
    };
    let payload = Payload::new(hash).ok_or(Reason::BadLength)?;
    let address = Address { network: Network::Bch, test_network, kind, version: 0, payload, tag: None };
    Err(AddressError::suggesting(Reason::LegacyFormat, address))
}

fn normal_form(address: &Address, text: &str) -> String {
    // An accepted text contains a colon only after its prefix.
    if PREFIXES.iter().any(|prefix| text.as_bytes().get(prefix.text.len()) == Some(&b':')) {
        return lower_case(text);
    }
    let row = PREFIXES.iter().zip(ENVIRONMENTS).find(|row| row.1 == address.test_network());
    match row {
        Some((prefix, _)) if text.starts_with(['q', 'p', 'z', 'r', 'Q', 'P', 'Z', 'R']) => {
            let mut normal = String::with_capacity(prefix.text.len() + 1 + text.len());
            normal.push_str(prefix.text);
            normal.push(':');
            normal.push_str(text);
            normal.make_ascii_lowercase();
            normal
        }
        _ => address.to_string(),
    }
}

fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let hash = address.payload();
    let prefix = PREFIXES.iter().zip(ENVIRONMENTS).find(|row| row.1 == address.test_network());
    let (prefix, _) = prefix.ok_or(fmt::Error)?;
    let (type_bits, ..) = KINDS.iter().find(|row| row.2 == address.kind()).ok_or(fmt::Error)?;
    let size = (0_u8..).zip(SIZES).find(|row| row.1 == hash.len()).ok_or(fmt::Error)?;
    cashaddr::write(prefix, type_bits << 3 | size.0, hash, f)
}
