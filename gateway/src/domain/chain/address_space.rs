//! Which networks share their accounts.

use checkout_core::Network;

/// The networks on which one address is one account, this one first.
///
/// An EVM address belongs to the same key on every EVM network: who sends on the other one is credited,
/// too, and no two payments get the same address on either.
pub fn networks_of_account(network: Network) -> &'static [Network] {
    network.spec().shared_accounts
}
