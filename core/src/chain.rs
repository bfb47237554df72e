//! The networks' address rules: one row a network, one file a family of networks.
//!
//! A new network is a file here with its [`Chain`], its row in [`CHAINS`] and `of!`, its row among the
//! [networks](crate::network) and a file of vectors.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::address::{Address, AddressError, Options, Reason};
use crate::derive::PublicKey;
use crate::network::Network;
use crate::pair::Pair;
use crate::uri::{Payment, Request, UriError};

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
}

/// What a network's file does. Each part is linked only where it is used.
pub(crate) trait Chain {
    const SPEC: ChainSpec;

    /// Reads the form; rules that are the same for all networks come after it.
    fn parse(text: &str) -> Result<Address, AddressError>;

    fn write(address: &Address, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// The places of typing errors in a refused text, where the checksum can tell them.
    fn locate(_text: &str) -> Vec<usize> {
        Vec::new()
    }

    /// The address of a public key; `None` where one account serves all payments.
    fn deposit(_key: &PublicKey<'_>) -> Option<Address> {
        None
    }

    fn payment_uri(request: &Request<'_>) -> String;

    fn default_qr(request: &Request<'_>) -> String {
        Self::payment_uri(request)
    }

    fn address_only(request: &Request<'_>) -> String {
        request.address.to_string()
    }

    fn wallet_link(request: &Request<'_>) -> Option<String> {
        Some(Self::payment_uri(request))
    }

    /// Reads what the others wrote.
    fn read_uri(pair: &Pair, text: &str) -> Result<Payment, UriError>;
}

/// Every network's row, in the order of [`Network`].
pub static CHAINS: [ChainSpec; 8] = [
    bitcoin::Bitcoin::SPEC,
    bitcoin_cash::BitcoinCash::SPEC,
    litecoin::Litecoin::SPEC,
    evm::Ethereum::SPEC,
    evm::BnbSmartChain::SPEC,
    tron::Tron::SPEC,
    xrp::XrpLedger::SPEC,
    stellar::Stellar::SPEC,
];

/// An expression over the [`Chain`] of a network.
macro_rules! of {
    ($network:expr, $chain:ident => $body:expr) => {
        match $network {
            Network::Btc => {
                type $chain = bitcoin::Bitcoin;
                $body
            }
            Network::Bch => {
                type $chain = bitcoin_cash::BitcoinCash;
                $body
            }
            Network::Ltc => {
                type $chain = litecoin::Litecoin;
                $body
            }
            Network::Eth => {
                type $chain = evm::Ethereum;
                $body
            }
            Network::Bsc => {
                type $chain = evm::BnbSmartChain;
                $body
            }
            Network::Trx => {
                type $chain = tron::Tron;
                $body
            }
            Network::Xrp => {
                type $chain = xrp::XrpLedger;
                $body
            }
            Network::Xlm => {
                type $chain = stellar::Stellar;
                $body
            }
        }
    };
}

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
    let address = of!(spec.network, C => C::parse(text))?;
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
    of!(address.network(), C => C::write(address, f))
}

pub(crate) fn locate(network: Network, text: &str) -> Vec<usize> {
    of!(network, C => C::locate(text))
}

pub(crate) fn deposit(network: Network, key: &PublicKey<'_>) -> Option<Address> {
    of!(network, C => C::deposit(key))
}

pub(crate) fn payment_uri(request: &Request<'_>) -> String {
    of!(request.pair.network, C => C::payment_uri(request))
}

pub(crate) fn default_qr(request: &Request<'_>) -> String {
    of!(request.pair.network, C => C::default_qr(request))
}

pub(crate) fn address_only(request: &Request<'_>) -> String {
    of!(request.pair.network, C => C::address_only(request))
}

pub(crate) fn wallet_link(request: &Request<'_>) -> Option<String> {
    of!(request.pair.network, C => C::wallet_link(request))
}

pub(crate) fn read_uri(pair: &Pair, text: &str) -> Result<Payment, UriError> {
    of!(pair.network, C => C::read_uri(pair, text))
}
