//! Deposit addresses from public keys, as the gateway derives them (BIP-32). Private keys never come here.

use crate::address::Address;
use crate::chain::{self, PublicKey};
use crate::network::Network;

/// The deposit address of a secp256k1 public key, given in both forms of SEC 1.
///
/// BTC and LTC pay to the hash of the key as a witness program (BIP-84), BCH to the hash of the key (BIP-44);
/// ETH, BSC and TRX have the account of the key.
///
/// `None` where one account with tags serves all payments (XRP, XLM), and when the two forms are not of one key.
pub fn deposit_address(network: Network, compressed: &[u8; 33], uncompressed: &[u8; 65]) -> Option<Address> {
    let key = PublicKey { compressed, uncompressed };
    if key.is_consistent() { chain::deposit(network, &key) } else { None }
}
