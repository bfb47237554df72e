//! Exchange rates over HTTP from one or more sources: fetched in the background, kept in memory, and not
//! quoted once they are stale.

mod bitstamp;
mod coinbase;
mod coingecko;
mod ecb;
mod feed;
mod fetch;
mod held;
mod known;
mod kraken;
mod public_feed;
mod refusal;
mod report;
mod settings;
mod source;
#[cfg(test)]
mod tests;
mod unique_keys;

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use checkout_core::Decimal;
use checkout_domain::ports::{Clock, FeedHealth, NoRate, Rates};
use checkout_domain::rates::agreement::{self, Agreement, EuroPrice};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::rates::{bounds, precision};
use futures::future::join_all;
use parking_lot::RwLock;
use tokio::sync::watch;

use self::feed::Answer;
use self::held::Held;
use self::known::{Combined, Known, Said, quoted};
use self::source::RateSource;

pub use self::coingecko::CoingeckoPlan;
pub use self::public_feed::PublicFeed;
pub use self::report::{AssetReport, FeedReport, Outlier, RatesReport};
pub use self::settings::FeedSettings;

const EUR: Asset = Asset::Fiat(Fiat::EUR);

pub struct HttpRates {
    sources: Vec<RateSource>,
    refresh: Duration,
    max_age: Duration,
    clock: Arc<dyn Clock>,
    known: RwLock<Known>,
}

/// What a source says, until when.
struct Heard {
    answer: Answer,
    until: Instant,
}

impl HttpRates {
    /// The settings must be checked. Returns `None` if they have no source.
    pub fn new(settings: &FeedSettings, clock: Arc<dyn Clock>) -> Result<Option<Self>, String> {
        let timeout = Duration::from_secs(settings.timeout_seconds);
        let own = settings.url.iter().map(|url| RateSource::of_url(url, timeout));
        let public = settings.feeds.iter().map(|feed| RateSource::public(*feed, settings));
        let sources: Vec<RateSource> = own.chain(public).collect::<Result<_, _>>()?;
        let (refresh, max_age) = (settings.refresh_seconds, settings.max_age_seconds);
        let rates = Self {
            sources,
            refresh: Duration::from_secs(refresh),
            max_age: Duration::from_secs(max_age),
            clock,
            known: RwLock::default(),
        };
        Ok(Some(rates).filter(|rates| !rates.sources.is_empty()))
    }

    /// Fetches all sources. Failing ones are left out; an error if no source has an answer.
    async fn fetch(&self) -> Result<(), String> {
        self.fetch_those(|_| true).await
    }

    async fn fetch_those(&self, is_asked: impl Fn(&Held) -> bool) -> Result<(), String> {
        let asked: Vec<usize> = {
            let mut known = self.known.write();
            known.held.resize_with(self.sources.len(), Held::default);
            (0..self.sources.len()).filter(|at| is_asked(&known.held[*at])).collect()
        };
        let outcomes = join_all(asked.iter().map(|at| self.sources[*at].fetch(self.clock.as_ref()))).await;
        let (now, mut is_new, mut failed) = (Instant::now(), false, None);
        let mut known = self.known.write();
        for (at, outcome) in asked.into_iter().zip(outcomes) {
            let source = &self.sources[at];
            let every = source.every.unwrap_or(self.refresh);
            match outcome {
                Ok(body) => {
                    known.held[at].succeed(body, now, every);
                    known.fetched = Some(now);
                    is_new = true;
                }
                Err(failure) => {
                    let reason = failure.reason.clone();
                    tracing::warn!(source = source.name, reason, "exchange rates could not be fetched");
                    known.failures += 1;
                    is_new |= known.held[at].fail(failure, now, every);
                    failed = Some(reason);
                }
            }
        }
        let heard = self.heard(&mut known.held, now);
        match failed {
            Some(reason) if heard.iter().all(Option::is_none) => Err(reason),
            // Nothing is judged twice.
            _ if !is_new => Ok(()),
            _ => {
                let combined = self.combine(&mut known, heard);
                known.take(combined, now);
                Ok(())
            }
        }
    }

    /// What each source says now. A price or an answer can be too old although it was not when it came.
    fn heard(&self, held: &mut [Held], now: Instant) -> Vec<Option<Heard>> {
        let seconds = self.clock.now();
        let hear = |(source, held): (&RateSource, &mut Held)| {
            let (body, fetched) = held.answer.as_ref()?;
            let until = *fetched + source.every.map_or(self.max_age, |every| every + self.max_age);
            let answer = (source.read)(body, seconds).ok().filter(|_| now <= until)?;
            held.note(source.name, &answer.odd);
            Some(Heard { answer, until })
        };
        self.sources.iter().zip(held).map(hear).collect()
    }

    /// The answer of a single source is used unchanged.
    fn combine(&self, known: &mut Known, heard: Vec<Option<Heard>>) -> Combined {
        if self.sources.len() < 2 {
            let pairs = heard.into_iter().flatten().flat_map(|Heard { answer, until }| {
                answer.pairs.into_iter().map(move |(from, to, rate)| Said { from, to, rate, until })
            });
            return Combined { pairs: pairs.collect(), disputed: Vec::new() };
        }
        let prices = in_euros(&heard);
        let Agreement { prices: agreed, disputed, doubts } = agreement::agree(&prices, &known.doubts);
        let said = |(asset, rate): EuroPrice| {
            let counts = |feed: &usize| {
                prices[*feed].iter().any(|(said, _)| *said == asset)
                    && !doubts.prices.contains(&(*feed, asset))
            };
            let until = (0..heard.len())
                .filter(counts)
                .filter_map(|feed| heard[feed].as_ref().map(|feed| feed.until));
            Some(Said { from: asset, to: EUR, rate, until: until.min()? })
        };
        let combined = Combined {
            pairs: agreed.into_iter().filter_map(said).collect(),
            disputed: disputed.into_iter().map(|asset| (asset, EUR)).collect(),
        };
        for (feed, asset) in doubts.prices.iter().filter(|doubt| !known.doubts.prices.contains(doubt)) {
            let (source, asset) = (self.sources[*feed].name, asset.code());
            tracing::warn!(source, asset, "a price of a feed contradicts others and is left out");
        }
        known.doubts = doubts;
        combined
    }
}

/// The prices of each source in euros, of one without euros by the crosses on which the others agree.
fn in_euros(heard: &[Option<Heard>]) -> Vec<Vec<EuroPrice>> {
    let prices = |crosses: &[EuroPrice]| -> Vec<Vec<EuroPrice>> {
        let of = |heard: &Option<Heard>| {
            heard.as_ref().map(|heard| agreement::in_euros(&heard.answer.pairs, crosses)).unwrap_or_default()
        };
        heard.iter().map(of).collect()
    };
    let mut crosses = agreement::agree(&prices(&[]), &agreement::Doubts::default()).prices;
    crosses.retain(|(asset, _)| matches!(asset, Asset::Fiat(_)));
    prices(&crosses)
}

#[async_trait]
impl Rates for HttpRates {
    fn rate(&self, from: Asset, to: Asset) -> Result<Decimal, NoRate> {
        if from == to {
            return Ok(Decimal::ONE);
        }
        let known = self.known.read();
        if known.refuses(from, to) {
            return Err(NoRate);
        }
        let direct = |from, to| {
            let refused = known.refuses(from, to);
            if refused { None } else { quoted(&known.rates, from, to) }
        };
        // Computed through a currency that nearly every feed has.
        let pivots = Fiat::all().map(Asset::Fiat).chain(known.rates.iter().map(|rate| rate.from));
        let rate = direct(from, to).or_else(|| {
            pivots
                .filter(|pivot| *pivot != from && *pivot != to)
                .find_map(|pivot| direct(from, pivot)?.checked_mul(direct(pivot, to)?))
        });
        let rate = precision::round(rate.ok_or(NoRate)?);
        if bounds::is_sane(from, to, rate) { Ok(rate) } else { Err(NoRate) }
    }

    fn feed(&self) -> Option<FeedHealth> {
        let known = self.known.read();
        let refused = known.refused.len();
        Some(FeedHealth {
            failures: known.failures,
            refused,
            new_levels: known.new_levels,
            age: known.fetched.map(|fetched| fetched.elapsed()),
        })
    }

    async fn keep_fresh(&self, mut stopped: watch::Receiver<bool>) {
        loop {
            let start = Instant::now();
            let _ = self.fetch_those(|held| held.is_due(start)).await;
            let due = self.known.read().held.iter().filter_map(Held::due).min();
            let wait = due.map_or(self.refresh, |due| due.saturating_duration_since(Instant::now()));
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                _ = stopped.wait_for(|stopped| *stopped) => return,
            }
        }
    }
}
