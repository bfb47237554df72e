//! The addresses of payments.

use crate::ids::PaymentId;
use async_trait::async_trait;
use checkout_core::Network;

use super::Stored;

/// For chains that read all transfers and keep those to watched addresses.
#[async_trait]
pub trait WatchedAddresses: Send + Sync {
    /// Returns those of `addresses`, in normal form, that were assigned to a payment on a network that shares
    /// accounts with this one. Accepts any number of addresses.
    async fn ours(&self, network: Network, addresses: &[String]) -> Stored<Vec<String>>;
}

/// For chains that ask for each address.
#[async_trait]
pub trait GivenAddresses: Send + Sync {
    /// Addresses quoted to payers since a UNIX second, each with the second of its last quote, newest first.
    async fn quoted_since(&self, network: Network, since: u64, limit: u32) -> Stored<Vec<(String, u64)>>;

    /// All addresses assigned to payments, in the store's order of texts, after `after`; from the first one if that is empty.
    async fn given_after(&self, network: Network, after: &str, limit: u32) -> Stored<Vec<String>>;
}

/// Assigns addresses to payments, inside a [`Tx`](super::Tx).
#[async_trait]
pub trait AddressTx: Send {
    /// The address and tag of a payment on a network.
    async fn address_of(
        &mut self,
        payment: PaymentId,
        network: Network,
    ) -> Stored<Option<(String, Option<String>)>>;

    /// The next unused derivation index of the networks that share accounts with this one; each index is
    /// returned once.
    async fn next_index(&mut self, network: Network) -> Stored<u32>;

    /// Whether an address, in normal form, was assigned to a payment on any network.
    async fn is_own(&mut self, address: &str) -> Stored<bool>;

    /// Assigns an address to a payment; returns false if it belongs to another one.
    async fn insert_address(
        &mut self,
        payment: PaymentId,
        network: Network,
        address: &str,
        tag: Option<&str>,
        now: u64,
    ) -> Stored<bool>;
}
