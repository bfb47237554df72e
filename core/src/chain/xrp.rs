//! XRP Ledger: [classic addresses] and X-addresses ([XLS-5]), which contain the destination tag.
//!
//! [classic addresses]: https://xrpl.org/docs/references/protocol/data-types/base58-encodings
//! [XLS-5]: https://github.com/XRPLF/XRPL-Standards/tree/master/XLS-0005-standard-for-tagged-addresses

use alloc::string::{String, ToString};
use core::fmt;

use super::facts::{Explorer, Fees, Finality, KeyPath, TransactionIdForm};
use super::pairs::{coin, limits};
use super::spec::{Chain, ChainSpec, Checksum, PaymentLink};
use crate::address::{Address, AddressError, Kind, Payload, Reason, TestNetwork};
use crate::currency::Currency;
use crate::encoding::base58;
use crate::network::{Network, TagRule};

pub(super) enum XrpLedger {}

impl Chain for XrpLedger {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Xrp,
        name: "XRP Ledger",
        token_standard: None,
        instant: false,
        replaceable: false,
        tag: TagRule::DestinationTag,
        shared_accounts: &[Network::Xrp],
        pairs: &[coin(Currency::Xrp, Network::Xrp, 6, limits("0.001", "10", "2000000"))],
        gas_coin: None,
        key_path: KeyPath { purpose: 44, coin_type: 144, account: 0 },
        // Servers agree on a ledger before they validate it, and never undo it.
        finality: Finality { blocks: 1, reason: "a validated ledger is final" },
        block_seconds: 4,
        fees: Fees::Low,
        transaction_id: TransactionIdForm::Upper,
        explorer: Explorer {
            transactions: "https://livenet.xrpl.org/transactions/",
            addresses: "https://livenet.xrpl.org/accounts/",
        },
        test_networks: &[TestNetwork::Testnet],
        example: "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", // XLS-5
        sandbox_account: Some("rBqAEwjXQDhwE2uzCXbZQR3kLgAR5uGcYH"),
        sandbox_fee: "0.000012",
        smallest_transfer: "0",
        checksum: Checksum::Always,
        burned: BLACK_HOLES,
        link: PaymentLink::Xrpl,
        address_only: false,
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        match text.as_bytes() {
            [b'r', ..] => classic(text),
            [b'X' | b'T', ..] => x_address(text),
            _ => Err(Reason::Unrecognized.into()),
        }
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(address, f)
    }

    fn normal_form(address: &Address, text: &str) -> String {
        if address.kind() == Kind::Classic { text.to_string() } else { address.account().to_string() }
    }
}

/// Accounts without a key (xrpl.org, "special addresses"), besides ACCOUNT_ZERO.
const BLACK_HOLES: &[&[u8]] = &[
    &low_account(0x0000_0001), // rrrrrrrrrrrrrrrrrrrrBZbvji, ACCOUNT_ONE
    &low_account(0x016f_c69d), // rrrrrrrrrrrrrrrrrNAMEtxvNvQ, the name reservation
    &low_account(0x0000_0977), // rrrrrrrrrrrrrrrrrrrn5RM1rHd, what NaN once encoded to
];

/// The account id with this number.
const fn low_account(number: u32) -> [u8; 20] {
    let low = number.to_be_bytes();
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, low[0], low[1], low[2], low[3]]
}

const CLASSIC: u8 = 0;

/// An account id, the flags and an 8-byte tag.
const X_LENGTH: usize = 47;
const X_MAIN: [u8; 2] = [0x05, 0x44];
const X_TEST: [u8; 2] = [0x04, 0x93];

fn classic(text: &str) -> Result<Address, AddressError> {
    if !(25..=35).contains(&text.len()) {
        return Err(Reason::BadLength.into());
    }
    let mut buffer = base58::Buffer::new();
    let payload = base58::decode_check(text, &base58::RIPPLE, &mut buffer)?;
    match base58::versioned::<20>(payload) {
        Some((CLASSIC, account)) => Ok(Address::new(Network::Xrp, Kind::Classic, account)),
        Some(_) => Err(Reason::BadVersion.into()),
        None => Err(Reason::BadLength.into()),
    }
}

fn x_address(text: &str) -> Result<Address, AddressError> {
    if text.len() != X_LENGTH {
        return Err(Reason::BadLength.into());
    }
    let mut buffer = base58::Buffer::new();
    let payload = base58::decode_check(text, &base58::RIPPLE, &mut buffer)?;
    let payload: &[u8; 31] = payload.try_into().map_err(|_| Reason::BadLength)?;
    let (prefix, rest) = payload.split_at(2);
    let (account, rest) = rest.split_at(20);
    let test_network = match prefix {
        prefix if prefix == X_MAIN => None,
        prefix if prefix == X_TEST => Some(TestNetwork::Testnet),
        _ => return Err(Reason::BadVersion.into()),
    };
    let (flags, tag) =
        (rest[0], rest[1..].try_into().map(u64::from_le_bytes).map_err(|_| Reason::BadLength)?);
    let tag = match (flags, u32::try_from(tag)) {
        (0, Ok(0)) => None,
        (1, Ok(tag)) => Some(u64::from(tag)),
        (0 | 1, _) => return Err(Reason::ReservedBits.into()),
        (2, _) => return Err(Reason::UnsupportedTag.into()),
        _ => return Err(Reason::UnknownFlags.into()),
    };
    let payload = Payload::new(account).ok_or(Reason::BadLength)?;
    Ok(Address { network: Network::Xrp, test_network, kind: Kind::XAddress, version: 0, payload, tag: tag.map(u64::to_be_bytes) })
}

fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if address.kind() != Kind::XAddress {
        return base58::write_check(&[CLASSIC], address.payload(), &base58::RIPPLE, f);
    }
    let prefix = if address.test_network().is_some() { X_TEST } else { X_MAIN };
    let mut body = [0; 29];
    body.get_mut(..20).ok_or(fmt::Error)?.copy_from_slice(address.payload());
    body[20] = u8::from(address.tag().is_some());
    body[21..].copy_from_slice(&address.tag().unwrap_or(0).to_le_bytes());
    base58::write_check(&prefix, &body, &base58::RIPPLE, f)
}
