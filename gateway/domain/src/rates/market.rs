//! Rates of the market, and rates that a payer was shown. Prices are paid at shown rates; what is credited is converted at the market's.

use checkout_core::Decimal;

/// What a payer was shown, per whole coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownRates {
    /// In the display currency.
    pub display: Decimal,
    /// In EUR.
    pub uniform: Decimal,
}

/// What the market pays now, per whole coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarketRates {
    /// In the display currency.
    pub display: Decimal,
    pub uniform: MarketRate,
}

impl MarketRates {
    /// What a payer is shown now.
    pub fn shown(self) -> ShownRates {
        ShownRates { display: self.display, uniform: self.uniform.eur() }
    }
}

/// EUR per whole coin on the market.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarketRate(Decimal);

impl MarketRate {
    pub const UNKNOWN: Self = Self(Decimal::ZERO);

    pub const fn new(eur: Decimal) -> Self {
        Self(eur)
    }

    pub fn is_known(self) -> bool {
        !self.0.is_zero()
    }

    /// Zero if it is unknown.
    pub const fn eur(self) -> Decimal {
        self.0
    }
}
