//! Deposit addresses.

use checkout_core::Network;

/// Derives deposit addresses from public keys.
pub trait Addresses: Send + Sync {
    /// The address at a derivation index, in normal form; `None` if the network has no key.
    ///
    /// Networks with tags have one account for all indexes.
    fn address(&self, network: Network, index: u32) -> Option<String>;
}
