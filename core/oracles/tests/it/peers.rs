//! The peers: the result of each for a text.

mod zcash;

use std::str::FromStr;

use bitcoin::address::AddressType;
use bitcoin::bech32::primitives::decode::CheckedHrpstring;
use bitcoin::bech32::{self, Bech32, Hrp, segwit};
use checkout_oracles::base58::{BITCOIN, RIPPLE, translate};
use crypto_checkout_core::Network;
use crypto_checkout_core::Network::{
    Arbitrum, Atom, Avalanche, Base, Bsc, Btc, Doge, Eth, Ltc, Optimism, Polygon, Sol, Trx, Xlm, Xmr, Xrp,
    Zec,
};

/// A peer's result for an accepted text.
#[derive(Debug)]
pub(crate) struct Found {
    /// The core's code; empty if the peer does not report the kind.
    pub(crate) kind: &'static str,
    pub(crate) payload: Vec<u8>,
    pub(crate) tag: Option<u64>,
    /// The text that the peer writes, if it must match.
    pub(crate) normal: Option<String>,
}

pub(crate) struct Peer {
    pub(crate) name: &'static str,
    pub(crate) networks: &'static [Network],
    pub(crate) knows_kind: bool,
    pub(crate) ask: fn(Network, &str) -> Option<Found>,
}

pub(crate) const BITCOIN_CRATE: &str = "bitcoin 0.32.102, Address";
pub(crate) const PIECES: &str = "bitcoin 0.32.102, base58 and bech32";
pub(crate) const ALLOY: &str = "alloy-primitives 1.7.3, FromStr";
pub(crate) const ALLOY_CHECKSUMMED: &str = "alloy-primitives 1.7.3, parse_checksummed";
pub(crate) const MONERO: &str = "monero-address 0.1.0";
pub(crate) const ZCASH: &str = "zcash_address 0.14.0";
pub(crate) const STRKEY: &str = "stellar-strkey 1.0.0";

/// Their addresses are the same.
pub(crate) const EVM: &[Network] = &[Eth, Bsc, Polygon, Base, Arbitrum, Optimism, Avalanche];

pub(crate) const PEERS: &[Peer] = &[
    Peer { name: BITCOIN_CRATE, networks: &[Btc], knows_kind: true, ask: |_, text| bitcoin(text) },
    Peer { name: PIECES, networks: &[Btc, Ltc, Doge, Trx, Xrp, Sol, Atom], knows_kind: true, ask: pieces },
    Peer { name: ALLOY, networks: EVM, knows_kind: true, ask: |_, text| alloy(text) },
    Peer { name: ALLOY_CHECKSUMMED, networks: EVM, knows_kind: true, ask: |_, text| alloy_checksummed(text) },
    Peer { name: STRKEY, networks: &[Xlm], knows_kind: true, ask: |_, text| strkey(text) },
    Peer { name: MONERO, networks: &[Xmr], knows_kind: true, ask: |_, text| monero(text) },
    Peer { name: ZCASH, networks: &[Zec], knows_kind: true, ask: |_, text| zcash::ask(text) },
];

fn found(kind: &'static str, payload: &[u8]) -> Found {
    Found { kind, payload: payload.to_owned(), tag: None, normal: None }
}

fn bitcoin(text: &str) -> Option<Found> {
    let address = bitcoin::Address::from_str(text).ok()?;
    let address = address.require_network(bitcoin::Network::Bitcoin).ok()?;
    let kind = match address.address_type() {
        Some(AddressType::P2pkh) => "p2pkh",
        Some(AddressType::P2sh) => "p2sh",
        Some(AddressType::P2wpkh) => "p2wpkh",
        Some(AddressType::P2wsh) => "p2wsh",
        Some(AddressType::P2tr) => "p2tr",
        Some(AddressType::P2a) => "p2a",
        _ => "future_witness",
    };
    let payload = match (address.pubkey_hash(), address.script_hash(), address.witness_program()) {
        (Some(hash), ..) => AsRef::<[u8]>::as_ref(&hash).to_owned(),
        (_, Some(hash), _) => AsRef::<[u8]>::as_ref(&hash).to_owned(),
        (.., program) => program?.program().as_bytes().to_owned(),
    };
    Some(Found { kind, payload, tag: None, normal: Some(address.to_string()) })
}

/// The encodings of the `bitcoin` crates with each network's rules.
fn pieces(network: Network, text: &str) -> Option<Found> {
    match network {
        Btc => segwit_of("bc", text).or_else(|| hash_of(text, &[(0x00, "p2pkh"), (0x05, "p2sh")])),
        Ltc => segwit_of("ltc", text).or_else(|| hash_of(text, &[(0x30, "p2pkh"), (0x32, "p2sh")])),
        Doge => hash_of(text, &[(0x1e, "p2pkh"), (0x16, "p2sh")]),
        Trx => hash_of(text, &[(0x41, "account")]),
        Sol => {
            bitcoin::base58::decode(text).ok().filter(|key| key.len() == 32).map(|key| found("account", &key))
        }
        Atom => cosmos(text),
        // The XRP Ledger's alphabet has a different order.
        _ => {
            let text = translate(text, RIPPLE, BITCOIN)?;
            hash_of(&text, &[(0x00, "classic")]).or_else(|| x_address(&text))
        }
    }
}

fn segwit_of(hrp: &str, text: &str) -> Option<Found> {
    let (found_hrp, version, program) = segwit::decode(text).ok()?;
    if !found_hrp.to_lowercase().eq(hrp) {
        return None;
    }
    let kind = match (version.to_u8(), program.len()) {
        (0, 20) => "p2wpkh",
        (0, 32) => "p2wsh",
        (1, 32) => "p2tr",
        _ => "future_witness",
    };
    let normal = segwit::encode(Hrp::parse(hrp).ok()?, version, &program).ok();
    Some(Found { kind, payload: program, tag: None, normal })
}

fn cosmos(text: &str) -> Option<Found> {
    let checked = CheckedHrpstring::new::<Bech32>(text).ok()?;
    let account: Vec<u8> = checked.byte_iter().collect();
    let is_account = checked.hrp().to_lowercase() == "cosmos" && [20, 32].contains(&account.len());
    let normal = bech32::encode::<Bech32>(Hrp::parse("cosmos").ok()?, &account).ok();
    is_account.then(|| Found { normal, ..found("account", &account) })
}

fn hash_of(text: &str, versions: &[(u8, &'static str)]) -> Option<Found> {
    let bytes = bitcoin::base58::decode_check(text).ok()?;
    let (version, hash) = bytes.split_first()?;
    let (_, kind) = versions.iter().find(|row| row.0 == *version)?;
    (hash.len() == 20).then(|| found(kind, hash))
}

fn x_address(text: &str) -> Option<Found> {
    let bytes = bitcoin::base58::decode_check(text).ok()?;
    let bytes: &[u8; 31] = bytes.as_slice().try_into().ok()?;
    let tag = u64::from_le_bytes(bytes[23..].try_into().ok()?);
    let tag = match (&bytes[..2], bytes[22], u32::try_from(tag)) {
        ([0x05, 0x44], 0, Ok(0)) => None,
        ([0x05, 0x44], 1, Ok(tag)) => Some(u64::from(tag)),
        _ => return None,
    };
    Some(Found { tag, ..found("x_address", &bytes[2..22]) })
}

fn alloy(text: &str) -> Option<Found> {
    let address = alloy_primitives::Address::from_str(text).ok()?;
    Some(Found { normal: Some(address.to_checksum(None)), ..found("account", address.as_slice()) })
}

fn alloy_checksummed(text: &str) -> Option<Found> {
    let address = alloy_primitives::Address::parse_checksummed(text, None).ok()?;
    Some(Found { normal: Some(text.to_owned()), ..found("account", address.as_slice()) })
}

fn strkey(text: &str) -> Option<Found> {
    use stellar_strkey::Strkey;
    let key = Strkey::from_string(text).ok()?;
    let normal = Some(key.to_string().as_str().to_owned());
    match key {
        Strkey::PublicKeyEd25519(key) => Some(Found { normal, ..found("account", &key.0) }),
        Strkey::MuxedAccountEd25519(muxed) => {
            Some(Found { normal, tag: Some(muxed.id), ..found("muxed", &muxed.ed25519) })
        }
        _ => None,
    }
}

fn monero(text: &str) -> Option<Found> {
    use monero_address::{AddressType, MoneroAddress, Network};
    let address = MoneroAddress::from_str(Network::Mainnet, text).ok()?;
    let kind = match address.kind() {
        AddressType::Legacy => "account",
        AddressType::LegacyIntegrated(_) => "integrated",
        AddressType::Subaddress => "subaddress",
        AddressType::Featured { .. } => "featured",
    };
    let keys = [address.spend(), address.view()].map(|key| key.compress().to_bytes()).concat();
    let payload = [&keys[..], &address.payment_id().unwrap_or_default()].concat();
    let payload = if kind == "integrated" { payload } else { keys };
    Some(Found { normal: Some(address.to_string()), ..found(kind, &payload) })
}
