//! Which addresses belong to payments.

use async_trait::async_trait;
use checkout_core::Network;

use super::Stored;

/// For chains that read all transfers and keep those that are ours.
#[async_trait]
pub trait WatchedAddresses: Send + Sync {
    /// Those of `addresses`, in normal form, that were given to a payment on a network that shares accounts with this one.
    /// Any number of them may be asked for at once.
    async fn ours(&self, network: Network, addresses: &[String]) -> Stored<Vec<String>>;
}
