//! Code shared by Bitcoin, Litecoin and Dogecoin: base58 hashes ([BIP-13]) and segwit programs ([BIP-141], [BIP-350]).
//!
//! [BIP-13]: https://github.com/bitcoin/bips/blob/master/bip-0013.mediawiki
//! [BIP-141]: https://github.com/bitcoin/bips/blob/master/bip-0141.mediawiki
//! [BIP-350]: https://github.com/bitcoin/bips/blob/master/bip-0350.mediawiki

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::public_key::PublicKey;
use super::spec::lower_case;
use crate::address::{Address, AddressError, Kind, Payload, Reason, TestNetwork};
use crate::encoding::base58;
use crate::encoding::bech32::{self, Hrp, Variant};
use crate::encoding::hash;
use crate::network::Network;

/// A base58 version byte. If one kind has two rows, addresses are written with the first.
pub(super) struct Version {
    pub(super) byte: u8,
    pub(super) kind: Kind,
    pub(super) test_network: Option<TestNetwork>,
    /// The reason for refusal; the written form is the suggestion.
    pub(super) refused: Option<Reason>,
}

pub(super) const fn version(byte: u8, kind: Kind, test_network: Option<TestNetwork>) -> Version {
    Version { byte, kind, test_network, refused: None }
}

/// A network of this family.
pub(super) struct Family {
    pub(super) network: Network,
    /// `None` on a network without segwit.
    pub(super) hrps: &'static [(Hrp, Option<TestNetwork>)],
    /// The characters that base58 addresses start with.
    pub(super) initials: &'static [u8],
    pub(super) versions: &'static [Version],
}

/// Length of base58 texts of 25 bytes: a version, a 20-byte hash and the checksum. Each leading zero byte is
/// one character.
const BASE58_LENGTHS: core::ops::RangeInclusive<usize> = 25..=35;

/// Pay-to-anchor: an output that anyone can spend, of witness version 1.
const ANCHOR: [u8; 2] = [0x4e, 0x73];

impl Family {
    pub(super) fn parse(&self, text: &str) -> Result<Address, AddressError> {
        let starts_as_base58 = text.bytes().next().is_some_and(|initial| self.initials.contains(&initial));
        for (hrp, test_network) in self.hrps {
            if let Some(data) = hrp.strip(text) {
                let segwit = self.segwit(hrp, text, data, *test_network);
                // `LTc1iJGm…` is base58 that happens to start with the letters of the prefix.
                return if starts_as_base58 {
                    segwit.or_else(|error| self.base58(text).map_err(|_| error))
                } else {
                    segwit
                };
            }
        }
        if starts_as_base58 { self.base58(text) } else { Err(Reason::Unrecognized.into()) }
    }

    fn segwit(
        &self,
        hrp: &Hrp,
        text: &str,
        data: &[u8],
        test_network: Option<TestNetwork>,
    ) -> Result<Address, AddressError> {
        let mut buffer = bech32::Buffer::new();
        let decoded = bech32::decode(hrp, text, data, bech32::LONGEST, &mut buffer)?;
        if decoded.version > 16 {
            return Err(Reason::BadVersion.into());
        }
        if decoded.variant != Variant::of_version(decoded.version) {
            return Err(Reason::WrongBech32Variant.into());
        }
        let program = decoded.program::<40>()?;
        let program = program.as_slice();
        let kind = match (decoded.version, program.len()) {
            (0, 20) => Kind::P2wpkh,
            (0, 32) => Kind::P2wsh,
            (0, _) => return Err(Reason::BadLength.into()),
            (1, 32) => Kind::P2tr,
            (1, 2) if program == ANCHOR => Kind::P2a,
            (_, 2..=40) => Kind::FutureWitness,
            _ => return Err(Reason::BadLength.into()),
        };
        let payload = Payload::new(program).ok_or(Reason::BadLength)?;
        let version = decoded.version;
        Ok(Address { network: self.network, test_network, kind, version, payload, tag: None })
    }

    pub(super) fn locate(&self, text: &str) -> Vec<usize> {
        let ours = self.hrps.iter().any(|(hrp, _)| hrp.strip(text).is_some());
        if ours { bech32::locate(text, Variant::of_version) } else { Vec::new() }
    }

    fn base58(&self, text: &str) -> Result<Address, AddressError> {
        if !BASE58_LENGTHS.contains(&text.len()) {
            return Err(Reason::BadLength.into());
        }
        let mut buffer = base58::Buffer::new();
        let payload = base58::decode_check(text, &base58::BITCOIN, &mut buffer)?;
        let (byte, hash) = base58::versioned::<20>(payload).ok_or(Reason::BadLength)?;
        let row = self.versions.iter().find(|row| row.byte == byte).ok_or(Reason::BadVersion)?;
        let address =
            Address { test_network: row.test_network, ..Address::new(self.network, row.kind, hash) };
        match row.refused {
            Some(reason) => Err(AddressError::suggesting(reason, address)),
            None => Ok(address),
        }
    }

    pub(super) fn write(&self, address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let payload = address.payload();
        if let Some(version) = address.witness_version() {
            let row = self.hrps.iter().find(|row| row.1 == address.test_network()).ok_or(fmt::Error)?;
            return bech32::write(&row.0, Variant::of_version(version), version, payload, f);
        }
        let of_kind = || self.versions.iter().filter(|row| row.kind == address.kind());
        let own = of_kind().find(|row| row.test_network == address.test_network());
        // Test networks without a version of their own share that of another.
        let shared = || of_kind().find(|row| row.test_network.is_some() && address.test_network().is_some());
        let row = own.or_else(shared).ok_or(fmt::Error)?;
        base58::write_check(&[row.byte], payload, &base58::BITCOIN, f)
    }

    /// For an accepted text whose version is the one written.
    pub(super) fn normal_form(address: &Address, text: &str) -> String {
        if address.witness_version().is_some() { lower_case(text) } else { text.to_string() }
    }

    /// Pays to the hash of the compressed key, like [BIP-84] wallets, or like [BIP-44] wallets without
    /// segwit.
    ///
    /// [BIP-44]: https://github.com/bitcoin/bips/blob/master/bip-0044.mediawiki
    /// [BIP-84]: https://github.com/bitcoin/bips/blob/master/bip-0084.mediawiki
    pub(super) fn deposit(&self, key: &PublicKey<'_>) -> Address {
        let kind = if self.hrps.is_empty() { Kind::P2pkh } else { Kind::P2wpkh };
        Address::new(self.network, kind, &hash::hash160(key.compressed))
    }
}
