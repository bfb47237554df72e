//! Monero: two public keys in base58, with a checksum of Keccak-256 ([addresses]). Only addresses are checked.
//!
//! An integrated address has a payment id, by which its owner tells payers apart. It is a part of the address and of its normal form, and
//! has no field of its own. Whether the keys are points of the curve is not checked.
//!
//! [addresses]: https://docs.getmonero.org/public-address/standard-address/

use alloc::string::{String, ToString};
use core::fmt;

use super::pairs::{NO_LIMITS, coin};
use super::spec::{ADDRESS_ONLY, Chain, ChainSpec};
use crate::address::{Address, AddressError, Kind, Payload, Reason, TestNetwork};
use crate::currency::Currency;
use crate::encoding::{base58_blocks, hash};
use crate::network::Network;

pub(super) enum Monero {}

impl Chain for Monero {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Xmr,
        name: "Monero",
        pairs: &[coin(Currency::Xmr, Network::Xmr, 12, NO_LIMITS).address_only()],
        test_networks: &[TestNetwork::Testnet],
        // The project's donations, getmonero.org.
        example: "888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H",
        ..ADDRESS_ONLY
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        if !matches!(text.len(), STANDARD_TEXT | INTEGRATED_TEXT) {
            return Err(Reason::Unrecognized.into());
        }
        let mut buffer = [0; INTEGRATED];
        let bytes = base58_blocks::decode(text.as_bytes(), &mut buffer)?;
        let (body, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(Reason::BadLength)?;
        if !hash::keccak256(body).starts_with(checksum) {
            return Err(Reason::BadChecksum.into());
        }
        let (version, content) = body.split_first().ok_or(Reason::BadLength)?;
        let (_, kind, test_network) = *VERSIONS.iter().find(|row| row.0 == *version).ok_or(Reason::BadVersion)?;
        if (kind == Kind::Integrated) != (bytes.len() == INTEGRATED) {
            return Err(Reason::BadLength.into());
        }
        let payload = Payload::new(content).ok_or(Reason::BadLength)?;
        Ok(Address { network: Network::Xmr, test_network, kind, version: *version, payload, tag: None })
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = [0; INTEGRATED];
        let end = 1 + address.payload().len();
        bytes[0] = address.version;
        bytes.get_mut(1..end).ok_or(fmt::Error)?.copy_from_slice(address.payload());
        let checksum = hash::keccak256(&bytes[..end]);
        bytes.get_mut(end..end + CHECKSUM).ok_or(fmt::Error)?.copy_from_slice(&checksum[..CHECKSUM]);
        base58_blocks::write(&bytes[..end + CHECKSUM], f)
    }

    fn normal_form(_: &Address, text: &str) -> String {
        text.to_string()
    }
}

/// `CRYPTONOTE_PUBLIC_…_ADDRESS_BASE58_PREFIX` of the main network, testnet and stagenet
/// ([source](https://github.com/monero-project/monero/blob/master/src/cryptonote_config.h)).
const VERSIONS: [(u8, Kind, Option<TestNetwork>); 9] = [
    (18, Kind::Account, None),
    (19, Kind::Integrated, None),
    (42, Kind::Subaddress, None),
    (53, Kind::Account, Some(TestNetwork::Testnet)),
    (54, Kind::Integrated, Some(TestNetwork::Testnet)),
    (63, Kind::Subaddress, Some(TestNetwork::Testnet)),
    (24, Kind::Account, Some(TestNetwork::Testnet)),
    (25, Kind::Integrated, Some(TestNetwork::Testnet)),
    (36, Kind::Subaddress, Some(TestNetwork::Testnet)),
];

const CHECKSUM: usize = 4;

/// The version, the keys to spend and to view, a payment id of eight bytes, and the checksum.
const INTEGRATED: usize = 1 + 32 + 32 + 8 + CHECKSUM;

const STANDARD_TEXT: usize = 95;
const INTEGRATED_TEXT: usize = 106;
