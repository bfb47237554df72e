//! Derives deposit addresses from public keys (BIP-32). Private keys are never used here.

use crate::address::{Address, Kind, TestNetwork};
use crate::chain::{self, PublicKey};
use crate::encoding::hash;
use crate::network::Network;

/// The deposit address of a secp256k1 public key, given in both forms of SEC 1.
///
/// BTC and LTC pay to the hash of the key as a witness program (BIP-84), BCH and DOGE to the hash of the key (BIP-44).
/// ETH, BSC and TRX use the account of the key.
///
/// Returns `None` if one account with tags receives all payments (XRP, XLM), or if the two forms are of
/// different keys.
pub fn deposit_address(network: Network, compressed: &[u8; 33], uncompressed: &[u8; 65]) -> Option<Address> {
    let key = PublicKey { compressed, uncompressed };
    if key.is_consistent() { chain::deposit(network, &key) } else { None }
}

/// The same on a test network. Also `None` if the network has no separate test addresses.
pub fn test_deposit_address(
    network: Network,
    test_network: TestNetwork,
    compressed: &[u8; 33],
    uncompressed: &[u8; 65],
) -> Option<Address> {
    let address = deposit_address(network, compressed, uncompressed)?;
    let known = network.spec().test_networks.contains(&test_network);
    known.then_some(Address { test_network: Some(test_network), ..address })
}

/// The pay-to-public-key-hash address of a compressed secp256k1 public key, as wallets with BIP-44 accounts have it. `None` unless the
/// network is of the Bitcoin family, and `test_network` one of its own.
pub fn key_hash_address(
    network: Network,
    test_network: Option<TestNetwork>,
    compressed: &[u8; 33],
) -> Option<Address> {
    let is_known = test_network.is_none_or(|test| network.spec().test_networks.contains(&test));
    let is_family = network.spec().instant;
    let address = Address::new(network, Kind::P2pkh, &hash::hash160(compressed));
    (is_family && is_known).then_some(Address { test_network, ..address })
}
