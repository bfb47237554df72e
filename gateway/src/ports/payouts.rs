//! Refunds, withdrawals and their transactions in the store.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::domain::chain::payout::{Payout, Progress, Signed};
use crate::domain::ledger::settlement::Booked;
use crate::domain::payment::refund::Refund;
use crate::domain::withdrawal::Withdrawal;

#[async_trait]
pub trait PayoutStore: Send + Sync {
    /// Returns a page of unfinished payouts, ordered by id, starting after `after`.
    async fn open_payouts(&self, after: Option<Uuid>) -> Stored<Vec<Payout>>;

    /// Returns a page of waiting withdrawals that are not screened yet, ordered by id, starting after `after`.
    async fn unscreened_withdrawals(&self, after: Option<Uuid>) -> Stored<Vec<Payout>>;

    /// Returns the newest withdrawals of all businesses, newest first, at most `limit`.
    async fn withdrawals(&self, limit: u32) -> Stored<Vec<Withdrawal>>;

    /// Returns the payment of the deposit that a payout refunds.
    async fn refunded_payment(&self, payout: Uuid) -> Stored<Option<Uuid>>;
}

#[async_trait]
pub trait PayoutTx: Send {
    async fn insert_payout(&mut self, payout: &Payout) -> Stored<()>;

    /// Moves a payout to another state. Returns false and changes nothing if its state is not `from`, because another
    /// process moved it.
    async fn move_payout(&mut self, id: Uuid, from: Progress, to: Progress) -> Stored<bool>;

    /// Stores the signed transaction of a waiting payout. Returns false if it is no longer waiting.
    async fn store_signed(&mut self, id: Uuid, signed: &Signed) -> Stored<bool>;

    /// Marks a sent payout as confirmed at `now`. Returns false if it was not sent, or is already confirmed.
    async fn confirm_payout(&mut self, id: Uuid, now: u64) -> Stored<bool>;

    /// Marks a confirmed payout as sent again, because its block left the chain. Returns false if it is not confirmed,
    /// or final.
    async fn loosen_payout(&mut self, id: Uuid) -> Stored<bool>;

    async fn withdrawal(&mut self, id: Uuid) -> Stored<Option<Withdrawal>>;

    /// Returns the withdrawal with a merchant's own id, and the hash of the request that created it.
    async fn withdrawal_by_client_id(
        &mut self,
        business: Uuid,
        client_withdrawal_id: &str,
    ) -> Stored<Option<(Withdrawal, String)>>;

    /// Adds a withdrawal whose payout is already stored. Returns false if the business has one with the same id.
    async fn insert_withdrawal(&mut self, withdrawal: &Withdrawal, request_hash: &str) -> Stored<bool>;

    /// Updates the mutable fields of a withdrawal: its status and the owner of the address.
    async fn update_withdrawal(&mut self, withdrawal: &Withdrawal) -> Stored<()>;

    /// Inserts or replaces the refund of a deposit.
    async fn put_refund(&mut self, deposit: Uuid, refund: &Refund) -> Stored<()>;

    async fn delete_refund(&mut self, deposit: Uuid) -> Stored<()>;

    /// Returns the payment of the deposit that a payout refunds.
    async fn payment_of_refund(&mut self, payout: Uuid) -> Stored<Option<Uuid>>;

    /// Returns the settlement terms of a deposit and what is booked in the ledger.
    async fn booked(&mut self, deposit: Uuid) -> Stored<Option<Booked>>;

    async fn put_booked(&mut self, deposit: Uuid, booked: &Booked) -> Stored<()>;
}
