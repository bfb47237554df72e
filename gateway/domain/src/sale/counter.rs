//! Counters: where somebody types an amount and the buyer, who stands there, pays it.

use checkout_core::Decimal;
use uuid::Uuid;

use super::SalePrice;
use crate::access::token::TokenHash;
use crate::ids::BusinessId;
use crate::rates::fiat::Fiat;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    pub id: Uuid,
    pub business: BusinessId,
    /// What its business calls it.
    pub title: String,
    pub fiat: Fiat,
    /// The most that one sale asks for.
    pub max: Decimal,
    /// Of the secret in its link.
    pub secret: TokenHash,
    pub created_at: u64,
    /// Since then its link is worth nothing.
    pub withdrawn_at: Option<u64>,
}

impl Counter {
    /// Every amount that can be paid with coins of the currency, up to the most.
    pub fn price(&self) -> SalePrice {
        let min = Decimal::new(1, u32::from(self.fiat.decimals()));
        SalePrice::Open { fiat: self.fiat, min, max: self.max }
    }
}
