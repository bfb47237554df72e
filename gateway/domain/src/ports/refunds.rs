//! Refunds that wait, for the operator.

use async_trait::async_trait;
use checkout_core::{Amount, Pair};
use uuid::Uuid;

use super::Stored;
use crate::payment::refund::Wait;

#[derive(Clone, Debug)]
pub struct WaitingRefund {
    pub deposit: Uuid,
    pub payment: Uuid,
    pub client_payment_id: String,
    pub business: Uuid,
    pub pair: &'static Pair,
    /// Owed to the payer, including the fee.
    pub gross: Amount,
    pub fee: Amount,
    /// Empty if the sender is unknown.
    pub from: String,
    /// The transaction of the deposit.
    pub transaction: String,
    pub wait: Wait,
}

#[async_trait]
pub trait RefundStore: Send + Sync {
    /// At most `limit` refunds that wait, newest deposit first.
    async fn waiting_refunds(&self, business: Option<Uuid>, limit: u32) -> Stored<Vec<WaitingRefund>>;

    async fn count_waiting_refunds(&self) -> Stored<u64>;
}
