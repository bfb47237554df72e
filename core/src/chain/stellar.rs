//! Stellar: accounts `G…` and muxed accounts `M…`, as strkeys ([SEP-23]).
//!
//! A key is not checked to be a point of the curve: the ledger does not check it either.
//!
//! [SEP-23]: https://github.com/stellar/stellar-protocol/blob/master/ecosystem/sep-0023.md

use alloc::string::{String, ToString};
use core::fmt;

use super::facts::{Explorer, Fees, Finality, KeyPath, TransactionIdForm};
use super::pairs::{coin, limits};
use super::spec::{Chain, ChainSpec, Checksum, PaymentLink};
use crate::address::{Address, AddressError, Kind, Payload, Reason};
use crate::currency::Currency;
use crate::encoding::base32;
use crate::network::{Network, TagRule};

pub(super) enum Stellar {}

impl Chain for Stellar {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Xlm,
        name: "Stellar",
        token_standard: None,
        instant: false,
        replaceable: false,
        tag: TagRule::Memo,
        shared_accounts: &[Network::Xlm],
        pairs: &[coin(Currency::Xlm, Network::Xlm, 7, limits("0.001", "20", "5000000"))],
        gas_coin: None,
        key_path: KeyPath { purpose: 44, coin_type: 148, account: 0 },
        // Validators agree on a ledger before they close it, and never undo it.
        finality: Finality { blocks: 1, reason: "a closed ledger is final" },
        block_seconds: 6,
        fees: Fees::Low,
        transaction_id: TransactionIdForm::Lower,
        explorer: Explorer {
            transactions: "https://stellar.expert/explorer/public/tx/",
            addresses: "https://stellar.expert/explorer/public/account/",
        },
        test_networks: &[],
        example: "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ", // SEP-23
        sandbox_account: Some("GDAO7QLKQJFKNJN6OYBG6LCXEQD3TXBC2WGXX7J7AN5LGXMKDOHOYQ6M"),
        sandbox_fee: "0.00001",
        smallest_transfer: "0",
        checksum: Checksum::Always,
        burned: &[],
        link: PaymentLink::Sep7,
        address_only: false,
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        parse(text)
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(address, f)
    }

    fn normal_form(address: &Address, text: &str) -> String {
        if address.kind() == Kind::Muxed { address.account().to_string() } else { text.to_string() }
    }
}

const ACCOUNT: u8 = 6 << 3;
const MUXED: u8 = 12 << 3;
const CONTRACT: u8 = 2 << 3;

/// A version byte, a 32-byte key and the checksum; a muxed account has an 8-byte id before the checksum.
const ACCOUNT_BYTES: usize = 35;
const MUXED_BYTES: usize = 43;

fn parse(text: &str) -> Result<Address, AddressError> {
    match text.as_bytes() {
        [b'G', ..] => {
            let bytes = base32::decode_check::<ACCOUNT_BYTES>(text.as_bytes())?;
            versioned(&bytes, ACCOUNT)?;
            address(Kind::Account, &bytes[1..33], None)
        }
        [b'M', ..] => {
            let bytes = base32::decode_check::<MUXED_BYTES>(text.as_bytes())?;
            versioned(&bytes, MUXED)?;
            let id = bytes[33..41].try_into().map(u64::from_be_bytes).map_err(|_| Reason::BadLength)?;
            address(Kind::Muxed, &bytes[1..33], Some(id))
        }
        [b'C', ..] => {
            let bytes = base32::decode_check::<ACCOUNT_BYTES>(text.as_bytes())?;
            versioned(&bytes, CONTRACT)?;
            address(Kind::Contract, &bytes[1..33], None)
        }
        bytes if is_federation(bytes) => Err(Reason::NeedsResolution.into()),
        _ => Err(Reason::Unrecognized.into()),
    }
}

/// The first character leaves three bits of the version undetermined.
fn versioned(bytes: &[u8], version: u8) -> Result<(), Reason> {
    if bytes.first() == Some(&version) { Ok(()) } else { Err(Reason::BadVersion) }
}

fn address(kind: Kind, key: &[u8], tag: Option<u64>) -> Result<Address, AddressError> {
    let payload = Payload::new(key).ok_or(Reason::BadLength)?;
    Ok(Address { network: Network::Xlm, test_network: None, kind, version: 0, payload, tag: tag.map(u64::to_be_bytes) })
}

/// `name*domain` ([SEP-2](https://github.com/stellar/stellar-protocol/blob/master/ecosystem/sep-0002.md)).
fn is_federation(bytes: &[u8]) -> bool {
    let mut parts = bytes.split(|byte| *byte == b'*');
    let (name, domain) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    !name.is_empty() && domain.contains(&b'.') && parts.next().is_none()
}

fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let key = address.payload();
    let Some(id) = address.tag() else {
        let version = if address.kind() == Kind::Contract { CONTRACT } else { ACCOUNT };
        return base32::write_check(version, key, f);
    };
    let mut body = [0; 40];
    body.get_mut(..32).ok_or(fmt::Error)?.copy_from_slice(key);
    body[32..].copy_from_slice(&id.to_be_bytes());
    base32::write_check(MUXED, &body, f)
}
