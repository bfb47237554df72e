//! Exchange rates from a fixed table. The sandbox can override them.

use checkout_core::{Decimal, decimal};
use checkout_domain::ports::NoRate;
use checkout_domain::ports::Rates;
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::precision;
use parking_lot::RwLock;

/// Fiat per EUR.
const PER_EUR: [(&str, &str); 15] = [
    ("EUR", "1"),
    ("USD", "1.08"),
    ("GBP", "0.85"),
    ("CHF", "0.95"),
    ("TRY", "35"),
    ("RUB", "98"),
    ("JPY", "160"),
    ("PLN", "4.3"),
    ("CZK", "25"),
    ("SEK", "11.4"),
    ("NOK", "11.6"),
    ("DKK", "7.46"),
    ("CAD", "1.48"),
    ("AUD", "1.65"),
    ("BRL", "5.9"),
];

#[derive(Debug, Default)]
pub struct FixedRates {
    set: RwLock<Overrides>,
}

#[derive(Debug, Default)]
struct Overrides {
    rates: Vec<(Asset, Asset, Decimal)>,
    /// How often one was set here.
    changes: u64,
}

impl Overrides {
    fn put(&mut self, from: Asset, to: Asset, rate: Decimal) {
        self.rates.retain(|(f, t, _)| (*f, *t) != (from, to));
        self.rates.push((from, to, rate));
    }
}

impl FixedRates {
    /// Overrides the rate of one pair; other pairs do not change.
    pub fn set(&self, from: Asset, to: Asset, rate: Decimal) {
        let mut set = self.set.write();
        set.changes += 1;
        set.put(from, to, rate);
    }

    /// To be asked before the store is read for [`restore`](Self::restore).
    pub fn changes(&self) -> u64 {
        self.set.read().changes
    }

    /// Takes what the store said, unless a rate was set since: the store may have been read before it.
    pub fn restore(&self, stored: Vec<(Asset, Asset, Decimal)>, changes: u64) {
        let mut set = self.set.write();
        if set.changes != changes {
            return;
        }
        for (from, to, rate) in stored {
            set.put(from, to, rate);
        }
    }
}

impl Rates for FixedRates {
    fn rate(&self, from: Asset, to: Asset) -> Result<Decimal, NoRate> {
        let set = self.set.read();
        if let Some((_, _, rate)) = set.rates.iter().find(|(f, t, _)| (*f, *t) == (from, to)) {
            return Ok(*rate);
        }
        table(from, to).ok_or(NoRate)
    }
}

fn table(from: Asset, to: Asset) -> Option<Decimal> {
    if from == to {
        return Some(Decimal::ONE);
    }
    let rate = match (from, to) {
        (Asset::Crypto(_), Asset::Fiat(fiat)) => eur_value(from)?.checked_mul(per_eur(fiat.code())?)?,
        _ => eur_value(from)?.checked_div(eur_value(to)?)?,
    };
    let rate = precision::round(rate);
    (!rate.is_zero()).then_some(rate)
}

/// The value of one unit in EUR.
fn eur_value(asset: Asset) -> Option<Decimal> {
    match asset {
        Asset::Crypto(currency) => read(currency.spec().sandbox_eur),
        Asset::Fiat(fiat) => Decimal::ONE.checked_div(per_eur(fiat.code())?),
        Asset::Gas(coin) => read(coin.sandbox_eur),
    }
}

fn per_eur(code: &str) -> Option<Decimal> {
    PER_EUR.iter().find(|(known, _)| *known == code).and_then(|(_, text)| read(text))
}

fn read(text: &str) -> Option<Decimal> {
    decimal::parse(text, 8).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkout_core::currency::CURRENCIES;
    use checkout_domain::rates::fiat::Fiat;

    /// The rate comes back from the store a moment after it was set, but was read before.
    #[test]
    fn an_old_rate_is_not_put_back() {
        let (btc, eur) = (Asset::known("BTC").unwrap(), Asset::known("EUR").unwrap());
        let rates = FixedRates::default();
        let stored = |rate| vec![(btc, eur, Decimal::from(rate))];
        let before = rates.changes();
        rates.set(btc, eur, Decimal::from(70_000));
        rates.restore(stored(60_000), before);
        assert_eq!(rates.rate(btc, eur), Ok(Decimal::from(70_000)));
        rates.restore(stored(80_000), rates.changes());
        assert_eq!(rates.rate(btc, eur), Ok(Decimal::from(80_000)), "another gateway set it");
    }

    #[test]
    fn every_pair_has_a_rate() {
        let rates = FixedRates::default();
        let fiats = Fiat::all().map(Asset::Fiat);
        let all: Vec<Asset> = CURRENCIES.iter().map(|row| Asset::Crypto(row.currency)).chain(fiats).collect();
        for from in &all {
            for to in &all {
                let rate = rates.rate(*from, *to).unwrap();
                assert!(
                    rate >= Decimal::ONE || rate.round_sf(7) != Some(Decimal::ZERO),
                    "{from:?} {to:?} {rate}"
                );
            }
        }
    }

    #[test]
    fn rates() {
        let rates = FixedRates::default();
        let asset = |code| Asset::known(code).unwrap();
        let check = |from, to, expected: &str| {
            assert_eq!(rates.rate(asset(from), asset(to)).unwrap().to_string(), expected, "{from} {to}");
        };
        check("BTC", "EUR", "60000");
        check("BTC", "USD", "64800");
        check("XLM", "JPY", "16");
        check("ETH", "BTC", "0.05");
        check("USD", "EUR", "0.92592593");
        check("JPY", "BTC", "0.00000010416667");
        check("EUR", "USD", "1.08");
        check("EUR", "EUR", "1");
        rates.set(asset("BTC"), asset("EUR"), Decimal::from(50_000));
        check("BTC", "EUR", "50000");
        check("BTC", "USD", "64800");
    }
}
