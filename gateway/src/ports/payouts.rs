//! Refunds, withdrawals and their transactions in the store.

use std::collections::BTreeMap;

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::domain::chain::payout::{Payout, Progress, Signed};
use crate::domain::ledger::settlement::Booked;
use crate::domain::payment::refund::Refund;
use crate::domain::withdrawal::Withdrawal;

#[async_trait]
pub trait PayoutStore: Send + Sync {
    /// A page of what is not finished, by id, after `after`.
    async fn open_payouts(&self, after: Option<Uuid>) -> Stored<Vec<Payout>>;

    /// A page of the withdrawals that wait and that the screening said nothing of, by id, after `after`.
    async fn unscreened_withdrawals(&self, after: Option<Uuid>) -> Stored<Vec<Payout>>;

    /// The screening answered for a withdrawal.
    async fn is_screened(&self, withdrawal: Uuid) -> Stored<bool>;

    /// The newest withdrawals of all businesses, at most `limit`, the newest first.
    async fn withdrawals(&self, limit: u32) -> Stored<Vec<Withdrawal>>;

    /// The payment of the deposit that a payout refunds.
    async fn refunded_payment(&self, payout: Uuid) -> Stored<Option<Uuid>>;
}

#[async_trait]
pub trait PayoutTx: Send {
    async fn insert_payout(&mut self, payout: &Payout) -> Stored<()>;

    /// Moves a payout on; false when it is not where `from` says, and then nothing changed: somebody else moved it.
    async fn move_payout(&mut self, id: Uuid, from: Progress, to: Progress) -> Stored<bool>;

    /// Stores the signed transaction of a waiting payout; false when it does not wait any more, or when another payout's
    /// transaction has the same number.
    async fn store_signed(&mut self, id: Uuid, signed: &Signed) -> Stored<bool>;

    /// Notes when a sent payout was confirmed; false when it was not sent, or was confirmed before.
    async fn confirm_payout(&mut self, id: Uuid, now: u64) -> Stored<bool>;

    /// Takes that back: its block left the chain. False when it is not confirmed, or final.
    async fn mark_unconfirmed(&mut self, id: Uuid) -> Stored<bool>;

    async fn withdrawal(&mut self, id: Uuid) -> Stored<Option<Withdrawal>>;

    /// The withdrawal and the request hash under a merchant's own id.
    async fn withdrawal_by_client_id(
        &mut self,
        business: Uuid,
        client_withdrawal_id: &str,
    ) -> Stored<Option<(Withdrawal, String)>>;

    /// Adds a withdrawal, whose payout is there; false when the business has one under the same id.
    async fn insert_withdrawal(&mut self, withdrawal: &Withdrawal, request_hash: &str) -> Stored<bool>;

    /// Writes what can change of a withdrawal: its status and the owner of the address.
    async fn update_withdrawal(&mut self, withdrawal: &Withdrawal) -> Stored<()>;

    /// Writes the refund of a deposit over the one there is.
    async fn put_refund(&mut self, deposit: Uuid, refund: &Refund) -> Stored<()>;

    async fn delete_refund(&mut self, deposit: Uuid) -> Stored<()>;

    /// The payment of the deposit that a payout refunds.
    async fn payment_of_refund(&mut self, payout: Uuid) -> Stored<Option<Uuid>>;

    /// The terms of the deposits of a payment and what of each is in the ledger.
    async fn booked(&mut self, payment: Uuid) -> Stored<BTreeMap<Uuid, Booked>>;

    async fn put_booked(&mut self, deposit: Uuid, booked: &Booked) -> Stored<()>;
}
