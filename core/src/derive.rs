//! Deposit addresses from public keys, as the gateway derives them (BIP-32); no private key is ever seen here.

use crate::address::Address;
use crate::chain;
use crate::network::Network;

/// A secp256k1 public key in both forms of SEC 1.
pub(crate) struct PublicKey<'a> {
    pub(crate) compressed: &'a [u8; 33],
    pub(crate) uncompressed: &'a [u8; 65],
}

impl PublicKey<'_> {
    /// Whether both forms name the same point. That it lies on the curve is the caller's business.
    fn is_consistent(&self) -> bool {
        let parity = 2 + (self.uncompressed[64] & 1);
        self.uncompressed[0] == 4
            && self.compressed[0] == parity
            && self.compressed[1..] == self.uncompressed[1..33]
    }
}

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
