//! Exchange rates over HTTP from one or more sources: fetched in the background, kept in memory, and not
//! quoted once they are stale.

mod coingecko;
mod feed;
mod fetch;
mod kraken;
mod median;
mod source;
#[cfg(test)]
mod tests;
mod unique_keys;

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use checkout_core::Decimal;
use futures::future::join_all;
use parking_lot::RwLock;
use serde::Deserialize;
use tokio::sync::watch;

use self::feed::Pair;
use self::median::Combined;
pub use self::source::PublicFeed;
use checkout_domain::ports::{Clock, FeedHealth, NoRate, Rates};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::rates::new_level::NewLevel;
use checkout_domain::rates::{bounds, precision};

use self::source::RateSource;

/// The first delay after a failure; it doubles up to the refresh interval.
const FIRST_RETRY: Duration = Duration::from_secs(1);

/// The table `[rates]` of the configuration file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FeedSettings {
    /// URL of the rates. Without it and without `feeds` there are no quotes outside the sandbox.
    pub url: Option<String>,
    /// Public sources to use as well.
    pub feeds: Vec<PublicFeed>,
    pub refresh_seconds: u64,
    /// Maximum age of a rate for quotes.
    pub max_age_seconds: u64,
    /// Time limit of one fetch, from the DNS look-up to the end of the body.
    pub timeout_seconds: u64,
}

impl Default for FeedSettings {
    fn default() -> Self {
        Self { url: None, feeds: Vec::new(), refresh_seconds: 30, max_age_seconds: 120, timeout_seconds: 10 }
    }
}

impl FeedSettings {
    /// Returns the error in the settings, as a sentence.
    pub fn check(&self) -> Result<(), String> {
        let Self { refresh_seconds: refresh, max_age_seconds: age, timeout_seconds: timeout, .. } = *self;
        if refresh == 0 || timeout == 0 {
            return Err("[rates] refresh_seconds and timeout_seconds have to be at least 1.".to_owned());
        }
        if age <= refresh {
            return Err(format!(
                "[rates] max_age_seconds ({age}) has to be more than refresh_seconds ({refresh}), or every rate would be too old before the next."
            ));
        }
        if let Some(twice) = (1..self.feeds.len()).find(|at| self.feeds[..*at].contains(&self.feeds[*at])) {
            return Err(format!("[rates] feeds names {:?} twice.", self.feeds[twice]));
        }
        let Some(url) = &self.url else { return Ok(()) };
        fetch::read_url(url).map(|_| ()).map_err(|reason| format!("[rates] url {reason}."))
    }
}

pub struct HttpRates {
    sources: Vec<RateSource>,
    refresh: Duration,
    max_age: Duration,
    clock: Arc<dyn Clock>,
    known: RwLock<Known>,
}

#[derive(Default)]
struct Known {
    rates: Vec<Said>,
    /// Pairs whose last rate is out of bounds.
    refused: Vec<RefusedRate>,
    new_levels: u64,
    fetched: Option<Instant>,
    failures: u64,
}

#[derive(Clone, Copy, Debug)]
struct RefusedRate {
    from: Asset,
    to: Asset,
    /// `None` beyond the limits of the currencies, where no level is accepted, and while sources contradict each other.
    level: Option<NewLevel>,
}

#[derive(Clone, Copy, Debug)]
struct Said {
    from: Asset,
    to: Asset,
    rate: Decimal,
    fetched: Instant,
}

impl HttpRates {
    /// The settings must be checked. Returns `None` if they have no source.
    pub fn new(settings: &FeedSettings, clock: Arc<dyn Clock>) -> Result<Option<Self>, String> {
        let timeout = Duration::from_secs(settings.timeout_seconds);
        let own = settings.url.iter().map(|url| RateSource::of_url(url, timeout));
        let public = settings.feeds.iter().map(|feed| RateSource::public(*feed, timeout));
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

    /// Fetches all sources. Failing ones are ignored; an error if all fail.
    async fn fetch(&self) -> Result<(), String> {
        let outcomes = join_all(self.sources.iter().map(|source| source.fetch(self.clock.as_ref()))).await;
        let fetched = Instant::now();
        let (mut answers, mut failed): (Vec<Vec<Pair>>, Option<String>) = (Vec::new(), None);
        let mut known = self.known.write();
        for (source, outcome) in self.sources.iter().zip(outcomes) {
            match outcome {
                Ok(pairs) => answers.push(pairs),
                Err(reason) => {
                    tracing::warn!(source = source.name, reason, "exchange rates could not be fetched");
                    known.failures += 1;
                    failed = Some(reason);
                }
            }
        }
        if let (true, Some(reason)) = (answers.is_empty(), failed) {
            return Err(reason);
        }
        known.take(median::combine(answers), fetched);
        Ok(())
    }
}

impl Known {
    fn take(&mut self, Combined { pairs, disputed }: Combined, fetched: Instant) {
        let before = std::mem::take(&mut self.refused);
        let mut believed = Vec::new();
        for (from, to, rate) in pairs {
            let refused = before.iter().find(|refused| (refused.from, refused.to) == (from, to));
            match self.judge(from, to, rate, refused.and_then(|refused| refused.level), fetched) {
                Ok(()) => believed.push(Said { from, to, rate, fetched }),
                Err(level) => self.refused.push(RefusedRate { from, to, level }),
            }
        }
        for (from, to) in disputed {
            let (from_code, to_code) = (from.code(), to.code());
            tracing::error!(
                from = from_code,
                to = to_code,
                "the rate sources contradict each other: the pair is not quoted"
            );
            self.refused.push(RefusedRate { from, to, level: None });
        }
        // Rates missing from the answer keep their age.
        self.rates.retain(|old| !believed.iter().any(|new| (new.from, new.to) == (old.from, old.to)));
        self.rates.extend(believed);
        self.fetched = Some(fetched);
    }

    /// Whether a rate is believed; otherwise what may become its new level.
    fn judge(
        &mut self,
        from: Asset,
        to: Asset,
        rate: Decimal,
        level: Option<NewLevel>,
        at: Instant,
    ) -> Result<(), Option<NewLevel>> {
        let (from_code, to_code) = (from.code(), to.code());
        if !bounds::is_sane(from, to, rate) {
            tracing::error!(from = from_code, to = to_code, %rate, "a rate is out of bounds and is not quoted");
            return Err(None);
        }
        let last = self.rates.iter().find(|said| (said.from, said.to) == (from, to));
        let Some(last) = last.filter(|last| bounds::jumps(last.rate, rate)).map(|last| last.rate) else {
            return Ok(());
        };
        let level = level.map_or_else(|| NewLevel::start(rate, at), |level| level.follow(rate, at));
        if !level.is_accepted(at) {
            tracing::error!(
                from = from_code, to = to_code, %rate, %last,
                "a rate jumped and is not quoted; it is accepted when it stays for ten minutes"
            );
            return Err(Some(level));
        }
        self.new_levels += 1;
        tracing::warn!(
            from = from_code, to = to_code, %rate, %last, "a rate that jumped has stayed and is quoted again"
        );
        Ok(())
    }

    fn refuses(&self, from: Asset, to: Asset) -> bool {
        self.refused.iter().any(|refused| [(from, to), (to, from)].contains(&(refused.from, refused.to)))
    }
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
            if refused { None } else { quoted(&known.rates, self.max_age, from, to) }
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
        let mut retry = FIRST_RETRY;
        loop {
            let wait = if self.fetch().await.is_err() {
                let wait = retry.min(self.refresh);
                retry = (retry * 2).min(self.refresh);
                wait
            } else {
                retry = FIRST_RETRY;
                self.refresh
            };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                _ = stopped.wait_for(|stopped| *stopped) => return,
            }
        }
    }
}

/// The feed's rate of the pair, in either direction, unless it is stale.
fn quoted(rates: &[Said], max_age: Duration, from: Asset, to: Asset) -> Option<Decimal> {
    let find = |from, to| {
        let fresh = |rate: &&Said| (rate.from, rate.to) == (from, to) && rate.fetched.elapsed() <= max_age;
        rates.iter().find(fresh).map(|rate| rate.rate)
    };
    find(from, to).or_else(|| Decimal::ONE.checked_div(find(to, from)?))
}
