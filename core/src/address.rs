//! An opaque address type for all networks: every value is valid.
//!
//! [`validate`](mod@crate::validate) parses addresses and [`chain`](crate::chain) formats them; both use the
//! networks' rules.

use crate::network::{Network, TagRule};

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
/// `Display` writes the canonical text of the same kind: EIP-55 for EVM, lower case for bech32, with the
/// prefix for CashAddr. Parsing that text gives the same value, with one exception: the
/// [`account`](Self::account) of a test network's X-address remembers the test network, which its text, `r…`,
/// cannot express.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    pub(crate) network: Network,
    pub(crate) test_network: Option<TestNetwork>,
    pub(crate) kind: Kind,
    /// The witness version; 0 elsewhere.
    pub(crate) version: u8,
    pub(crate) payload: Payload,
    /// The tag of an X-address, or the id of a muxed account. As bytes in the order of numbers, it needs no padding.
    pub(crate) tag: Option<[u8; 8]>,
}

impl Address {
    /// An address on the main network without an embedded tag.
    pub(crate) fn new(network: Network, kind: Kind, hash: &[u8; 20]) -> Self {
        Self { network, test_network: None, kind, version: 0, payload: Payload::of_hash(hash), tag: None }
    }

    /// The same of bytes of any length.
    pub(crate) fn of_bytes(network: Network, kind: Kind, bytes: &[u8]) -> Result<Self, Reason> {
        let payload = Payload::new(bytes).ok_or(Reason::BadLength)?;
        Ok(Self { network, test_network: None, kind, version: 0, payload, tag: None })
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

    /// The hash, witness program or keys, without version and checksum; at most 66 bytes, 72 with
    /// the feature `monero`, 106 with `zcash`.
    pub fn payload(&self) -> &[u8] {
        self.payload.as_slice()
    }

    /// The witness version of a segwit address.
    pub fn witness_version(&self) -> Option<u8> {
        use Kind::{FutureWitness, P2a, P2tr, P2wpkh, P2wsh};
        matches!(self.kind, P2wpkh | P2wsh | P2tr | P2a | FutureWitness).then_some(self.version)
    }

    /// The destination tag of an X-address, or the id of a muxed account.
    pub fn tag(&self) -> Option<u64> {
        self.tag.map(u64::from_be_bytes)
    }

    /// The account without its tag: the `r…` of an X-address, the `G…` of a muxed account. Other addresses
    /// are returned unchanged.
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
    /// Combines this account and a tag into an X-address or a muxed account. Returns `None` if the network
    /// has no such form, the tag does not fit, or the address already contains a tag.
    #[must_use]
    pub fn with_tag(&self, tag: u64) -> Option<Self> {
        let kind = match (self.network.tag_rule(), self.kind) {
            (_, Kind::Classic) if u32::try_from(tag).is_ok() => Kind::XAddress,
            (TagRule::Memo, Kind::Account) => Kind::Muxed,
            _ => return None,
        };
        Some(Self { kind, tag: Some(tag.to_be_bytes()), ..*self })
    }
}
