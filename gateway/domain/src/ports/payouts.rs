//! Stored refunds, withdrawals and their transactions.

use std::collections::BTreeMap;

use async_trait::async_trait;
use checkout_core::{Amount, Network};
use uuid::Uuid;

use super::Stored;
use crate::chain::payout::{Payout, Progress, Signed};
use crate::ids::{BusinessId, PaymentId};
use crate::ledger::settlement::Booked;
use crate::page::Page;
use crate::payment::refund::{Decision, Given, Refund};
use crate::withdrawal::Withdrawal;
use crate::withdrawal::filter::WithdrawalFilter;

#[async_trait]
pub trait PayoutStore: Send + Sync {
    /// A page of the unfinished payouts, by id, after `after`.
    async fn open_payouts(&self, after: Option<Uuid>) -> Stored<Vec<Payout>>;

    /// The same of one network, and those without an address of which an operator said what sent them.
    async fn open_payouts_on(&self, network: Network, after: Option<Uuid>) -> Stored<Vec<Payout>>;

    /// A page of the waiting withdrawals without a screening result, by id, after `after`.
    async fn unscreened_withdrawals(&self, after: Option<Uuid>) -> Stored<Vec<Payout>>;

    /// Stores the screening's result for a withdrawal.
    async fn is_screened(&self, withdrawal: Uuid) -> Stored<bool>;

    /// The transactions of a signed payout; none of one that is not signed.
    async fn versions(&self, payout: Uuid) -> Stored<Versions>;

    /// The payouts that were sent and are in no block, by id.
    async fn pending_payouts(&self) -> Stored<Vec<(Payout, Versions)>>;

    /// How many of these have the highest fee that is allowed.
    async fn capped_payouts(&self) -> Stored<u64>;

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

    /// The payment that a payout refunds.
    async fn refunded_payment(&self, payout: Uuid) -> Stored<Option<PaymentId>>;
}

/// The transactions that were signed for a payout. The chain takes one of them at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versions {
    /// In the order in which they were signed.
    pub all: Vec<Signed>,
    /// Since when the newest waits for a block.
    pub pending_since: u64,
    /// Since when its fee is at the configured maximum.
    pub capped_at: Option<u64>,
}

#[async_trait]
pub trait PayoutTx: Send {
    async fn insert_payout(&mut self, payout: &Payout) -> Stored<()>;

    /// Changes a payout's state; returns false, without a change, if it is not in state `from`: another
    /// process changed it. One that waits and is held stays, because it may have been sent.
    async fn move_payout(&mut self, id: Uuid, from: Progress, to: Progress) -> Stored<bool>;

    /// Stores the signed transaction of a waiting payout; returns false if it no longer waits, if it is held, or if another
    /// payout's transaction has the same number.
    async fn store_signed(&mut self, id: Uuid, signed: &Signed, now: u64) -> Stored<bool>;

    /// Lets a signed payout wait again, because this transaction expired. Returns false if it is not signed, or if another
    /// process signed it again.
    async fn unsign_payout(&mut self, id: Uuid, expired: &Signed) -> Stored<bool>;

    /// Stores that the network has one of the transactions of a signed payout, which is shown from now on; returns false if the
    /// payout is not signed, or sent already.
    async fn send_payout(&mut self, id: Uuid, by: &Signed) -> Stored<bool>;

    /// Stores a transaction that replaces `newest`; returns false if the payout is not signed, is confirmed, or has a newer
    /// transaction.
    async fn store_replacement(
        &mut self,
        id: Uuid,
        newest: &Signed,
        replacement: &Signed,
        now: u64,
    ) -> Stored<bool>;

    /// Stores that the fee of a signed or sent payout is at its maximum; returns false if that is known.
    async fn cap_payout(&mut self, id: Uuid, now: u64) -> Stored<bool>;

    /// Stores when a sent payout was confirmed, and by which of its transactions; returns false if it was not sent, or was
    /// confirmed before.
    async fn confirm_payout(&mut self, id: Uuid, by: &Signed, now: u64) -> Stored<bool>;

    /// Reverts that, because its block left the chain. Returns false if it is not confirmed, or final.
    async fn mark_unconfirmed(&mut self, id: Uuid, now: u64) -> Stored<bool>;

    async fn withdrawal(&mut self, id: Uuid) -> Stored<Option<Withdrawal>>;

    /// The withdrawal and the request hash for a merchant's own id.
    async fn withdrawal_by_client_id(
        &mut self,
        business: BusinessId,
        client_withdrawal_id: &str,
    ) -> Stored<Option<(Withdrawal, String)>>;

    /// Adds a withdrawal with its existing payout; returns false if the business has one with the same id.
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

    /// Gives an unaddressed payout its address, and its withdrawal the recipient as it was written: then it waits to be signed, and
    /// counts for the daily limit. Returns false if it has one.
    async fn address_payout(&mut self, id: Uuid, recipient: &str, to: &Given, now: u64) -> Stored<bool>;

    /// Changes the amount of a waiting payout; returns false if it does not wait.
    async fn set_payout_amount(&mut self, id: Uuid, amount: Amount) -> Stored<bool>;

    /// Stores or removes the decision about a deposit's refund.
    async fn put_decision(&mut self, deposit: Uuid, decision: Option<&Decision>) -> Stored<()>;

    /// Inserts or replaces an automatic refund.
    async fn put_refund(&mut self, payment: PaymentId, business: BusinessId, refund: &Refund) -> Stored<()>;

    async fn delete_refund(&mut self, deposit: Uuid) -> Stored<()>;

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
