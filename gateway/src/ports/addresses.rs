//! Deposit addresses.

use checkout_core::Network;

/// Deposit addresses from public keys.
pub trait Addresses: Send + Sync {
    /// The address at a derivation index, in the normal form; `None` when the network has no key.
    ///
    /// Networks with tags have one account, whatever the index.
    fn address(&self, network: Network, index: u32) -> Option<String>;
}
