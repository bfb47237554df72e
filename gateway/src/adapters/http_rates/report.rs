//! What each feed answers, for the operator.

use std::time::Instant;

use checkout_core::Decimal;
use checkout_core::currency::EVERY_CURRENCY;
use checkout_domain::ports::Rates as _;
use checkout_domain::rates::agreement::{self, Agreement, Doubts, EuroPrice};
use checkout_domain::rates::asset::{Asset, gas_coins};
use checkout_domain::rates::fiat::Fiat;

use super::{EUR, HttpRates, in_euros};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatesReport {
    pub feeds: Vec<FeedReport>,
    /// Every currency of prices but the euro, every cryptocurrency, every coin that pays fees.
    pub assets: Vec<AssetReport>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedReport {
    pub name: &'static str,
    /// The server, without the path.
    pub server: String,
    /// Why there is no answer, and what to do.
    pub problem: Option<String>,
    /// Assets with a price.
    pub prices: usize,
    pub outliers: Vec<Outlier>,
    /// Assets without a price.
    pub missing: Vec<&'static str>,
    /// What is wrong with prices that are left out.
    pub odd: Vec<String>,
}

/// A price that others contradict, in euros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlier {
    pub code: &'static str,
    pub price: Decimal,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetReport {
    pub code: &'static str,
    /// The price in euros that would be quoted.
    pub price: Option<Decimal>,
    /// The feeds that have a price.
    pub feeds: Vec<&'static str>,
}

/// What a gateway can need the price of.
fn needed() -> impl Iterator<Item = Asset> {
    let fiats = Fiat::all().map(Asset::Fiat).filter(|fiat| *fiat != EUR);
    let currencies = EVERY_CURRENCY.iter().map(|row| Asset::Crypto(row.currency));
    currencies.chain(gas_coins().map(Asset::Gas)).chain(fiats)
}

fn price(prices: &[EuroPrice], asset: Asset) -> Option<Decimal> {
    prices.iter().find(|(known, _)| *known == asset).map(|(_, price)| *price)
}

impl HttpRates {
    /// Asks every feed once.
    pub async fn check(&self) -> RatesReport {
        // Failures are in the report.
        let _ = self.fetch().await;
        let (heard, problems) = {
            let mut known = self.known.write();
            let heard = self.heard(&mut known.held, Instant::now());
            (heard, known.held.iter().map(|held| held.problem.clone()).collect::<Vec<_>>())
        };
        let prices = in_euros(&heard);
        let Agreement { doubts, .. } = agreement::agree(&prices, &Doubts::default());
        let report = |at: usize| FeedReport {
            name: self.sources[at].name,
            server: self.sources[at].fetcher.server(),
            problem: problems[at].clone(),
            prices: prices[at].len(),
            outliers: prices[at]
                .iter()
                .filter(|(asset, _)| doubts.prices.contains(&(at, *asset)))
                .map(|(asset, price)| Outlier { code: asset.code(), price: *price })
                .collect(),
            missing: needed().filter(|asset| price(&prices[at], *asset).is_none()).map(Asset::code).collect(),
            odd: heard[at].as_ref().map(|heard| heard.answer.odd.clone()).unwrap_or_default(),
        };
        let asset = |asset: Asset| AssetReport {
            code: asset.code(),
            price: self.rate(asset, EUR).ok(),
            feeds: (0..self.sources.len())
                .filter(|at| price(&prices[*at], asset).is_some())
                .map(|at| self.sources[at].name)
                .collect(),
        };
        RatesReport {
            feeds: (0..self.sources.len()).map(report).collect(),
            assets: needed().map(asset).collect(),
        }
    }
}
