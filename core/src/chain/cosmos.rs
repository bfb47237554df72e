//! Cosmos Hub: accounts in bech32, `cosmos1…`
//! ([specification](https://docs.cosmos.network/main/learn/beginner/accounts#addresses)). Only addresses are checked.
//!
//! Test networks use the same prefix.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::pairs::{NO_LIMITS, coin};
use super::spec::{ADDRESS_ONLY, Chain, ChainSpec, lower_case};
use crate::address::{Address, AddressError, Kind, Reason};
use crate::currency::Currency;
use crate::encoding::bech32::{self, Hrp, Variant};
use crate::network::{Network, TagRule};

pub(super) enum CosmosHub {}

impl Chain for CosmosHub {
    const SPEC: ChainSpec = ChainSpec {
        network: Network::Atom,
        name: "Cosmos Hub",
        tag: TagRule::TextMemo,
        pairs: &[coin(Currency::Atom, Network::Atom, 6, NO_LIMITS).address_only()],
        example: "cosmos1vv6hruquzpty4xpks9znkw8gys5x4nsnqw9f4k", // chainapsis/keplr-wallet, packages/cosmos/src/bech32
        ..ADDRESS_ONLY
    };

    fn parse(text: &str) -> Result<Address, AddressError> {
        let Some(data) = ACCOUNT.strip(text) else {
            // `cosmosvaloper1…` is a validator, `cosmosvalcons1…` its node, `cosmospub1…` a key.
            let is_other = text.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("cosmos"));
            return Err(if is_other { Reason::BadPrefix } else { Reason::Unrecognized }.into());
        };
        let mut buffer = bech32::Buffer::new();
        let decoded = bech32::decode(&ACCOUNT, text, data, bech32::LONGEST, &mut buffer)?;
        if decoded.variant != Variant::Bech32 {
            return Err(Reason::WrongBech32Variant.into());
        }
        // The hash of a key, or an account of a module or a contract (ADR-028).
        let account = decoded.bytes::<32>()?;
        match account.as_slice().len() {
            20 | 32 => Ok(Address::of_bytes(Network::Atom, Kind::Account, account.as_slice())?),
            _ => Err(Reason::BadLength.into()),
        }
    }

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        bech32::write_bytes(&ACCOUNT, Variant::Bech32, address.payload(), f)
    }

    fn normal_form(_: &Address, text: &str) -> String {
        lower_case(text)
    }

    fn locate(text: &str) -> Vec<usize> {
        if ACCOUNT.strip(text).is_some() { bech32::locate(text, |_| Variant::Bech32) } else { Vec::new() }
    }
}

static ACCOUNT: Hrp = Hrp::new("cosmos");
