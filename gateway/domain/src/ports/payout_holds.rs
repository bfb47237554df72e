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

    /// The chain says that a payout may have been sent, and why. Returns false, without a change, when an operator decided, when it is
    /// held for another reason, or when it waits no longer.
    async fn hold_compared(&mut self, payout: Uuid, reason: &str) -> Stored<bool>;

    /// Releases a payout that the chain shows as not sent, unless an operator decided or it is held for a reason. Returns whether
    /// it can be signed.
    async fn release_compared(&mut self, payout: Uuid) -> Stored<bool>;

    /// An operator's decision. False when the payout is not held, or it was decided.
    async fn decide_hold(&mut self, payout: Uuid, decision: &HoldDecision) -> Stored<bool>;

    /// The other payouts of its network to which a transaction belongs: sent by it, signed as it, or sent by it according to an operator. No
    /// other question about this transaction is answered until the end of the transaction of the store.
    async fn payouts_sent_by(&mut self, transaction_id: &str, payout: Uuid) -> Stored<Vec<Uuid>>;

    /// Releases everything that nobody decided; how many payouts.
    async fn release_holds(&mut self) -> Stored<u64>;

    /// A waiting payout was sent by a transaction that the store did not know; false when it does not wait.
    async fn adopt_payout(&mut self, payout: Uuid, transaction_id: &str, now: u64) -> Stored<bool>;
}
