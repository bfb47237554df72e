//! Which networks accept the same text: each overlap of two networks is known.

use std::collections::BTreeSet;

use crypto_checkout_core::Network::{
    self, Apt, Arbitrum, Avalanche, Base, Bsc, Eth, Ltc, Optimism, Polygon, Sol, Sui,
};
use crypto_checkout_core::{Address, Reason};

use crate::support::addresses;

/// Their addresses are the same.
const SAME: &[&[Network]] = &[&[Eth, Bsc, Polygon, Base, Arbitrum, Optimism, Avalanche], &[Sui, Apt]];

/// Some addresses of the first are also addresses of the second.
const SOME: &[(Network, Network, &str)] =
    &[(Ltc, Sol, "LTC1Q… in capitals and without a 0 has 43 digits of base58, which are 32 bytes")];

#[test]
fn a_text_of_two_networks_is_a_known_overlap() {
    let mut found = BTreeSet::new();
    for network in Network::ALL {
        for case in addresses(*network).into_iter().filter(|case| case.valid) {
            for other in Network::ALL.iter().filter(|other| *other != network) {
                if Address::parse(*other, &case.address).is_ok() {
                    let in_family =
                        SAME.iter().any(|family| family.contains(network) && family.contains(other));
                    let listed = SOME.iter().any(|row| (row.0, row.1) == (*network, *other));
                    assert!(in_family || listed, "{network} {other} {}", case.address);
                    found.insert((*network, *other));
                }
            }
        }
    }
    let families = SAME.iter().map(|family| family.len() * (family.len() - 1)).sum::<usize>();
    assert_eq!(found.len(), families + SOME.len(), "an overlap that no vector shows: {found:?}");
}

/// … and otherwise the answer names the network.
#[test]
fn an_address_of_another_network_names_it() {
    for (index, network) in Network::ALL.iter().enumerate() {
        let example = network.spec().example;
        let other = Network::ALL[(index + 1) % Network::ALL.len()];
        match Address::parse(other, example) {
            Ok(_) => assert!(SAME.iter().any(|family| family.contains(network) && family.contains(&other))),
            Err(error) => {
                let is_key = error.reason() == Reason::Secret;
                let named = error.looks_like().is_some_and(|found| found.spec().example == example);
                assert!(is_key || named, "{network} {other} {error:?}");
            }
        }
    }
}
