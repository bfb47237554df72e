//! Stored payments, with their quotes and deposits.

use std::collections::BTreeMap;

use async_trait::async_trait;
use checkout_core::{Currency, Decimal, Network};
use uuid::Uuid;

use super::Stored;
use crate::access::token::TokenHash;
use crate::chain::OutputId;
use crate::ids::{BusinessId, PaymentId};
use crate::page::Page;
use crate::payment::deposit::Deposit;
use crate::payment::deposit_filter::DepositFilter;
use crate::payment::deposit_sums::DepositSums;
use crate::payment::filter::PaymentFilter;
use crate::payment::refund::Refund;
use crate::payment::{Payment, PaymentWithDeposits, Quote};
use crate::rates::fiat::Fiat;

#[async_trait]
pub trait PaymentStore: Send + Sync {
    /// Stores a new payment and its session durably, possibly in one commit with others; returns false if the
    /// business has a payment with the same `clientPaymentId`.
    async fn add_payment(&self, new: NewPayment) -> Stored<bool>;

    async fn payment(&self, id: PaymentId) -> Stored<Option<PaymentWithDeposits>>;

    /// A page of the deposits of a payment, in the order in which they were first seen; `None` if there is no such payment.
    async fn deposits(&self, payment: PaymentId, page: &Page) -> Stored<Option<DepositPage>>;

    /// A page of the deposits of a business, by id. Those that left their chain are not among them.
    async fn listed_deposits(
        &self,
        business: BusinessId,
        filter: &DepositFilter,
        page: &Page,
    ) -> Stored<Vec<ListedDeposit>>;

    /// Whether the business has a deposit with this id.
    async fn is_deposit_of(&self, business: BusinessId, id: Uuid) -> Stored<bool>;

    /// A page of the payments of a business, by id.
    async fn payments(
        &self,
        business: BusinessId,
        filter: &PaymentFilter,
        page: &Page,
    ) -> Stored<Vec<PaymentWithDeposits>>;

    /// Whether the business has a payment with this id.
    async fn is_payment_of(&self, business: BusinessId, id: PaymentId) -> Stored<bool>;

    /// How many payments were paid in each pair, of the last paid ones of a business that were created from `since` on and
    /// before this payment, and paid until `until`.
    async fn paid_pairs(
        &self,
        business: BusinessId,
        before: PaymentId,
        since: u64,
        until: u64,
    ) -> Stored<BTreeMap<(Currency, Network), u64>>;

    /// The network fees of the last 200 deposits of a business that were first recorded from `since` on and before `until`, and are
    /// confirmed: of each pair, in the network's own coin, the newest first.
    async fn sent_fees(
        &self,
        business: BusinessId,
        since: u64,
        until: u64,
    ) -> Stored<BTreeMap<(Currency, Network), Vec<Decimal>>>;

    /// A page of the open payments whose window is over at `now`, by end of window and id, after `after`.
    async fn overdue(&self, now: u64, after: Option<(u64, PaymentId)>) -> Stored<Vec<(u64, PaymentId)>>;
}

#[async_trait]
pub trait PaymentTx: Send {
    /// The payment and the request hash for a merchant's own id.
    async fn payment_by_client_id(
        &mut self,
        business: BusinessId,
        id: &str,
    ) -> Stored<Option<(PaymentId, String)>>;

    /// Adds a payment; returns false if the business has one with the same `clientPaymentId`.
    async fn insert_payment(&mut self, payment: &Payment, request_hash: &str) -> Stored<bool>;

    async fn payment(&mut self, id: PaymentId) -> Stored<Option<PaymentWithDeposits>>;

    /// A payment that is to get a quote, and how many it has. A FLOATING one without deposits comes with its last quote alone: no
    /// earlier one is shown again.
    async fn payment_to_quote(&mut self, id: PaymentId) -> Stored<Option<(PaymentWithDeposits, usize)>>;

    /// These payments, without order.
    async fn payments(&mut self, ids: &[PaymentId]) -> Stored<Vec<PaymentWithDeposits>>;

    /// The same, each only with its deposits among these outputs of one network, and with others of their transactions.
    async fn payments_with(
        &mut self,
        ids: &[PaymentId],
        outputs: &[&OutputId],
    ) -> Stored<Vec<PaymentWithDeposits>>;

    /// Locks the business. The value in EUR of its stored instant deposits that are not confirmed, on these networks.
    async fn waiting_instant(&mut self, business: BusinessId, networks: &[Network]) -> Stored<Decimal>;

    /// The stored sums of these payments. A change of a deposit removes those of its payment.
    async fn deposit_sums(&mut self, payments: &[PaymentId]) -> Stored<BTreeMap<PaymentId, DepositSums>>;

    /// Stores the sums of a payment after its deposits.
    async fn put_deposit_sums(&mut self, payment: PaymentId, sums: &DepositSums) -> Stored<()>;

    /// [`PaymentWithDeposits::version`] of a payment, which is locked until the end of the transaction.
    async fn payment_version(&mut self, id: PaymentId) -> Stored<Option<u64>>;

    /// Updates the variable fields of a payment: status, display currency, end of its window. Its quote is
    /// the last one [inserted](Self::insert_quote).
    async fn update_payment(&mut self, payment: &Payment) -> Stored<()>;

    /// Adds a quote at its position among those of the payment.
    async fn insert_quote(&mut self, payment: PaymentId, place: usize, quote: &Quote) -> Stored<()>;

    async fn insert_deposit(
        &mut self,
        payment: PaymentId,
        business: BusinessId,
        deposit: &Deposit,
    ) -> Stored<()> {
        self.insert_deposits(payment, business, std::slice::from_ref(deposit)).await
    }

    async fn insert_deposits(
        &mut self,
        payment: PaymentId,
        business: BusinessId,
        deposits: &[Deposit],
    ) -> Stored<()>;

    /// Updates the variable fields of a deposit: its state and its screening.
    async fn update_deposit(&mut self, deposit: &Deposit) -> Stored<()>;
}

/// A deposit with its payment.
#[derive(Clone, Debug)]
pub struct ListedDeposit {
    pub deposit: Deposit,
    pub refund: Option<Refund>,
    pub payment: PaymentId,
    pub client_payment_id: String,
    /// The payment's display currency.
    pub fiat: Fiat,
}

/// Some deposits of a payment.
#[derive(Clone, Debug)]
pub struct DepositPage {
    /// The payment's display currency.
    pub fiat: Fiat,
    /// The cursors that are no deposits of the payment.
    pub unknown: Vec<Uuid>,
    /// On a chain or pending, each with its refund.
    pub deposits: Vec<(Deposit, Option<Refund>)>,
}

/// A payment that has not been returned to a client yet.
#[derive(Clone, Debug)]
pub struct NewPayment {
    pub payment: Payment,
    /// Hash of the request that created it.
    pub request_hash: String,
    pub session: TokenHash,
}

impl NewPayment {
    /// The unique keys of a store.
    pub fn key(&self) -> (BusinessId, &str) {
        (self.payment.business, &self.payment.client_payment_id)
    }
}
