//! Deposit addresses from public keys, as the gateway derives them (BIP-32); no private key is ever seen here.

use crate::address::Address;
use crate::network::Network;

/// The deposit address of a secp256k1 public key, given in both SEC 1 forms.
///
/// `None` where a network uses one account with tags (XRP, XLM), and when the two forms are not of
/// one key.
pub fn deposit_address(_network: Network, _compressed: &[u8; 33], _uncompressed: &[u8; 65]) -> Option<Address> {
    None
}
