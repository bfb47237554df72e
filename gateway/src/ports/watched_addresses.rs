//! The addresses of payments.

use async_trait::async_trait;
use checkout_core::Network;
use uuid::Uuid;

use super::Stored;

/// For chains that read all transfers and keep those to watched addresses.
#[async_trait]
pub trait WatchedAddresses: Send + Sync {
    /// Returns those of `addresses`, in normal form, that were assigned to a payment on a network that shares
    /// accounts with this one. Accepts any number of addresses.
    async fn ours(&self, network: Network, addresses: &[String]) -> Stored<Vec<String>>;
}

/// Assigns addresses to payments, inside a [`Tx`](super::Tx).
#[async_trait]
pub trait AddressTx: Send {
    /// The address and tag of a payment on a network.
    async fn address_of(
        &mut self,
        payment: Uuid,
        network: Network,
    ) -> Stored<Option<(String, Option<String>)>>;

    /// The next unused derivation index of the networks that share accounts with this one; each index is
    /// returned once.
    async fn next_index(&mut self, network: Network) -> Stored<u32>;

    /// Assigns an address to a payment; returns false if it belongs to another one.
    async fn insert_address(
        &mut self,
        payment: Uuid,
        network: Network,
        address: &str,
        tag: Option<&str>,
        now: u64,
    ) -> Stored<bool>;
}
