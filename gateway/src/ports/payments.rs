//! Payments in the store, with their quotes and deposits.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::domain::access::token::TokenHash;
use crate::domain::payment::deposit::Deposit;
use crate::domain::payment::{Payment, PaymentWithDeposits, Quote};

#[async_trait]
pub trait PaymentStore: Send + Sync {
    /// Stores a new payment and its session for good, perhaps in one commit with those of others; false when the business
    /// has a payment under the same `clientPaymentId`.
    async fn add_payment(&self, new: NewPayment) -> Stored<bool>;

    async fn payment(&self, id: Uuid) -> Stored<Option<PaymentWithDeposits>>;

    /// Open payments whose window is over at `now`, a page at a time: by end of window and id, after `after`.
    async fn overdue(&self, now: u64, after: Option<(u64, Uuid)>) -> Stored<Vec<(u64, Uuid)>>;
}

#[async_trait]
pub trait PaymentTx: Send {
    /// The payment and the request hash under a merchant's own id.
    async fn payment_by_client_id(&mut self, business: Uuid, id: &str) -> Stored<Option<(Uuid, String)>>;

    /// Adds a payment; false when the business has one under the same `clientPaymentId`.
    async fn insert_payment(&mut self, payment: &Payment, request_hash: &str) -> Stored<bool>;

    async fn payment(&mut self, id: Uuid) -> Stored<Option<PaymentWithDeposits>>;

    /// Writes what can change of a payment: status, display currency, the end of its window. Its quote is the last one
    /// [inserted](Self::insert_quote).
    async fn update_payment(&mut self, payment: &Payment) -> Stored<()>;

    /// Adds a quote at its place among those of a payment.
    async fn insert_quote(&mut self, payment: Uuid, place: usize, quote: &Quote) -> Stored<()>;

    async fn insert_deposit(&mut self, payment: Uuid, deposit: &Deposit) -> Stored<()>;

    /// Writes what can change of a deposit: its state, and what the screening came to.
    async fn update_deposit(&mut self, deposit: &Deposit) -> Stored<()>;
}

/// A payment that nobody was told of yet.
#[derive(Clone, Debug)]
pub struct NewPayment {
    pub payment: Payment,
    /// Of the request that asked for it.
    pub request_hash: String,
    pub session: TokenHash,
}

impl NewPayment {
    /// What is unique in a store.
    pub fn key(&self) -> (Uuid, &str) {
        (self.payment.business, &self.payment.client_payment_id)
    }
}
