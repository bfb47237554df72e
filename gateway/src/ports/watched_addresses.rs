//! Which addresses belong to payments.

use async_trait::async_trait;
use checkout_core::Network;
use uuid::Uuid;

use super::Stored;

/// For chains that read all transfers and keep those that are ours.
#[async_trait]
pub trait WatchedAddresses: Send + Sync {
    /// Those of `addresses`, in normal form, that were given to a payment on a network that shares accounts with this one.
    /// Any number of them may be asked for at once.
    async fn ours(&self, network: Network, addresses: &[String]) -> Stored<Vec<String>>;
}

/// How addresses are given to payments, inside a [`Tx`](super::Tx).
#[async_trait]
pub trait AddressTx: Send {
    /// The address and tag that a payment has on a network.
    async fn address_of(
        &mut self,
        payment: Uuid,
        network: Network,
    ) -> Stored<Option<(String, Option<String>)>>;

    /// The next unused derivation index of the networks that share accounts with this one; every number
    /// is given once.
    async fn next_index(&mut self, network: Network) -> Stored<u32>;

    /// Gives an address to a payment; false when it is another's.
    async fn insert_address(
        &mut self,
        payment: Uuid,
        network: Network,
        address: &str,
        tag: Option<&str>,
        now: u64,
    ) -> Stored<bool>;
}
