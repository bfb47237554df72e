//! The networks: one row each in [`CHAINS`], one file per network or family.
//!
//! A new network needs a file here with its `Chain`, a row in `tables.rs` and a file of vectors.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::address::{Address, AddressError};
use crate::network::{Network, TagRule};
use crate::tables::networks;

#[cfg(feature = "aptos")]
mod aptos;
#[cfg(feature = "bitcoin")]
mod bitcoin;
#[cfg(feature = "bitcoin-cash")]
mod bitcoin_cash;
#[cfg(feature = "bitcoin")]
mod bitcoin_family;
#[cfg(feature = "cardano")]
mod cardano;
#[cfg(feature = "cosmos")]
mod cosmos;
#[cfg(feature = "bitcoin")]
mod dogecoin;
#[cfg(feature = "evm")]
mod evm;
mod facts;
#[cfg(feature = "bitcoin")]
mod litecoin;
#[cfg(feature = "monero")]
mod monero;
#[cfg(any(feature = "aptos", feature = "sui"))]
mod move_account;
mod name;
mod pairs;
#[cfg(feature = "polkadot")]
mod polkadot;
mod public_key;
mod spec;
#[cfg(feature = "solana")]
mod solana;
#[cfg(feature = "stellar")]
mod stellar;
#[cfg(feature = "sui")]
mod sui;
#[cfg(feature = "ton")]
mod ton;
#[cfg(feature = "tron")]
mod tron;
#[cfg(feature = "xrp")]
mod xrp;
#[cfg(feature = "zcash")]
mod zcash;

pub use facts::{Explorer, Fees, Finality, GasCoin, KeyPath, TransactionIdForm};
pub use pairs::{Pair, PairLimits};
pub(crate) use public_key::PublicKey;
pub(crate) use spec::{Chain, Checksum, PaymentLink};
pub use spec::{ChainSpec, LONGEST};

macro_rules! chains {
    ($([$feature:literal] $variant:ident = $code:literal => $file:ident::$chain:ident,)+) => {
        /// The row of every network, in the order of [`Network`].
        pub(crate) static ROWS: &[ChainSpec] = &[$(#[cfg(feature = $feature)] without_unused($file::$chain::SPEC)),+];

        /// The pairs of every network.
        pub(crate) const PAIRS_OF_CHAINS: &[&[Pair]] = &[$(#[cfg(feature = $feature)] $file::$chain::SPEC.pairs),+];
    };
}

networks!(chains);

/// The row of every network that a gateway can serve. Networks of which only addresses are checked have none.
pub static CHAINS: &[ChainSpec] = ROWS.split_at(SERVED).0;

const SERVED: usize = {
    let (mut count, mut at) = (0, 0);
    while at < ROWS.len() {
        if !ROWS[at].address_only {
            assert!(
                count == at,
                "a network that a gateway serves comes after one of which only addresses are checked"
            );
            count += 1;
        }
        at += 1;
    }
    count
};

/// With the feature `page`, without what the page does not use.
const fn without_unused(spec: ChainSpec) -> ChainSpec {
    if !cfg!(feature = "page") {
        return spec;
    }
    ChainSpec {
        pairs: &[],
        gas_coin: None,
        key_path: KeyPath { purpose: 0, coin_type: 0, account: 0 },
        finality: Finality { blocks: 0, reason: "" },
        explorer: Explorer { addresses: "", ..spec.explorer },
        example: "",
        sandbox_account: None,
        sandbox_fee: "",
        smallest_transfer: "",
        link: match spec.link {
            PaymentLink::Erc681 { chain_id, trust, .. } => {
                PaymentLink::Erc681 { chain_id, trust, public_node: None }
            }
            link => link,
        },
        ..spec
    }
}

/// Calls a function of a network's [`Chain`].
macro_rules! call {
    ($network:expr, $function:ident $arguments:tt) => { networks!(dispatch ($network) $function $arguments) };
}

macro_rules! dispatch {
    (($network:expr) $function:ident $arguments:tt
        $([$feature:literal] $variant:ident = $code:literal => $file:ident::$chain:ident,)+) => {
        match $network {
            $(#[cfg(feature = $feature)] Network::$variant => $file::$chain::$function $arguments,)+
        }
    };
}

/// The row of a network.
pub fn spec(network: Network) -> &'static ChainSpec {
    &ROWS[network as usize]
}

impl Network {
    /// The row of this network.
    pub fn spec(self) -> &'static ChainSpec {
        spec(self)
    }

    /// The name shown to people, such as `BNB Smart Chain`.
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// The network with this code, if a gateway can serve it.
    #[cfg(feature = "gateway")]
    pub fn served(code: &str) -> Option<Self> {
        code.parse().ok().filter(|network: &Self| !network.is_address_only())
    }

    /// The tag that it needs beside the address.
    pub fn tag_rule(self) -> TagRule {
        self.spec().tag
    }

    /// Only addresses are checked: no gateway serves it.
    pub fn is_address_only(self) -> bool {
        self.spec().address_only
    }

    /// Interface section 2.10 lacks it: off unless the operator configures it and a business takes one of its pairs.
    pub fn is_opt_in(self) -> bool {
        self.spec().pairs.iter().all(|pair| pair.opt_in)
    }
}

const _: () = {
    let mut at = 0;
    while at < ROWS.len() {
        assert!(ROWS[at].network as usize == at, "the row of a network names another one");
        at += 1;
    }
};

/// Parses by the rules of the network alone.
pub(crate) fn parse(network: Network, text: &str) -> Result<Address, AddressError> {
    call!(network, parse(text))
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        call!(self.network(), write(self, f))
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({self})", self.network().code())
    }
}

/// The normal form of the account of an address that was parsed from `text`. Usually `text` itself, which is
/// cheaper than formatting the address.
pub(crate) fn normal_form(address: &Address, text: &str) -> String {
    call!(address.network(), normal_form(address, text))
}

/// The digits of an account of 20 bytes.
pub(crate) const HEX_DIGITS: usize = 40;

/// Returns whether a changed letter in an accepted text would remain undetected.
pub(crate) fn lacks_checksum(spec: &ChainSpec, text: &str, normal: &str) -> bool {
    match spec.checksum {
        Checksum::Always => false,
        Checksum::LetterCase => {
            // The prefix does not matter, and shorter forms have their own checksum.
            let digits = text.len().checked_sub(HEX_DIGITS).and_then(|start| text.get(start..));
            digits.is_some_and(|digits| !normal.ends_with(digits))
        }
        Checksum::Never => true,
    }
}

/// The positions of errors in a refused text, as far as its checksum locates them.
pub(crate) fn locate(network: Network, text: &str) -> Vec<usize> {
    call!(network, locate(text))
}

/// The address of a public key; `None` if one account receives all payments.
pub(crate) fn deposit(network: Network, key: &PublicKey<'_>) -> Option<Address> {
    call!(network, deposit(key))
}
