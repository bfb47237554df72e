//! Addresses and amounts as servers write them.

use checkout_core::address::Address;
use checkout_core::{Amount, Network};
use checkout_domain::chain::environment::ANY_NETWORK;

use crate::settings::DECIMALS;

/// An address in the core's normal form.
pub(crate) fn normal_form(network: Network, text: &str) -> Option<String> {
    Address::parse_with(network, text, &ANY_NETWORK).ok().map(|address| address.to_string())
}

pub(crate) fn amount(text: &str) -> Option<Amount> {
    Amount::parse(text, DECIMALS).ok()
}
