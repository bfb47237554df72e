//! One type for the addresses of all networks: opaque, so that an existing value is always valid.
//!
//! Reading is in [`validate`](mod@crate::validate) and writing in [`chain`](crate::chain), which both know the networks.

use crate::network::Network;

mod error;
mod kind;
mod options;
mod payload;
mod reason;

pub use error::AddressError;
pub use kind::{Kind, TestNetwork};
pub use options::Options;
pub(crate) use payload::Payload;
pub use reason::Reason;

/// A checked address of one network.
///
/// Its `Display` is the canonical text of the same kind: EIP-55 for EVM, lower case for bech32, with
/// the prefix for CashAddr. Printing and parsing again gives the same value; only the [`account`](Self::account) of a
/// test network's X-address remembers a test network that its text, `r…`, has no place for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Address {
    pub(crate) network: Network,
    pub(crate) test_network: Option<TestNetwork>,
    pub(crate) kind: Kind,
    /// The witness version; 0 elsewhere.
    pub(crate) version: u8,
    pub(crate) payload: Payload,
    /// The tag inside an X-address, the id inside a muxed account.
    pub(crate) tag: Option<u64>,
}

impl Address {
    /// An address of the main network, without a tag inside.
    pub(crate) fn new(network: Network, kind: Kind, hash: &[u8; 20]) -> Self {
        Self { network, test_network: None, kind, version: 0, payload: Payload::of_hash(hash), tag: None }
    }

    pub fn network(&self) -> Network {
        self.network
    }

    /// `None` on the main network.
    pub fn test_network(&self) -> Option<TestNetwork> {
        self.test_network
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The hash, witness program or keys, without version and checksum; at most 66 bytes.
    pub fn payload(&self) -> &[u8] {
        self.payload.as_slice()
    }

    /// The witness version of a segwit address.
    pub fn witness_version(&self) -> Option<u8> {
        use Kind::{FutureWitness, P2a, P2tr, P2wpkh, P2wsh};
        matches!(self.kind, P2wpkh | P2wsh | P2tr | P2a | FutureWitness).then_some(self.version)
    }

    /// The destination tag inside an X-address, the id inside a muxed account.
    pub fn tag(&self) -> Option<u64> {
        self.tag
    }

    /// The account alone: the `r…` of an X-address, the `G…` of a muxed account, itself for all others.
    #[must_use]
    pub fn account(&self) -> Self {
        let kind = match self.kind {
            Kind::XAddress => Kind::Classic,
            Kind::Muxed => Kind::Account,
            kind => kind,
        };
        Self { kind, tag: None, ..*self }
    }
}

impl Address {
    /// This account and a tag in one text: an X-address, a muxed account. `None` for networks that have no such
    /// form, for a tag that does not fit, and when a tag is already inside.
    #[must_use]
    pub fn with_tag(&self, tag: u64) -> Option<Self> {
        let kind = match (self.network, self.kind) {
            (_, Kind::Classic) if u32::try_from(tag).is_ok() => Kind::XAddress,
            (Network::Xlm, Kind::Account) => Kind::Muxed,
            _ => return None,
        };
        Some(Self { kind, tag: Some(tag), ..*self })
    }
}
