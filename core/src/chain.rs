//! The networks' address rules: one row a network, one file a family of networks.
//!
//! A new network is a file here, its row in [`CHAINS`], its row among the [networks](crate::network) and
//! a file of vectors.

use alloc::vec::Vec;
use core::fmt;

use crate::address::{Address, AddressError, Options, Reason};
use crate::derive::PublicKey;
use crate::network::Network;
use crate::uri::Forms;

mod bitcoin;
mod bitcoin_cash;
mod bitcoin_family;
mod evm;
mod explain;
mod litecoin;
mod stellar;
mod tron;
mod xrp;

/// No address of any network is longer; longer texts are refused unread.
pub const LONGEST: usize = 128;

/// What a network knows about addresses. One row of [`CHAINS`].
pub struct ChainSpec {
    pub network: Network,
    /// An acceptable address, to show what one looks like.
    pub example: &'static str,
    /// The letter case of an address is its checksum, so that one in a single case has none.
    pub(crate) case_is_checksum: bool,
    /// Addresses, beside those of zeros only, from which nothing ever comes back.
    pub(crate) burned: &'static [[u8; 20]],
    /// Reads the form; rules that are the same for all networks come after it.
    pub(crate) parse: fn(&str) -> Result<Address, AddressError>,
    pub(crate) write: fn(&Address, &mut fmt::Formatter<'_>) -> fmt::Result,
    /// The places of typing errors in a refused text, where the checksum can tell them.
    pub(crate) locate: fn(&str) -> Vec<usize>,
    /// The address of a public key; `None` where one account serves all payments.
    pub(crate) deposit: Option<fn(&PublicKey<'_>) -> Address>,
    pub(crate) forms: Forms,
}

/// Every network's row, in the order of [`Network`].
pub static CHAINS: [ChainSpec; 8] = [
    bitcoin::SPEC,
    bitcoin_cash::SPEC,
    litecoin::SPEC,
    evm::ETH,
    evm::BSC,
    tron::SPEC,
    xrp::SPEC,
    stellar::SPEC,
];

/// The row of a network.
pub fn spec(network: Network) -> &'static ChainSpec {
    &CHAINS[network as usize]
}

const _: () = {
    let mut at = 0;
    while at < CHAINS.len() {
        assert!(CHAINS[at].network as usize == at, "the rows are in the order of `Network`");
        at += 1;
    }
};

pub(crate) fn parse(network: Network, text: &str, options: Options) -> Result<Address, AddressError> {
    accept(spec(network), text, options)
        .map_err(|error| explain::explain(spec(network), text, options, error))
}

/// Reads an address without a word about what else a refused text might be.
fn accept(spec: &ChainSpec, text: &str, options: Options) -> Result<Address, AddressError> {
    if text.is_empty() {
        return Err(Reason::Empty.into());
    }
    if text.len() > LONGEST {
        return Err(Reason::TooLong.into());
    }
    let address = (spec.parse)(text)?;
    if address.test_network().is_some() && !options.allow_test_networks {
        return Err(Reason::TestNetwork.into());
    }
    if is_burned(spec, address.payload()) {
        return Err(Reason::BurnAddress.into());
    }
    Ok(address)
}

fn is_burned(spec: &ChainSpec, payload: &[u8]) -> bool {
    payload.iter().all(|byte| *byte == 0) || spec.burned.iter().any(|burned| burned == payload)
}

pub(crate) fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    (spec(address.network()).write)(address, f)
}
