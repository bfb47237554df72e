//! TON: the user-friendly form in base64, `EQ…` and `UQ…`
//! ([TEP-2](https://github.com/ton-blockchain/TEPs/blob/master/text/0002-address.md)). Only addresses are checked.
//!
//! Its first byte asks the sender for one of two ways: coins to `EQ…` return if no contract takes them, coins to `UQ…` stay, also where
//! none exists yet. So these are two kinds of one account, and each keeps its form.

use alloc::string::{String, ToString};
use core::fmt;

use super::name::unless_name;
use super::pairs::{NO_LIMITS, coin, token};
use super::spec::{ADDRESS_ONLY, Chain, ChainSpec};
use crate::address::{Address, AddressError, Kind, Reason, TestNetwork};
use crate::currency::Currency;
use crate::encoding::crc16::crc16;
use crate::encoding::{base64, hex};
use crate::network::{Network, TagRule};

pub(super) enum Ton {}

impl Chain for Ton {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Ton,
        name: "TON",
        token_standard: Some("Jetton"),
        tag: TagRule::TextMemo,
        pairs: &[
            coin(Currency::Ton, Network::Ton, 9, NO_LIMITS).address_only(),
            // <https://tether.to/en/supported-protocols/>
            token(Currency::Usdt, Network::Ton, 6, 6, "EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs", NO_LIMITS)
                .address_only(),
        ],
        test_networks: &[TestNetwork::Testnet],
        example: "EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF", // docs.ton.org, cookbook
        burned: &[&NULL_OF_MASTERCHAIN],
        ..ADDRESS_ONLY
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        parse(text).map_err(|error| unless_name(error, text))
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tag = if address.kind() == Kind::NonBounceable { NON_BOUNCEABLE } else { BOUNCEABLE };
        let mut bytes = [0; 36];
        bytes[0] = if address.test_network().is_some() { tag | TEST_ONLY } else { tag };
        bytes[1..34].copy_from_slice(address.payload().get(..33).ok_or(fmt::Error)?);
        let checksum = crc16(&bytes[..34]).to_be_bytes();
        bytes[34..].copy_from_slice(&checksum);
        f.write_str(core::str::from_utf8(&base64::encode_36(&bytes)).map_err(|_| fmt::Error)?)
    }

    fn normal_form(address: &Address, text: &str) -> String {
        if text.contains(['+', '/']) { address.to_string() } else { text.to_string() }
    }
}

const BOUNCEABLE: u8 = 0x11;
const NON_BOUNCEABLE: u8 = 0x51;
const TEST_ONLY: u8 = 0x80;

/// The workchain is a signed byte: 0, and −1 for the masterchain. No others exist.
const BASECHAIN: u8 = 0;
const MASTERCHAIN: u8 = 0xff;

const LENGTH: usize = 48;

/// Nobody has the key of all zeros; that of workchain 0 is refused as those of every network are.
const NULL_OF_MASTERCHAIN: [u8; 33] = {
    let mut account = [0; 33];
    account[0] = MASTERCHAIN;
    account
};

fn parse(text: &str) -> Result<Address, AddressError> {
    if let Some(account) = raw(text) {
        let address = Address::of_bytes(Network::Ton, Kind::Account, &account)?;
        return Err(AddressError::suggesting(Reason::RawForm, address));
    }
    if text.len() != LENGTH {
        let is_friendly = ["EQ", "UQ", "Ef", "Uf"].iter().any(|start| text.starts_with(start));
        return Err(if is_friendly { Reason::BadLength } else { Reason::Unrecognized }.into());
    }
    let bytes = base64::decode_36(text)?;
    let (body, checksum) = bytes.split_at(34);
    if crc16(body).to_be_bytes() != checksum {
        return Err(Reason::BadChecksum.into());
    }
    let kind = match body[0] & !TEST_ONLY {
        BOUNCEABLE => Kind::Account,
        NON_BOUNCEABLE => Kind::NonBounceable,
        _ => return Err(Reason::BadVersion.into()),
    };
    if !matches!(body[1], BASECHAIN | MASTERCHAIN) {
        return Err(Reason::BadVersion.into());
    }
    let test_network = (body[0] & TEST_ONLY != 0).then_some(TestNetwork::Testnet);
    Ok(Address { test_network, ..Address::of_bytes(Network::Ton, kind, &body[1..])? })
}

/// The workchain and the account of `0:` or `-1:` and 64 digits.
fn raw(text: &str) -> Option<[u8; 33]> {
    let (workchain, digits) = text.split_once(':')?;
    let mut account = [0; 33];
    account[0] = match workchain {
        "0" => BASECHAIN,
        "-1" => MASTERCHAIN,
        _ => return None,
    };
    account[1..].copy_from_slice(&hex::decode_array::<32>(digits.as_bytes())?);
    Some(account)
}
