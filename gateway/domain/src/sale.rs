//! Sale links: what a business sells by a link, and what is left of it.

pub mod counter;
pub mod slug;

use checkout_core::Decimal;
use uuid::Uuid;

use self::slug::Slug;
use crate::ids::BusinessId;
use crate::rates::fiat::Fiat;

/// The most pieces that a link sells.
pub const MAX_STOCK: u32 = 1_000_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaleLink {
    pub id: Uuid,
    pub business: BusinessId,
    pub client_link_id: String,
    pub slug: Slug,
    /// What is sold, as the payer reads it.
    pub title: String,
    pub price: SalePrice,
    pub supply: Supply,
    /// The UNIX second from which it sells nothing.
    pub ends_at: Option<u64>,
    /// Where the payer returns to.
    pub redirect_url: Option<String>,
    pub created_at: u64,
    pub withdrawn_at: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SalePrice {
    Fixed {
        fiat: Fiat,
        amount: Decimal,
    },
    /// The payer types the amount, within these bounds.
    Open {
        fiat: Fiat,
        min: Decimal,
        max: Decimal,
    },
}

/// How often a link sells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// `ONE_TIME`: its first paid sale is its last one.
    Once,
    /// `REUSABLE` with a stock.
    Stock(u32),
    /// `REUSABLE` without one.
    Unlimited,
}

/// The sales of a link that count for its supply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    pub paid: u32,
    /// Not paid, and neither expired nor cancelled.
    pub open: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkState {
    Open,
    /// Every piece is paid, or somebody is paying for it.
    SoldOut {
        /// Pieces that are free again if they are not paid.
        open: u32,
    },
    Ended {
        at: u64,
    },
    Withdrawn {
        at: u64,
    },
}

/// Why an amount is not one of the price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotThePrice {
    BelowMin,
    AboveMax,
    /// The price is fixed, and another one.
    Fixed,
}

impl SaleLink {
    /// Follows from what is stored; what a person decided counts before what time and payers did.
    pub fn state(&self, taken: Taken, now: u64) -> LinkState {
        if let Some(at) = self.withdrawn_at {
            return LinkState::Withdrawn { at };
        }
        if let Some(at) = self.ends_at.filter(|at| *at <= now) {
            return LinkState::Ended { at };
        }
        let is_taken = |most| taken.paid.saturating_add(taken.open) >= most;
        if self.supply.most().is_some_and(is_taken) {
            return LinkState::SoldOut { open: taken.open };
        }
        LinkState::Open
    }
}

impl SalePrice {
    pub fn fiat(self) -> Fiat {
        match self {
            Self::Fixed { fiat, .. } | Self::Open { fiat, .. } => fiat,
        }
    }

    /// What is paid if the payer typed this; `None`: nothing was typed.
    pub fn of(self, typed: Option<Decimal>) -> Result<Decimal, NotThePrice> {
        match (self, typed) {
            (Self::Fixed { amount, .. }, None) => Ok(amount),
            (Self::Fixed { amount, .. }, Some(typed)) if typed == amount => Ok(amount),
            (Self::Fixed { .. }, Some(_)) => Err(NotThePrice::Fixed),
            (Self::Open { max, .. }, Some(typed)) if typed > max => Err(NotThePrice::AboveMax),
            (Self::Open { min, .. }, Some(typed)) if typed >= min => Ok(typed),
            (Self::Open { .. }, _) => Err(NotThePrice::BelowMin),
        }
    }
}

impl Supply {
    /// `None`: no limit.
    pub fn most(self) -> Option<u32> {
        match self {
            Self::Once => Some(1),
            Self::Stock(pieces) => Some(pieces),
            Self::Unlimited => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_000;

    fn link(supply: Supply, ends_at: Option<u64>, withdrawn_at: Option<u64>) -> SaleLink {
        SaleLink {
            id: Uuid::nil(),
            business: BusinessId(Uuid::nil()),
            client_link_id: "l-1".to_owned(),
            slug: "tea".parse().unwrap(),
            title: "Tea".to_owned(),
            price: SalePrice::Fixed { fiat: Fiat::EUR, amount: Decimal::TEN },
            supply,
            ends_at,
            redirect_url: None,
            created_at: 1,
            withdrawn_at,
        }
    }

    #[test]
    fn the_state_follows_from_the_facts() {
        use LinkState::{Ended, Open, SoldOut, Withdrawn};
        use Supply::{Once, Stock, Unlimited};
        let check = |supply, (paid, open), ends_at, withdrawn_at, expected| {
            let taken = Taken { paid, open };
            let found = link(supply, ends_at, withdrawn_at).state(taken, NOW);
            assert_eq!(found, expected, "{supply:?} {taken:?} {ends_at:?} {withdrawn_at:?}");
        };
        //    supply     paid, open  ends        withdrawn  state
        check(Unlimited, (0, 0), None, None, Open);
        check(Unlimited, (9, 9), None, None, Open);
        check(Unlimited, (0, 0), Some(NOW + 1), None, Open);
        check(Unlimited, (0, 0), Some(NOW), None, Ended { at: NOW });
        check(Unlimited, (0, 0), None, Some(7), Withdrawn { at: 7 });
        check(Unlimited, (0, 0), Some(8), Some(7), Withdrawn { at: 7 });
        check(Once, (0, 0), None, None, Open);
        check(Once, (0, 1), None, None, SoldOut { open: 1 });
        check(Once, (1, 0), None, None, SoldOut { open: 0 });
        check(Stock(2), (1, 0), None, None, Open);
        check(Stock(2), (1, 1), None, None, SoldOut { open: 1 });
        check(Stock(2), (2, 0), None, None, SoldOut { open: 0 });
        // Late deposits can pay more than the stock.
        check(Stock(2), (3, 0), None, None, SoldOut { open: 0 });
        check(Stock(2), (2, 0), Some(NOW), None, Ended { at: NOW });
        check(Stock(2), (2, 0), None, Some(7), Withdrawn { at: 7 });
    }

    #[test]
    fn a_price_takes_what_is_within_its_bounds() {
        let amount = |cents: i64| Decimal::new(cents, 2);
        let fixed = SalePrice::Fixed { fiat: Fiat::EUR, amount: amount(500) };
        let open = SalePrice::Open { fiat: Fiat::EUR, min: amount(100), max: amount(10_000) };
        for (price, typed, expected) in [
            (fixed, None, Ok(500)),
            (fixed, Some(500), Ok(500)),
            (fixed, Some(499), Err(NotThePrice::Fixed)),
            (open, None, Err(NotThePrice::BelowMin)),
            (open, Some(0), Err(NotThePrice::BelowMin)),
            (open, Some(99), Err(NotThePrice::BelowMin)),
            (open, Some(100), Ok(100)),
            (open, Some(10_000), Ok(10_000)),
            (open, Some(10_001), Err(NotThePrice::AboveMax)),
        ] {
            assert_eq!(price.of(typed.map(amount)), expected.map(amount), "{price:?} {typed:?}");
        }
    }
}
