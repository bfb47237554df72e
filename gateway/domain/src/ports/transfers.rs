//! Stored cursors of chains, the payments of transfers, and dust.

use crate::ids::PaymentId;
use async_trait::async_trait;
use checkout_core::{Currency, Network};
use uuid::Uuid;

use super::Stored;
use crate::chain::{OutputId, Transfer};
use crate::payment::dust::DustSum;

#[async_trait]
pub trait TransferStore: Send + Sync {
    /// Whether this gateway currently reads a network. When it ends, another one takes over.
    async fn watches(&self, network: Network) -> Stored<bool>;

    async fn cursor(&self, network: Network) -> Stored<Option<String>>;

    /// When an amount on this network was shown to a payer last, in UNIX seconds.
    async fn last_quoted(&self, network: Network) -> Stored<Option<u64>>;

    /// The deposits of a network that are [included](crate::chain::OutputState::Included), by id.
    async fn included(&self, network: Network) -> Stored<Vec<IncludedDeposit>>;

    /// The payments of these transfers of one network.
    async fn owners(&self, transfers: &[Transfer]) -> Stored<Vec<Option<Owner>>>;

    /// The dust of a payment, by network and currency.
    async fn dust(&self, payment: PaymentId) -> Stored<Vec<(Network, Currency, DustSum)>>;
}

#[async_trait]
pub trait TransferTx: Send {
    async fn cursor(&mut self, network: Network) -> Stored<Option<String>>;

    async fn put_cursor(&mut self, network: Network, cursor: &str) -> Stored<()>;

    /// The payments of these transfers of one network.
    async fn owners(&mut self, transfers: &[Transfer]) -> Stored<Vec<Option<Owner>>>;

    /// Gives the transfers of a batch the index under which they are deposits already, if a server numbered what is in their
    /// transaction differently then: one with the same coin, amount and address. The batch has all transfers of a transaction, or
    /// only those that are deposits under the same index.
    async fn recognise(&mut self, transfers: &mut [Transfer]) -> Stored<()>;

    /// Stores how many confirmations deposits of a network have that are not confirmed, and how many every transfer there needs. The
    /// version of a payment rises if one of its deposits has other numbers than before.
    async fn count_confirmations(
        &mut self,
        network: Network,
        required: u64,
        counts: &[(OutputId, u64)],
    ) -> Stored<()>;

    /// Adds to the dust that a payment received.
    async fn add_dust(
        &mut self,
        payment: PaymentId,
        network: Network,
        currency: Currency,
        more: &DustSum,
    ) -> Stored<()>;
}

/// A deposit whose confirmations are counted until they are enough for its amount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncludedDeposit {
    pub deposit: Uuid,
    pub payment: PaymentId,
    pub output: OutputId,
    pub seen_at: u64,
    /// How many its amount needs.
    pub required: u64,
}

/// The payment of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    pub payment: PaymentId,
    /// Not a deposit yet: the address, with its tag, was assigned to the payment on this network or on one that shares
    /// its accounts.
    pub is_new: bool,
    /// A deposit that left the chain: an equal transfer of its transaction can be another deposit.
    pub is_gone: bool,
}
