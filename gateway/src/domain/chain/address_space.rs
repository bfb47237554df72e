//! Networks that share accounts.

use checkout_core::Network;

/// Returns the networks on which an address is the same account, starting with this one.
///
/// An EVM address belongs to the same key on every EVM network. A deposit on another of them is credited too, and no
/// two payments get the same address on any of them.
pub fn networks_of_account(network: Network) -> &'static [Network] {
    network.spec().shared_accounts
}
