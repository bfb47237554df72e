//! Parses an address: the network's form, then the common rules, then an explanation if refused.

use core::str::FromStr;

use super::{explain, rules};
use crate::address::{Address, AddressError, Options, Reason};
use crate::chain;
use crate::network::Network;
use crate::text_form::text_form;

impl Address {
    /// Parses an address by the strict rules.
    ///
    /// ```
    /// use crypto_checkout_core::{Address, Kind, Network};
    ///
    /// let address = Address::parse(Network::Btc, "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4").unwrap();
    /// assert_eq!(address.kind(), Kind::P2wpkh);
    /// assert_eq!(address.to_string(), "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4");
    ///
    /// let error = Address::parse(Network::Btc, "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC").unwrap_err();
    /// assert_eq!(error.looks_like(), Some(Network::Trx));
    /// ```
    pub fn parse(network: Network, text: &str) -> Result<Self, AddressError> {
        parse(network, text, &Options::STRICT)
    }

    /// Parses an address with options.
    pub fn parse_with(network: Network, text: &str, options: &Options) -> Result<Self, AddressError> {
        parse(network, text, options)
    }
}

impl FromStr for Address {
    type Err = AddressError;

    /// Reads the code of a network, a colon and an address of it: `XRP:rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY`. A text without a network
    /// is [`Reason::Unrecognized`], since it can be an address of several.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (network, address) = text.split_once(':').ok_or(Reason::Unrecognized)?;
        Self::parse(network.parse().map_err(|_| Reason::Unrecognized)?, address)
    }
}

text_form!(Address, |address| format_args!("{}:{address}", address.network()));

pub(super) fn parse(network: Network, text: &str, options: &Options) -> Result<Address, AddressError> {
    let (start, text) = options.bare(text);
    // Changed in place: an address is large enough for moves to cost measurable time.
    let mut result = rules::read(network, text);
    rules::judge(&mut result, text, options);
    // The page asks only whether an address is valid.
    if let Err(error) = &mut result
        && !cfg!(feature = "page")
    {
        *error = explain::explain(chain::spec(network), text, options, *error).moved(start);
    }
    result
}
