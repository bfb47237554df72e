//! Rate sources: the operator's URL, and public APIs.

use std::time::Duration;

use checkout_chain_http::client::MAX_SHORT_ANSWER;
use checkout_domain::ports::Clock;

use super::feed::{self, Answer};
use super::fetch::{Failure, Fetcher};
use super::public_feed::PublicFeed;
use super::refusal::remedy;
use super::settings::FeedSettings;
use super::{bitstamp, coinbase, coingecko, ecb, kraken};

/// Parses a body; takes the UNIX second.
type Reader = fn(&[u8], u64) -> Result<Answer, String>;

pub(super) struct RateSource {
    pub(super) name: &'static str,
    pub(super) fetcher: Fetcher,
    pub(super) read: Reader,
    feed: Option<PublicFeed>,
    has_key: bool,
    /// The pause between requests, if it is longer than that of the settings.
    pub(super) every: Option<Duration>,
    /// What is asked instead if the first answer says that a market does not exist.
    all_markets: Option<Fetcher>,
}

impl RateSource {
    pub(super) fn of_url(url: &str, timeout: Duration) -> Result<Self, String> {
        Ok(Self::new(Fetcher::new(url, timeout)?))
    }

    pub(super) fn new(fetcher: Fetcher) -> Self {
        Self {
            name: "url",
            fetcher,
            read: |body, _| feed::read(body),
            feed: None,
            has_key: false,
            every: None,
            all_markets: None,
        }
    }

    pub(super) fn public(feed: PublicFeed, settings: &FeedSettings) -> Result<Self, String> {
        let plan = settings.coingecko_plan;
        let (base, path, read): (_, _, Reader) = match feed {
            PublicFeed::Bitstamp => (bitstamp::BASE, bitstamp::path(), bitstamp::read),
            PublicFeed::Coinbase => (coinbase::BASE, coinbase::path(), coinbase::read),
            PublicFeed::Coingecko => (plan.base(), coingecko::path(), coingecko::read),
            PublicFeed::Ecb => (ecb::BASE, ecb::path(), ecb::read),
            PublicFeed::Kraken => (kraken::BASE, kraken::path(), kraken::read),
        };
        let base = settings.base_urls.get(&feed).map_or(base, |url| url.trim_end_matches('/'));
        let timeout = Duration::from_secs(settings.timeout_seconds);
        let fetcher = Fetcher::new(&format!("{base}{path}"), timeout)?;
        let mut source = Self { name: feed.name(), read, feed: Some(feed), ..Self::new(fetcher) };
        match (feed, &settings.coingecko_key) {
            (PublicFeed::Coingecko, Some(key)) => {
                source.fetcher = source.fetcher.with_header(plan.header(), key.clone());
                source.has_key = true;
                source.every = plan.every();
            }
            (PublicFeed::Ecb, _) => {
                source.every = Some(ecb::EVERY);
                source.fetcher = source.fetcher.of_any_age();
            }
            (PublicFeed::Kraken, _) => {
                let all = Fetcher::new(&format!("{base}{}", kraken::ALL), timeout)?;
                source.all_markets = Some(all.with_limit(4 * MAX_SHORT_ANSWER));
            }
            _ => {}
        }
        Ok(source)
    }

    /// The body of a valid answer, or why there is none and what to do.
    pub(super) async fn fetch(&self, clock: &dyn Clock) -> Result<Vec<u8>, Failure> {
        let told = |mut failure: Failure| {
            if let Some(remedy) = remedy(self.feed, self.has_key, &failure.reason, failure.refusal.as_ref()) {
                failure.reason = format!("{}; {remedy}", failure.reason);
            }
            failure
        };
        let body = self.body().await.map_err(told)?;
        match (self.read)(&body, clock.now()) {
            Ok(_) => Ok(body),
            Err(reason) => Err(told(Failure::of_body(reason, &body))),
        }
    }

    async fn body(&self) -> Result<Vec<u8>, Failure> {
        let body = self.fetcher.get().await?;
        match &self.all_markets {
            Some(all) if kraken::lacks_a_market(&body) => all.get().await,
            _ => Ok(body),
        }
    }
}
