//! What waits for a person, as operators are told it.

use std::collections::BTreeSet;

use async_trait::async_trait;
use checkout_core::Network;
use uuid::Uuid;

use super::Stored;
use super::refunds::WaitingRefund;
use super::screening::Flagged;
use crate::ids::BusinessId;
use crate::withdrawal::Withdrawal;
use crate::withdrawal::may_leave::Why;

/// Payouts of a business that do not leave a network for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingPayouts {
    pub business: BusinessId,
    pub network: Network,
    pub why: Why,
    pub count: u64,
    pub oldest: Uuid,
    /// Since when the one that has waited longest does.
    pub since: u64,
    /// None of them is a withdrawal.
    pub are_refunds: bool,
}

/// What a mailbox was not told yet is read oldest first, each thing with the cause of its notice. A cause names the occurrence: what
/// waits again has another one.
#[async_trait]
pub trait NoticeStore: Send + Sync {
    /// Held deposits.
    async fn untold_deposits(&self, to: &str, limit: u32) -> Stored<Vec<(String, Flagged)>>;

    /// Automatic refunds, without those that their payers have to confirm.
    async fn untold_refunds(&self, to: &str, limit: u32) -> Stored<Vec<(String, WaitingRefund)>>;

    /// Withdrawals and refunds of merchants that wait for an approval, or were made since then and failed.
    async fn untold_withdrawals(
        &self,
        to: &str,
        made_since: u64,
        limit: u32,
    ) -> Stored<Vec<(String, Withdrawal)>>;

    /// Things that last.
    async fn untold_things(&self, to: &str) -> Stored<Vec<(String, String)>>;

    async fn waiting_payouts(&self) -> Stored<Vec<WaitingPayouts>>;

    /// What is told as one thing, and is not over.
    async fn lasting(&self) -> Stored<BTreeSet<String>>;
}

#[async_trait]
pub trait NoticeTx: Send {
    /// Changes nothing if it lasts already, or was over after what says so was read.
    async fn begin_lasting(&mut self, thing: &str, read_at: u64, now: u64) -> Stored<()>;

    /// Changes nothing if it began again after what says so was read.
    async fn end_lasting(&mut self, thing: &str, read_at: u64, now: u64) -> Stored<()>;
}
