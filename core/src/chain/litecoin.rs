//! Litecoin: Bitcoin's forms with versions of its own (`src/chainparams.cpp` of Litecoin Core).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::bitcoin_family::{Family, Version, version};
use super::{Chain, ChainSpec};
use crate::address::{Address, AddressError, Kind, Reason, TestNetwork};
use crate::codec::bech32::Hrp;
use crate::derive::PublicKey;
use crate::network::Network;
use crate::pair::Pair;
use crate::uri::{Payment, Request, UriError, bip321};

pub(super) enum Litecoin {}

impl Chain for Litecoin {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Ltc,
        example: "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9",
        case_is_checksum: false,
        burned: &[],
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        if MWEB.iter().any(|hrp| hrp.strip(text).is_some()) {
            return Err(Reason::MwebUnsupported.into());
        }
        FAMILY.parse(text)
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        FAMILY.write(address, f)
    }

    fn locate(text: &str) -> Vec<usize> {
        FAMILY.locate(text)
    }

    fn deposit(key: &PublicKey<'_>) -> Option<Address> {
        Some(FAMILY.deposit(key))
    }

    fn payment_uri(request: &Request<'_>) -> String {
        bip321::write(SCHEME, request.address, request)
    }

    fn read_uri(pair: &Pair, text: &str) -> Result<Payment, UriError> {
        bip321::read(SCHEME, pair, text)
    }
}

const SCHEME: &str = "litecoin";

static FAMILY: Family = Family {
    network: Network::Ltc,
    hrps: [
        (Hrp::new("ltc"), None),
        (Hrp::new("tltc"), Some(TestNetwork::Testnet)),
        (Hrp::new("rltc"), Some(TestNetwork::Regtest)),
    ],
    initials: b"LM3mnQ2",
    versions: &[
        version(0x30, Kind::P2pkh, None),
        version(0x32, Kind::P2sh, None),
        old(0x05, None),
        version(0x6f, Kind::P2pkh, Some(TestNetwork::Testnet)),
        version(0x3a, Kind::P2sh, Some(TestNetwork::Testnet)),
        old(0xc4, Some(TestNetwork::Testnet)),
    ],
};

/// The script version that Litecoin had from Bitcoin before it took one of its own.
const fn old(byte: u8, test_network: Option<TestNetwork>) -> Version {
    Version { byte, kind: Kind::P2sh, test_network, refused: Some(Reason::LegacyPrefix) }
}

/// MimbleWimble addresses carry two keys and are longer than bech32 allows.
static MWEB: [Hrp; 3] = [Hrp::new("ltcmweb"), Hrp::new("tmweb"), Hrp::new("rmweb")];
