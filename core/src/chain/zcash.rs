//! Zcash: transparent addresses, for the pool Sapling alone, and unified ones ([ZIP-316]). Only addresses are checked.
//!
//! [ZIP-316]: https://zips.z.cash/zip-0316

use alloc::string::{String, ToString};
use core::fmt;

use super::pairs::{NO_LIMITS, coin};
use super::spec::{ADDRESS_ONLY, Chain, ChainSpec, LONGEST, lower_case};
use crate::address::{Address, AddressError, Kind, Payload, Reason, TestNetwork};
use crate::currency::Currency;
use crate::encoding::base58;
use crate::encoding::bech32::{self, Hrp, Variant};
use crate::network::Network;

mod jumble;
mod unified;

pub(super) enum Zcash {}

impl Chain for Zcash {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Zec,
        name: "Zcash",
        pairs: &[coin(Currency::Zec, Network::Zec, 8, NO_LIMITS).address_only()],
        test_networks: &[TestNetwork::Testnet, TestNetwork::Regtest],
        example: "t1PKtYdJJHhc3Pxowmznkg7vdTwnhEsCvR4", // zcash_address, tests
        ..ADDRESS_ONLY
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        for form in &FORMS {
            if let Some(data) = form.hrp.strip(text) {
                return form.parse(text, data);
            }
        }
        match text.as_bytes() {
            [b't', ..] if text.len() == TRANSPARENT_TEXT => transparent(text),
            // Since Canopy nobody can pay into Sprout's pool (ZIP-211).
            [b'z', b'c' | b't', ..] if text.len() == SPROUT_TEXT && text.bytes().all(base58::is_symbol) => {
                Err(Reason::NotPayable.into())
            }
            _ if VIEWING_KEYS.iter().any(|start| text.starts_with(start)) => Err(Reason::NotPayable.into()),
            _ => Err(Reason::Unrecognized.into()),
        }
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let test_network = address.test_network();
        let of = |row: &&Form| row.kind == address.kind() && row.test_network == test_network;
        if let Some(form) = FORMS.iter().find(of) {
            return form.write(address, f);
        }
        let is_test = test_network.is_some();
        let row = VERSIONS.iter().find(|row| row.1 == address.kind() && row.2.is_some() == is_test);
        base58::write_check(&row.ok_or(fmt::Error)?.0, address.payload(), &base58::BITCOIN, f)
    }

    fn normal_form(address: &Address, text: &str) -> String {
        if matches!(address.kind(), Kind::P2pkh | Kind::P2sh) { text.to_string() } else { lower_case(text) }
    }
}

/// `B58_PUBKEY_ADDRESS_PREFIX` and `B58_SCRIPT_ADDRESS_PREFIX`
/// ([source](https://github.com/zcash/librustzcash/blob/main/components/zcash_protocol/src/constants)); the regression test network has
/// the same as the test network.
const VERSIONS: [([u8; 2], Kind, Option<TestNetwork>); 4] = [
    ([0x1c, 0xb8], Kind::P2pkh, None),
    ([0x1c, 0xbd], Kind::P2sh, None),
    ([0x1d, 0x25], Kind::P2pkh, Some(TestNetwork::Testnet)),
    ([0x1c, 0xba], Kind::P2sh, Some(TestNetwork::Testnet)),
];

const TRANSPARENT_TEXT: usize = 35;
const SPROUT_TEXT: usize = 95;

const VIEWING_KEYS: [&str; 6] = ["uview1", "uivk1", "zxviews1", "zivks1", "uviewtest1", "zxviewtestsapling1"];

fn transparent(text: &str) -> Result<Address, AddressError> {
    let mut buffer = base58::Buffer::new();
    let payload = base58::decode_check(text, &base58::BITCOIN, &mut buffer)?;
    let (version, hash) = payload.split_first_chunk::<2>().ok_or(Reason::BadLength)?;
    let (_, kind, test_network) = *VERSIONS.iter().find(|row| row.0 == *version).ok_or(Reason::BadVersion)?;
    let hash: &[u8; 20] = hash.try_into().map_err(|_| Reason::BadLength)?;
    Ok(Address { test_network, ..Address::new(Network::Zec, kind, hash) })
}

/// A text in bech32 or bech32m.
struct Form {
    hrp: Hrp,
    kind: Kind,
    test_network: Option<TestNetwork>,
}

static FORMS: [Form; 9] = [
    form("u", Kind::Unified, None),
    form("utest", Kind::Unified, Some(TestNetwork::Testnet)),
    form("uregtest", Kind::Unified, Some(TestNetwork::Regtest)),
    form("zs", Kind::Sapling, None),
    form("ztestsapling", Kind::Sapling, Some(TestNetwork::Testnet)),
    form("zregtestsapling", Kind::Sapling, Some(TestNetwork::Regtest)),
    // ZIP-320.
    form("tex", Kind::Tex, None),
    form("textest", Kind::Tex, Some(TestNetwork::Testnet)),
    form("texregtest", Kind::Tex, Some(TestNetwork::Regtest)),
];

const fn form(hrp: &'static str, kind: Kind, test_network: Option<TestNetwork>) -> Form {
    Form { hrp: Hrp::new(hrp), kind, test_network }
}

impl Form {
    const fn variant(&self) -> Variant {
        if matches!(self.kind, Kind::Sapling) { Variant::Bech32 } else { Variant::Bech32m }
    }

    fn parse(&self, text: &str, data: &[u8]) -> Result<Address, AddressError> {
        let mut buffer = bech32::Buffer::<LONGEST>::of_size();
        let decoded = bech32::decode(&self.hrp, text, data, LONGEST, &mut buffer)?;
        if decoded.variant != self.variant() {
            return Err(Reason::WrongBech32Variant.into());
        }
        let mut bytes = decoded.bytes::<{ unified::LONGEST }>()?;
        let bytes = bytes.as_mut_slice();
        let (version, payload) = match (self.kind, bytes.len()) {
            (Kind::Unified, _) => unified::read(self.hrp.text(), bytes)?,
            (Kind::Sapling, unified::SHIELDED) | (Kind::Tex, 20) => (0, Payload::new(bytes).ok_or(Reason::BadLength)?),
            _ => return Err(Reason::BadLength.into()),
        };
        let (network, test_network, kind) = (Network::Zec, self.test_network, self.kind);
        Ok(Address { network, test_network, kind, version, payload, tag: None })
    }

    fn write(&self, address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind != Kind::Unified {
            return bech32::write_bytes(&self.hrp, self.variant(), address.payload(), f);
        }
        let mut place = [0; unified::LONGEST];
        let bytes = unified::write(self.hrp.text(), address, &mut place).ok_or(fmt::Error)?;
        bech32::write_bytes(&self.hrp, self.variant(), bytes, f)
    }
}
