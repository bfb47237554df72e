//! Payouts that are held after a restore.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::chain::payout::Payout;
use crate::chain::payout_hold::{HoldDecision, PayoutHold};

#[async_trait]
pub trait PayoutHoldStore: Send + Sync {
    async fn payout_hold(&self, payout: Uuid) -> Stored<Option<PayoutHold>>;

    /// Undecided payouts, by id.
    async fn held_payouts(&self) -> Stored<Vec<(Payout, PayoutHold)>>;

    /// Which of these transactions belong to no payout.
    async fn unknown_transactions(&self, transactions: Vec<String>) -> Stored<Vec<String>>;
}

#[async_trait]
pub trait PayoutHoldTx: Send {
    /// Holds a payout, or says why it is held. A decision of before counts no more: it says nothing about what was signed since.
    async fn hold_payout(&mut self, payout: Uuid, reason: &str) -> Stored<()>;

    /// False when the payout is not held, or it was decided.
    async fn decide_hold(&mut self, payout: Uuid, decision: &HoldDecision) -> Stored<bool>;

    /// Releases everything that nobody decided; how many payouts.
    async fn release_holds(&mut self) -> Stored<u64>;

    /// A waiting payout was sent by a transaction that the store did not know; false when it does not wait.
    async fn adopt_payout(&mut self, payout: Uuid, transaction_id: &str, now: u64) -> Stored<bool>;
}
