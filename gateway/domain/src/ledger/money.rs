//! Ledger amounts: signed integers of one asset's units.

use std::fmt;

use checkout_core::money::mul_div;
use checkout_core::{Amount, AmountError, Decimal, Pair, pair};

use crate::rates::asset::Asset;

pub use checkout_core::money::Round;

/// A signed number of units of an asset: the smallest unit on any of its networks, or the minor unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Money {
    pub asset: Asset,
    pub units: i128,
}

/// The maximum of one movement: 10¹⁵ coins of 18 decimals. Sums stay far below 128 bits.
const MOST: i128 = 10_i128.pow(33);

/// Decimal places of the ledger's unit. USDT has 6 on ETH and 18 on BSC; in the ledger it has 18.
pub fn decimals(asset: Asset) -> u8 {
    match asset {
        Asset::Fiat(fiat) => fiat.decimals(),
        Asset::Crypto(currency) => {
            let pairs = pair::EVERY_PAIR.iter().filter(|pair| pair.currency == currency);
            pairs.map(|pair| pair.decimals).max().unwrap_or(18)
        }
        Asset::Gas(_) => 18,
    }
}

impl Money {
    pub const fn zero(asset: Asset) -> Self {
        Self { asset, units: 0 }
    }

    /// Converts on-chain money exactly; `None` beyond [`MOST`].
    pub fn of_amount(amount: Amount, pair: &Pair) -> Option<Self> {
        let asset = Asset::Crypto(pair.currency);
        let power = 10_u128.pow(u32::from(decimals(asset) - pair.decimals));
        let units = i128::try_from(amount.atoms().checked_mul(power)?).ok()?;
        (units <= MOST).then_some(Self { asset, units })
    }

    /// Converts a fiat amount, rounded down to the minor unit.
    pub fn of_fiat(asset: Asset, amount: Decimal) -> Option<Self> {
        let mut amount = amount.trunc_with_scale(u32::from(decimals(asset)));
        amount.rescale(u32::from(decimals(asset)));
        (amount.scale() == u32::from(decimals(asset))).then(|| Self { asset, units: amount.mantissa() })
    }

    /// Converts whole coins, rounded down to the unit.
    pub fn of_decimal(asset: Asset, amount: Decimal) -> Option<Self> {
        Self::of_fiat(asset, amount)
    }

    /// The amount representable on a network, rounded down. Zero for negative money.
    pub fn to_amount(self, pair: &Pair) -> Result<Amount, AmountError> {
        let power = 10_u128.pow(u32::from(decimals(self.asset) - pair.decimals));
        Amount::from_atoms(u128::try_from(self.units).unwrap_or(0) / power)
    }

    /// Multiplies by `ratio`, which must not be negative; `None` beyond the ledger's range.
    pub fn share(self, ratio: Decimal, round: Round) -> Option<Self> {
        let numerator = u128::try_from(ratio.mantissa()).ok()?;
        let units = u128::try_from(self.units).ok()?;
        let units = mul_div(units, numerator, 10_u128.pow(ratio.scale()), round)?;
        Some(Self { units: i128::try_from(units).ok()?, ..self })
    }

    /// Converts to `asset`, where a whole coin of this has the value `price` and one of `asset` the value
    /// `other`, both in the same third currency. `None` without a price, and beyond the ledger's range.
    pub fn convert(self, asset: Asset, price: Decimal, other: Decimal, round: Round) -> Option<Self> {
        if asset == self.asset {
            return Some(self);
        }
        let units = u128::try_from(self.units).ok()?;
        let (price, other) = (price.normalize(), other.normalize());
        let mut numerator = u128::try_from(price.mantissa()).ok()?;
        let mut denominator = u128::try_from(other.mantissa()).ok().filter(|price| *price > 0)?;
        let up = u32::from(decimals(asset)) + other.scale();
        let down = u32::from(decimals(self.asset)) + price.scale();
        let power = 10_u128.checked_pow(up.abs_diff(down))?;
        let side = if up > down { &mut numerator } else { &mut denominator };
        *side = side.checked_mul(power)?;
        let units = mul_div(units, numerator, denominator, round)?;
        Some(Self { asset, units: i128::try_from(units).ok()? })
    }

    /// The same number of whole coins; the maximum if it needs more than 28 digits.
    pub fn to_decimal(self) -> Decimal {
        Decimal::try_from_i128_with_scale(self.units, u32::from(decimals(self.asset))).unwrap_or(Decimal::MAX)
    }

    #[must_use]
    pub fn negated(self) -> Self {
        Self { units: -self.units, ..self }
    }

    /// The difference of two amounts of one asset.
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        debug_assert_eq!(self.asset, other.asset);
        Self { units: self.units - other.units, ..self }
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        debug_assert_eq!(self.asset, other.asset);
        Self { units: self.units + other.units, ..self }
    }
}

impl fmt::Display for Money {
    /// Crypto in the shortest form, fiat with all places of its minor unit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.units < 0 {
            f.write_str("-")?;
        }
        let places = decimals(self.asset);
        let power = 10_u128.pow(u32::from(places));
        let (whole, rest) = (self.units.unsigned_abs() / power, self.units.unsigned_abs() % power);
        match self.asset {
            Asset::Fiat(_) if places > 0 => {
                write!(f, "{whole}.{rest:0places$}", places = usize::from(places))
            }
            Asset::Crypto(_) if rest > 0 => {
                let rest = format!("{rest:0places$}", places = usize::from(places));
                write!(f, "{whole}.{}", rest.trim_end_matches('0'))
            }
            _ => write!(f, "{whole}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rates::fiat::Fiat;
    use checkout_core::{Currency, Network, decimal};

    const BTC: Asset = Asset::Crypto(Currency::Btc);
    const USDT: Asset = Asset::Crypto(Currency::Usdt);
    const EUR: Asset = Asset::Fiat(Fiat::EUR);

    fn d(text: &str) -> Decimal {
        decimal::parse(text, 28).unwrap()
    }

    #[test]
    fn every_network_of_a_currency_has_the_same_unit() {
        let check = |currency, network, text: &str, expected: i128| {
            let pair = pair::find(currency, network).unwrap();
            let money = Money::of_amount(Amount::parse(text, pair.decimals).unwrap(), pair).unwrap();
            assert_eq!(money.units, expected);
            assert_eq!(money.to_amount(pair).unwrap().to_text(pair.decimals), text);
            assert_eq!(money.to_string(), text);
        };
        check(Currency::Btc, Network::Btc, "0.5", 50_000_000);
        check(Currency::Usdt, Network::Trx, "1.5", 1_500_000_000_000_000_000);
        check(Currency::Usdt, Network::Bsc, "1.5", 1_500_000_000_000_000_000);
        check(Currency::Xlm, Network::Xlm, "12", 120_000_000);
    }

    #[test]
    fn conversions_round_down() {
        let check = |units, from, to, price, other, down: &str, up: &str| {
            let money = Money { asset: from, units };
            let text = |round| money.convert(to, d(price), d(other), round).unwrap().to_string();
            assert_eq!((text(Round::Down).as_str(), text(Round::Up).as_str()), (down, up));
        };
        check(166_667, BTC, EUR, "60000", "1", "100.00", "100.01");
        check(10_000, EUR, BTC, "1", "60000", "0.00166666", "0.00166667");
        check(50_000_000, BTC, USDT, "60000", "0.92", "32608.695652173913043478", "32608.695652173913043479");
        check(7, BTC, BTC, "0", "0", "0.00000007", "0.00000007");
        let none = Money { asset: BTC, units: 1 }.convert(EUR, d("60000"), d("0"), Round::Down);
        assert_eq!(none, None, "no price");
    }

    #[test]
    fn shares() {
        let check = |units, ratio, down, up| {
            let money = Money { asset: EUR, units };
            let share = |round| money.share(d(ratio), round).unwrap().units;
            assert_eq!((share(Round::Down), share(Round::Up)), (down, up), "{units} × {ratio}");
        };
        check(10_000, "0.005", 50, 50);
        check(10_001, "0.005", 50, 51);
        check(1, "0", 0, 0);
        check(7, "1", 7, 7);
    }
}
