//! Polkadot: the 32 bytes of an account in [SS58], with Polkadot's prefix 0. Only addresses are checked.
//!
//! The same bytes with another prefix are an account of another network, or of any (prefix 42): they are refused, and not rewritten,
//! because not every account has a key that both networks know. The checksum has two bytes: one of 65,536 typing errors passes.
//!
//! [SS58]: https://docs.polkadot.com/polkadot-protocol/parachain-basics/accounts/#address-formats

use alloc::string::{String, ToString};
use core::fmt;

use super::pairs::{NO_LIMITS, coin};
use super::spec::{ADDRESS_ONLY, Chain, ChainSpec};
use crate::address::{Address, AddressError, Kind, Payload, Reason};
use crate::currency::Currency;
use crate::encoding::{base58, hash};
use crate::network::Network;

pub(super) enum Polkadot {}

impl Chain for Polkadot {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Dot,
        name: "Polkadot",
        pairs: &[coin(Currency::Dot, Network::Dot, 10, NO_LIMITS).address_only()],
        example: "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5", // Alice of docs.polkadot.com
        ..ADDRESS_ONLY
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        if !(SHORTEST..=LONGEST).contains(&text.len()) {
            return Err(Reason::Unrecognized.into());
        }
        let mut buffer = base58::Buffer::new();
        let bytes = base58::decode(text.as_bytes(), &base58::BITCOIN, &mut buffer)?;
        let (body, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(Reason::BadLength)?;
        // Prefixes up to 63 have one byte, later ones two.
        let (prefix, account) = body.split_at_checked(body.len().saturating_sub(32)).ok_or(Reason::BadLength)?;
        if !matches!(prefix, [0..=63] | [64..=127, _]) {
            return Err(if matches!(prefix, [_] | [_, _]) { Reason::BadVersion } else { Reason::BadLength }.into());
        }
        if !hash::ss58(body).starts_with(checksum) {
            return Err(Reason::BadChecksum.into());
        }
        match prefix {
            [POLKADOT] => {
                let payload = Payload::new(account).ok_or(Reason::BadLength)?;
                let (network, kind) = (Network::Dot, Kind::Account);
                Ok(Address { network, test_network: None, kind, version: 0, payload, tag: None })
            }
            [ANY] => Err(Reason::BadPrefix.into()),
            _ => Err(Reason::WrongNetwork.into()),
        }
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = [0; 1 + 32 + CHECKSUM];
        bytes.get_mut(1..33).ok_or(fmt::Error)?.copy_from_slice(address.payload());
        let checksum = hash::ss58(&bytes[..33]);
        bytes[33..].copy_from_slice(&checksum[..CHECKSUM]);
        base58::write(&bytes, &base58::BITCOIN, f)
    }

    fn normal_form(_: &Address, text: &str) -> String {
        text.to_string()
    }
}

/// The [registry](https://github.com/paritytech/ss58-registry/blob/main/ss58-registry.json) has Kusama's 2, and a thousand others.
const POLKADOT: u8 = 0;

/// For accounts of no network, and the test networks.
const ANY: u8 = 42;

const CHECKSUM: usize = 2;

/// 35 or 36 bytes, the first of which may be zero.
const SHORTEST: usize = 35;
const LONGEST: usize = 50;
