//! Rate sources: the operator's URL, and public APIs.

use std::time::Duration;

use checkout_domain::ports::Clock;
use serde::Deserialize;

use super::feed::{self, Pair};
use super::fetch::Fetcher;
use super::{coingecko, kraken};

/// A public API without a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PublicFeed {
    Coingecko,
    Kraken,
}

pub(super) struct RateSource {
    pub(super) name: &'static str,
    pub(super) fetcher: Fetcher,
    /// Parses the body; takes the UNIX second.
    pub(super) read: fn(&[u8], u64) -> Result<Vec<Pair>, String>,
}

impl RateSource {
    pub(super) fn of_url(url: &str, timeout: Duration) -> Result<Self, String> {
        let fetcher = Fetcher::new(url, timeout)?;
        Ok(Self { name: "url", fetcher, read: |body, _| feed::read(body) })
    }

    pub(super) fn public(feed: PublicFeed, timeout: Duration) -> Result<Self, String> {
        Ok(match feed {
            PublicFeed::Coingecko => {
                let fetcher = Fetcher::new(&coingecko::url(), timeout)?;
                Self { name: "coingecko", fetcher, read: coingecko::read }
            }
            PublicFeed::Kraken => {
                let fetcher = Fetcher::new(&kraken::url(), timeout)?;
                Self { name: "kraken", fetcher, read: kraken::read }
            }
        })
    }

    /// A whole answer, or an error.
    pub(super) async fn fetch(&self, clock: &dyn Clock) -> Result<Vec<Pair>, String> {
        let body = self.fetcher.get().await?;
        (self.read)(&body, clock.now())
    }
}
