//! Cardano: bech32 since the Shelley era ([CIP-19]), base58 of CBOR before it ([Byron]). Only addresses are checked.
//!
//! [CIP-19]: https://github.com/cardano-foundation/CIPs/blob/master/CIP-0019/README.md
//! [Byron]: https://github.com/cardano-foundation/CIPs/blob/master/CIP-0019/CIP-0019-byron-addresses.cddl

use alloc::string::{String, ToString};
use core::fmt;

use super::pairs::{NO_LIMITS, coin};
use super::spec::{ADDRESS_ONLY, Chain, ChainSpec, LONGEST, lower_case};
use crate::address::{Address, AddressError, Kind, Payload, Reason, TestNetwork};
use crate::currency::Currency;
use crate::encoding::bech32::{self, Hrp, Variant};
use crate::network::Network;

mod byron;

pub(super) enum Cardano {}

impl Chain for Cardano {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Ada,
        name: "Cardano",
        pairs: &[coin(Currency::Ada, Network::Ada, 6, NO_LIMITS).address_only()],
        test_networks: &[TestNetwork::Testnet],
        // CIP-19
        example: "addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8",
        ..ADDRESS_ONLY
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        for (hrp, test_network) in &HRPS {
            if let Some(data) = hrp.strip(text) {
                return shelley(hrp, text, data, *test_network);
            }
        }
        if STAKE.iter().any(|hrp| hrp.strip(text).is_some()) {
            return Err(Reason::NotPayable.into());
        }
        byron::parse(text)
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if address.kind() == Kind::Byron {
            return byron::write(address, f);
        }
        let (hrp, test_network) =
            HRPS.iter().find(|row| row.1 == address.test_network()).ok_or(fmt::Error)?;
        let mut bytes = [0; LONGEST_BYTES];
        let payload = address.payload();
        bytes[0] = address.version << 4 | u8::from(test_network.is_none());
        bytes.get_mut(1..=payload.len()).ok_or(fmt::Error)?.copy_from_slice(payload);
        bech32::write_bytes(hrp, Variant::Bech32, &bytes[..=payload.len()], f)
    }

    fn normal_form(address: &Address, text: &str) -> String {
        if address.kind() == Kind::Byron { text.to_string() } else { lower_case(text) }
    }
}

static HRPS: [(Hrp, Option<TestNetwork>); 2] =
    [(Hrp::new("addr"), None), (Hrp::new("addr_test"), Some(TestNetwork::Testnet))];

static STAKE: [Hrp; 2] = [Hrp::new("stake"), Hrp::new("stake_test")];

/// Of a key or a script.
const HASH: usize = 28;

/// The header and two hashes.
const LONGEST_BYTES: usize = 1 + 2 * HASH;

fn shelley(
    hrp: &Hrp,
    text: &str,
    data: &[u8],
    test_network: Option<TestNetwork>,
) -> Result<Address, AddressError> {
    let mut buffer = bech32::Buffer::new();
    let decoded = bech32::decode(hrp, text, data, LONGEST, &mut buffer)?;
    if decoded.variant != Variant::Bech32 {
        return Err(Reason::WrongBech32Variant.into());
    }
    let bytes = decoded.bytes::<LONGEST_BYTES>()?;
    let (header, rest) = bytes.as_slice().split_first().ok_or(Reason::BadLength)?;
    let (version, tag) = (header >> 4, header & 15);
    let is_right = match version {
        0..=3 => rest.len() == 2 * HASH,
        4 | 5 => rest.get(HASH..).ok_or(Reason::BadLength).and_then(pointer)?,
        6 | 7 => rest.len() == HASH,
        8 => return Err(Reason::BadPrefix.into()),
        14 | 15 => return Err(Reason::NotPayable.into()),
        _ => return Err(Reason::BadVersion.into()),
    };
    if !is_right {
        return Err(Reason::BadLength.into());
    }
    if tag != u8::from(test_network.is_none()) {
        return Err(if tag > 1 { Reason::BadVersion } else { Reason::BadPrefix }.into());
    }
    let payload = Payload::new(rest).ok_or(Reason::BadLength)?;
    Ok(Address { network: Network::Ada, test_network, kind: Kind::Shelley, version, payload, tag: None })
}

/// Returns whether these are three numbers and nothing else: a slot of 32 bits, a transaction and a certificate of 16 bits. The
/// ledger refuses larger ones since Babbage.
fn pointer(bytes: &[u8]) -> Result<bool, Reason> {
    let mut rest = bytes.iter();
    for largest in [u32::MAX.into(), u16::MAX.into(), u16::MAX.into()] {
        let mut number = 0_u64;
        loop {
            let Some(byte) = rest.next() else { return Ok(false) };
            if number == 0 && *byte == 0x80 {
                return Err(Reason::ReservedBits);
            }
            number = number << 7 | u64::from(byte & 0x7f);
            if number > largest {
                return Err(Reason::UndefinedType);
            }
            if byte & 0x80 == 0 {
                break;
            }
        }
    }
    Ok(rest.next().is_none())
}
