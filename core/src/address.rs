//! One type for every address of every network: opaque, so that an existing value is always right.

use core::fmt;

use crate::chain;
use crate::codes::codes;
use crate::network::Network;

mod error;
mod options;

pub use error::{AddressError, Reason};
pub use options::Options;

codes! {
    /// What an address pays to.
    Kind {
        /// Bitcoin family: the hash of a public key.
        P2pkh = "p2pkh",
        /// Bitcoin family: the hash of a script.
        P2sh = "p2sh",
        /// Segwit version 0, 20 bytes: the hash of a public key.
        P2wpkh = "p2wpkh",
        /// Segwit version 0, 32 bytes: the hash of a script.
        P2wsh = "p2wsh",
        /// Segwit version 1, 32 bytes: taproot.
        P2tr = "p2tr",
        /// Segwit version 1, two bytes: pay-to-anchor, which anyone can spend (BIP-433).
        P2a = "p2a",
        /// A witness program that no rule of today covers (BIP-350).
        FutureWitness = "future_witness",
        /// Litecoin: the two keys of a stealth address, in the MimbleWimble extension block.
        Mweb = "mweb",
        /// Bitcoin Cash: a script hash of 32 bytes.
        P2sh32 = "p2sh32",
        /// Bitcoin Cash: as [`Kind::P2pkh`], of a wallet that knows CashTokens.
        TokenP2pkh = "token_p2pkh",
        /// Bitcoin Cash: as [`Kind::P2sh`], of a wallet that knows CashTokens.
        TokenP2sh = "token_p2sh",
        /// Bitcoin Cash: as [`Kind::P2sh32`], of a wallet that knows CashTokens.
        TokenP2sh32 = "token_p2sh32",
        /// An account: EVM, TRON, Stellar `G…`.
        Account = "account",
        /// XRP Ledger: an account, `r…`.
        Classic = "classic",
        /// XRP Ledger: an account with or without its tag in one text, `X…` (XLS-5).
        XAddress = "x_address",
        /// Stellar: an account and an id in one text, `M…` (SEP-23).
        Muxed = "muxed",
        /// Stellar: a contract, `C…` (SEP-23).
        Contract = "contract",
    }
}

codes! {
    /// The networks on which coins are worth nothing.
    TestNetwork {
        Testnet = "testnet",
        Regtest = "regtest",
    }
}

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
    /// Reads an address by the strict rules.
    ///
    /// ```
    /// use checkout_core::address::{Address, Kind, Reason};
    /// use checkout_core::Network;
    ///
    /// let address = Address::parse(Network::Btc, "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4").unwrap();
    /// assert_eq!(address.kind(), Kind::P2wpkh);
    /// assert_eq!(address.to_string(), "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4");
    ///
    /// let error = Address::parse(Network::Btc, "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC").unwrap_err();
    /// assert_eq!(error.looks_like(), Some(Network::Trx));
    /// ```
    pub fn parse(network: Network, text: &str) -> Result<Self, AddressError> {
        chain::parse(network, text, &Options::STRICT)
    }

    /// Reads an address with some rules relaxed.
    pub fn parse_with(network: Network, text: &str, options: &Options) -> Result<Self, AddressError> {
        chain::parse(network, text, options)
    }

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

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        chain::write(self, f)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({self})", self.network.code())
    }
}

/// Two compressed keys.
pub(crate) const LONGEST_PAYLOAD: usize = 66;

/// Bytes in place, as many as the longest has: the two keys of a stealth address.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Payload {
    bytes: [u8; LONGEST_PAYLOAD],
    length: u8,
}

impl Payload {
    /// `None` for more bytes than fit.
    pub(crate) fn new(bytes: &[u8]) -> Option<Self> {
        let mut payload = Self { bytes: [0; LONGEST_PAYLOAD], length: u8::try_from(bytes.len()).ok()? };
        payload.bytes.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(payload)
    }

    pub(crate) fn of_hash(hash: &[u8; 20]) -> Self {
        let mut payload = Self { bytes: [0; LONGEST_PAYLOAD], length: 20 };
        payload.bytes[..20].copy_from_slice(hash);
        payload
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.length)).unwrap_or_default()
    }
}
