//! Stored refunds, withdrawals and their transactions.

use std::collections::BTreeMap;

use async_trait::async_trait;
use checkout_core::{Amount, Decimal, Network};
use uuid::Uuid;

use super::Stored;
use crate::chain::payout::Payout;
use crate::ids::{BusinessId, PaymentId};
use crate::ledger::settlement::Booked;
use crate::page::Page;
use crate::payment::refund::Refund;
use crate::withdrawal::Withdrawal;
use crate::withdrawal::filter::WithdrawalFilter;
use crate::withdrawal::may_leave::Why;

#[async_trait]
pub trait PayoutStore: Send + Sync {
    /// A page of the payouts that a step can change, by id, after `after`: the unfinished, and of those without an address the ones of
    /// which an operator said what sent them. Of one network, or of all.
    async fn open_payouts(&self, on: Option<Network>, after: Option<Uuid>) -> Stored<Vec<Payout>>;

    async fn payout(&self, id: Uuid) -> Stored<Option<Payout>>;

    /// A page of the waiting withdrawals without a screening result of today, by id, after `after`. One that may have been sent is
    /// screened when an operator says that it was not.
    async fn unscreened_withdrawals(&self, now: u64, after: Option<Uuid>) -> Stored<Vec<Payout>>;

    /// Whether a withdrawal has one.
    async fn is_screened(&self, withdrawal: Uuid, now: u64) -> Stored<bool>;

    /// The payouts that were signed and are in no block, by id.
    async fn pending_payouts(&self) -> Stored<Vec<Payout>>;

    /// How many of these have the highest fee that is allowed.
    async fn capped_payouts(&self) -> Stored<u64>;

    /// The payouts that are held and wait for a decision, by id.
    async fn held_payouts(&self) -> Stored<Vec<Payout>>;

    /// Which of these transactions belong to no payout.
    async fn unknown_transactions(&self, transactions: Vec<String>) -> Stored<Vec<String>>;

    /// At most `limit` withdrawals of all businesses, newest first, without refunds.
    async fn newest_withdrawals(&self, limit: u32) -> Stored<Vec<Withdrawal>>;

    /// A page of the withdrawals of a business, by id, without refunds.
    async fn withdrawals(
        &self,
        business: BusinessId,
        filter: &WithdrawalFilter,
        page: &Page,
    ) -> Stored<Vec<Withdrawal>>;

    /// A withdrawal of any business that is no refund.
    async fn withdrawal(&self, id: Uuid) -> Stored<Option<Withdrawal>>;

    /// A withdrawal, or a refund of a merchant.
    async fn charged(&self, id: Uuid) -> Stored<Option<Withdrawal>>;

    /// All that wait because their network asks more than their fee, oldest first.
    async fn above_fee(&self) -> Stored<Vec<Withdrawal>>;

    /// The value in EUR of what left of a business after this time, or is signed and can leave; the maximum if that of one is unknown.
    async fn left_since(&self, business: BusinessId, since: u64) -> Stored<Decimal>;

    /// The payment that a payout refunds.
    async fn refunded_payment(&self, payout: Uuid) -> Stored<Option<PaymentId>>;
}

#[async_trait]
pub trait PayoutTx: Send {
    async fn insert_payout(&mut self, payout: &Payout) -> Stored<()>;

    /// Locks it until the end of the transaction.
    async fn payout(&mut self, id: Uuid) -> Stored<Option<Payout>>;

    /// Why a payout that waits does not leave, and since when; a later change of the payout forgets it. The caller locked the payment that
    /// it refunds.
    async fn put_why(&mut self, payout: Uuid, why: Option<Why>, now: u64) -> Stored<()>;

    /// Stores what changed of a payout since it was read, and returns it as it is stored. `None`, without a change, if it was changed
    /// meanwhile, or if another payout's transaction has the number of its own.
    async fn save_payout(&mut self, payout: Payout) -> Stored<Option<Payout>>;

    /// The other payouts of its network to which a transaction belongs: sent by it, signed as it, or sent by it according to an operator. No
    /// other question about this transaction is answered until the end of the transaction of the store.
    async fn payouts_sent_by(&mut self, transaction_id: &str, payout: Uuid) -> Stored<Vec<Uuid>>;

    /// The same without this payout.
    async fn left_since(&mut self, business: BusinessId, since: u64, payout: Uuid) -> Stored<Decimal>;

    /// A payout leaves now, and is worth this in EUR; `None`: what was known before.
    async fn put_left(&mut self, payout: Uuid, now: u64, worth: Option<Decimal>) -> Stored<()>;

    async fn withdrawal(&mut self, id: Uuid) -> Stored<Option<Withdrawal>>;

    /// The withdrawals and charged refunds of a business that are reserved and not signed, without those that may have been sent before a
    /// restore.
    async fn unsigned(&mut self, business: BusinessId) -> Stored<Vec<Withdrawal>>;

    /// The withdrawal and the request hash for a merchant's own id.
    async fn withdrawal_by_client_id(
        &mut self,
        business: BusinessId,
        client_withdrawal_id: &str,
    ) -> Stored<Option<(Withdrawal, String)>>;

    /// Adds a withdrawal with its existing payout, and the refund for which it is; returns false if the business has one with the same id.
    async fn insert_withdrawal(&mut self, withdrawal: &Withdrawal, request_hash: &str) -> Stored<bool>;

    /// Updates the variable fields of a withdrawal: its status and the owner of the address.
    async fn update_withdrawal(&mut self, withdrawal: &Withdrawal) -> Stored<()>;

    /// What the network asks for a withdrawal or a refund of a merchant while that is more than its fee.
    async fn put_asked_fee(&mut self, id: Uuid, asked: Option<Amount>) -> Stored<()>;

    /// The refund of a merchant and the request hash for the merchant's own id. No other one is added until the end of the
    /// transaction.
    async fn merchant_refund_by_client_id(
        &mut self,
        business: BusinessId,
        client_refund_id: &str,
    ) -> Stored<Option<(Withdrawal, String)>>;

    /// The recipient of a refund of the merchant, as it was written; it counts for the daily limit from now on.
    async fn put_recipient(&mut self, refund: Uuid, recipient: &str, now: u64) -> Stored<()>;

    /// Inserts an automatic refund, or replaces any.
    async fn put_refund(&mut self, payment: PaymentId, business: BusinessId, refund: &Refund) -> Stored<()>;

    /// The payment that a payout refunds.
    async fn payment_of_refund(&mut self, payout: Uuid) -> Stored<Option<PaymentId>>;

    /// The settlement terms of a payment's deposits, and what is booked of each.
    async fn booked(&mut self, payment: PaymentId) -> Stored<BTreeMap<Uuid, Booked>>;

    /// The same of several payments.
    async fn booked_of(&mut self, payments: &[PaymentId]) -> Stored<BTreeMap<Uuid, Booked>>;

    /// The same of deposits.
    async fn booked_deposits(&mut self, deposits: &[Uuid]) -> Stored<BTreeMap<Uuid, Booked>>;

    /// Inserts or replaces that of some deposits.
    async fn put_booked(&mut self, booked: &[(Uuid, Booked)]) -> Stored<()>;
}
