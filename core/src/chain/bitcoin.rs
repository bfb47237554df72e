//! Bitcoin.

use super::ChainSpec;
use super::bitcoin_family::{Family, version};
use crate::address::{Kind, TestNetwork};
use crate::codec::bech32::Hrp;
use crate::network::Network;
use crate::uri::bip321;

pub(super) const SPEC: ChainSpec = ChainSpec {
    network: Network::Btc,
    example: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    case_is_checksum: false,
    burned: &[],
    parse: |text| FAMILY.parse(text),
    write: |address, f| FAMILY.write(address, f),
    locate: |text| FAMILY.locate(text),
    deposit: Some(|key| FAMILY.deposit(key)),
    forms: bip321::BITCOIN,
};

static FAMILY: Family = Family {
    network: Network::Btc,
    hrps: [
        (Hrp::new("bc"), None),
        (Hrp::new("tb"), Some(TestNetwork::Testnet)),
        (Hrp::new("bcrt"), Some(TestNetwork::Regtest)),
    ],
    initials: b"13mn2",
    versions: &[
        version(0x00, Kind::P2pkh, None),
        version(0x05, Kind::P2sh, None),
        version(0x6f, Kind::P2pkh, Some(TestNetwork::Testnet)),
        version(0xc4, Kind::P2sh, Some(TestNetwork::Testnet)),
    ],
};
