//! Refunds in lists: those of a business, and those that wait for the operator.

use async_trait::async_trait;
use checkout_core::{Amount, Pair};
use checkout_wire::payment::RefundWait;
use uuid::Uuid;

use super::Stored;
use crate::ids::{BusinessId, PaymentId};
use crate::page::Page;
use crate::payment::deposit::Deposit;
use crate::payment::refund::Refund;
use crate::payment::refund_filter::RefundFilter;
use crate::payment::refund_said::Given;
use crate::rates::fiat::Fiat;
use crate::withdrawal::may_leave::Why;

#[derive(Clone, Debug)]
pub struct WaitingRefund {
    pub deposit: Uuid,
    pub payment: PaymentId,
    pub client_payment_id: String,
    pub business: BusinessId,
    pub pair: &'static Pair,
    /// Owed to the payer, including the fee.
    pub gross: Amount,
    pub fee: Amount,
    /// Empty if the sender is unknown.
    pub from: String,
    /// The transaction of the deposit.
    pub transaction: String,
    /// What it waits for, and why.
    pub wait: (RefundWait, &'static str),
    /// Where the payer wants it.
    pub claim: Option<Given>,
}

/// A refund with what it says of its payment.
#[derive(Clone, Debug)]
pub struct FoundRefund {
    pub business: BusinessId,
    pub payment: PaymentId,
    pub client_payment_id: String,
    /// The display currency of the payment.
    pub fiat: Fiat,
    pub refund: Refund,
    /// Why its payout does not leave.
    pub why: Option<Why>,
    /// Of an automatic one.
    pub deposit: Option<Deposit>,
}

#[async_trait]
pub trait RefundStore: Send + Sync {
    /// A page of the refunds of a business, automatic ones and the merchant's, by id.
    async fn refunds(
        &self,
        business: BusinessId,
        filter: &RefundFilter,
        page: &Page,
    ) -> Stored<Vec<FoundRefund>>;

    /// A refund of any business.
    async fn refund(&self, id: Uuid) -> Stored<Option<FoundRefund>>;

    /// At most `limit` refunds that wait, newest deposit first.
    async fn waiting_refunds(&self, business: Option<BusinessId>, limit: u32) -> Stored<Vec<WaitingRefund>>;

    async fn count_waiting_refunds(&self) -> Stored<u64>;
}
