//! The networks' address rules: one row a network, one file a family of networks.
//!
//! A new network is a file here with its `Chain`, its row in [`CHAINS`] and `of!`, its row among the
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

/// No recovery phrase is longer: 24 words of eight letters.
const LONGEST_SECRET: usize = 216;

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

    /// The account of `address`, of which `text` was accepted, as [`Chain::write`] writes it.
    fn normal_form(address: &Address, text: &str) -> String;

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

pub(crate) fn parse(network: Network, text: &str, options: &Options) -> Result<Address, AddressError> {
    let (start, text) = options.bare(text);
    // Judged where it is: an address is large enough that moving it would be seen.
    let mut result = read(network, text);
    judge(&mut result, text, options);
    if let Err(error) = &mut result {
        *error = explain::explain(spec(network), text, options, *error).moved(start);
    }
    result
}

impl Options {
    /// The part of a text that is looked at, and where it starts.
    pub(crate) fn bare<'a>(&self, text: &'a str) -> (usize, &'a str) {
        if !self.allow_surrounding_blanks || text.len() > LONGEST_SECRET {
            return (0, text);
        }
        let rest = text.trim_start_matches(is_blank);
        (text.len() - rest.len(), rest.trim_end_matches(is_blank))
    }
}

/// White space, and the invisible characters that copying leaves behind.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// Reads an address without a word about what else a refused text might be.
fn accept(spec: &ChainSpec, text: &str, options: &Options) -> Result<Address, AddressError> {
    let mut result = read(spec.network, text);
    judge(&mut result, text, options);
    result
}

/// Reads by the rules of the network alone.
fn read(network: Network, text: &str) -> Result<Address, AddressError> {
    match text.len() {
        0 => Err(Reason::Empty.into()),
        1..=LONGEST => of!(network, C => C::parse(text)),
        _ => Err(Reason::TooLong.into()),
    }
}

/// Pardons and refuses by the options.
fn judge(result: &mut Result<Address, AddressError>, text: &str, options: &Options) {
    if let Err(error) = result
        && let Some(address) = error.suggestion.filter(|_| options.pardons(error.reason))
    {
        *result = Ok(address);
    }
    if let Ok(address) = result
        && let Some(reason) = refusal(spec(address.network), address, text, options)
    {
        *result = Err(match reason {
            Reason::TagInside => AddressError::suggesting(reason, *address),
            _ => reason.into(),
        });
    }
}

/// Why an address that is right is refused: the rules that are the same for all networks.
fn refusal(spec: &ChainSpec, address: &Address, text: &str, options: &Options) -> Option<Reason> {
    if let Some(reason) = options.refusal(address.kind()) {
        return Some(reason);
    }
    if address.test_network().is_some() && !options.allow_test_networks {
        return Some(Reason::TestNetwork);
    }
    if is_burned(spec, address.payload()) && !options.allow_burn_addresses {
        return Some(Reason::BurnAddress);
    }
    let unchecked = options.refuse_no_checksum && lacks_checksum(spec, text, &normal_form(address, text));
    unchecked.then_some(Reason::NoChecksum)
}

fn is_burned(spec: &ChainSpec, payload: &[u8]) -> bool {
    payload.iter().all(|byte| *byte == 0) || spec.burned.iter().any(|burned| burned == payload)
}

/// Whether a typing error in the letters of an accepted text would go unseen.
pub(crate) fn lacks_checksum(spec: &ChainSpec, text: &str, normal: &str) -> bool {
    // The start of the text does not matter, and a shorter form has a checksum of its own.
    let digits = text.len().checked_sub(evm::DIGITS).and_then(|start| text.get(start..));
    spec.case_is_checksum && digits.is_some_and(|digits| !normal.ends_with(digits))
}

/// The normal form of the account of an address, of which `text` was accepted: mostly that text itself, which costs
/// less than to write the address again.
pub(crate) fn normal_form(address: &Address, text: &str) -> String {
    of!(address.network(), C => C::normal_form(address, text))
}

/// An accepted text whose letters are all of one case, in small ones.
fn in_small_letters(text: &str) -> String {
    if text.starts_with(|first: char| first.is_ascii_lowercase()) {
        text.to_string()
    } else {
        text.to_ascii_lowercase()
    }
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
