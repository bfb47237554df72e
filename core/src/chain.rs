//! The networks: one row each in [`CHAINS`], one file per network or family.
//!
//! A new network needs a file here with its `Chain`, a row in `tables.rs` and a file of vectors.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::address::{Address, AddressError};
use crate::network::Network;
use crate::tables::networks;

mod bitcoin;
mod bitcoin_cash;
mod bitcoin_family;
mod dogecoin;
mod evm;
mod facts;
mod litecoin;
mod pairs;
mod public_key;
mod spec;
mod stellar;
mod tron;
mod xrp;

pub use facts::{Explorer, Finality, GasCoin, KeyPath, TransactionIdForm};
pub use pairs::{Pair, PairLimits};
pub(crate) use public_key::PublicKey;
pub(crate) use spec::{Chain, PaymentLink};
pub use spec::{ChainSpec, LONGEST};

macro_rules! chains {
    ($($variant:ident = $code:literal => $file:ident::$chain:ident,)+) => {
        /// The row of every network, in the order of [`Network`].
        pub static CHAINS: &[ChainSpec] = &[$(without_unused($file::$chain::SPEC)),+];

        /// The pairs of every network.
        pub(crate) const PAIRS_OF_CHAINS: &[&[Pair]] = &[$($file::$chain::SPEC.pairs),+];
    };
}

networks!(chains);

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
        $($variant:ident = $code:literal => $file:ident::$chain:ident,)+) => {
        match $network {
            $(Network::$variant => $file::$chain::$function $arguments,)+
        }
    };
}

/// The row of a network.
pub fn spec(network: Network) -> &'static ChainSpec {
    &CHAINS[network as usize]
}

impl Network {
    /// The row of this network.
    pub fn spec(self) -> &'static ChainSpec {
        spec(self)
    }

    /// Interface section 2.10 lacks it: off unless the operator configures it and a business takes one of its pairs.
    pub fn is_opt_in(self) -> bool {
        self.spec().pairs.iter().all(|pair| pair.opt_in)
    }
}

const _: () = {
    let mut at = 0;
    while at < CHAINS.len() {
        assert!(CHAINS[at].network as usize == at, "the row of a network names another one");
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

/// Returns whether a changed letter in an accepted text would remain undetected.
pub(crate) fn lacks_checksum(spec: &ChainSpec, text: &str, normal: &str) -> bool {
    // The prefix does not matter, and shorter forms have their own checksum.
    let digits = text.len().checked_sub(evm::DIGITS).and_then(|start| text.get(start..));
    spec.case_is_checksum && digits.is_some_and(|digits| !normal.ends_with(digits))
}

/// The positions of errors in a refused text, as far as its checksum locates them.
pub(crate) fn locate(network: Network, text: &str) -> Vec<usize> {
    call!(network, locate(text))
}

/// The address of a public key; `None` if one account receives all payments.
pub(crate) fn deposit(network: Network, key: &PublicKey<'_>) -> Option<Address> {
    call!(network, deposit(key))
}
