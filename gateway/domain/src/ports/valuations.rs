//! Deposits without a rate.

use async_trait::async_trait;
use checkout_core::Currency;
use uuid::Uuid;

use super::Stored;
use crate::ids::PaymentId;
use crate::payment::deposit::Deposit;
use crate::rates::fiat::Fiat;
use crate::rates::market::MarketRates;

/// A deposit that is being valued.
#[derive(Clone, Copy, Debug)]
pub struct BeingValued {
    pub deposit: Uuid,
    pub payment: PaymentId,
    pub currency: Currency,
    /// The display currency of the payment.
    pub fiat: Fiat,
    /// The rates that an operator gave.
    pub given: Option<MarketRates>,
}

#[async_trait]
pub trait ValuationStore: Send + Sync {
    /// A page of those on a chain or pending, by id, after `after`.
    async fn being_valued(&self, after: Option<Uuid>) -> Stored<Vec<BeingValued>>;
}

#[async_trait]
pub trait ValuationTx: Send {
    /// Stores the rates and values of a deposit.
    async fn value_deposit(&mut self, deposit: &Deposit) -> Stored<()>;

    /// Stores the rates that an operator gives, in place of earlier ones.
    async fn give_rates(&mut self, deposit: Uuid, rates: MarketRates, now: u64) -> Stored<()>;
}
