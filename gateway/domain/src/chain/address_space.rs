//! Networks that share accounts.

use checkout_core::Network;

/// The networks on which one address is one account, this one first.
///
/// An EVM address belongs to the same key on every EVM network. A transfer on another one is credited too,
/// and no two payments share an address on any of them.
pub fn networks_of_account(network: Network) -> &'static [Network] {
    network.spec().shared_accounts
}
