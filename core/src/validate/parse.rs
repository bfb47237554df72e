//! Parses an address: the network's form, then the common rules, then an explanation if refused.

use super::{explain, rules};
use crate::address::{Address, AddressError, Options};
use crate::chain;
use crate::network::Network;

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
