//! Transfers without the tag of a payment, which payers looked up.

use async_trait::async_trait;

use super::Stored;
use crate::chain::untagged::{UntaggedState, UntaggedTransfer};
use crate::chain::{OutputId, Transfer};
use crate::ids::PaymentId;

/// How many transfers that one payment reported can wait for a decision.
pub const REPORTS: u32 = 5;

#[async_trait]
pub trait UntaggedStore: Send + Sync {
    /// Stores that a transfer was looked up on the page of a payment; the same report again changes nothing. False if
    /// [enough others](REPORTS) of the payment wait for a decision.
    async fn report_untagged(&self, transfer: &Transfer, payment: PaymentId, now: u64) -> Stored<bool>;

    /// Each transfer once, by its first report, newest first. `state`: a word of [`UntaggedState`].
    async fn untagged(&self, state: Option<&str>, limit: u32) -> Stored<Vec<UntaggedTransfer>>;

    /// Those of some transactions, by output.
    async fn untagged_of(&self, transactions: &[String]) -> Stored<Vec<UntaggedTransfer>>;

    /// How many wait for a decision.
    async fn open_untagged(&self) -> Stored<u64>;
}

#[async_trait]
pub trait UntaggedTx: Send {
    /// Changes the state of a transfer. False if it is not in the state `from` any more; of an open one, whatever the failure is.
    async fn move_untagged(
        &mut self,
        output: &OutputId,
        from: &UntaggedState,
        to: &UntaggedState,
        now: u64,
    ) -> Stored<bool>;
}
