//! Stand-ins for public feeds of exchange rates, from their documentation of 2026:
//!
//! | path | feed | documentation |
//! |---|---|---|
//! | `/kraken` | Kraken, REST | docs.kraken.com: "Get Ticker Information", "Error messages" |
//! | `/coinbase` | Coinbase, API v2 | docs.cdp.coinbase.com: "Exchange Rates" |
//! | `/bitstamp` | Bitstamp, API v2 | bitstamp.net/api: "Tickers", "Response codes" |
//! | `/ecb` | European Central Bank | ecb.europa.eu: "Euro foreign exchange reference rates" |
//! | `/coingecko`, `/coingecko-pro` | CoinGecko, API v3 | docs.coingecko.com: "Simple price", "Authentication", "Errors & Rate Limits" |
//!
//! Their prices are those of the sandbox. `market` has what each lists.

mod answers;
mod market;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use parking_lot::{Mutex, MutexGuard};

pub use self::market::KEY;
use self::market::Market;

/// What a feed does. A price is that of a currency, such as `BTC`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum FeedMood {
    #[default]
    Fine,
    /// Its limit of requests is reached.
    Limited,
    /// It does not serve this machine.
    Blocked,
    /// It is in maintenance.
    Maintenance,
    /// It says with status 200 that it is down, in HTML.
    Page,
    /// It sends nobody anywhere but to another address.
    Moved,
    /// It never answers.
    Silent,
    /// Its answer ends in the middle.
    CutOff,
    /// A price is null.
    Null(&'static str),
    /// A price is an empty text.
    Empty(&'static str),
    /// A price is zero.
    Zero(&'static str),
    /// A price is a number where it should be a text, or the other way round.
    OtherType(&'static str),
    /// It does not have the currency.
    Missing(&'static str),
    /// A price is so many percent of the right one.
    Percent(&'static str, u32),
    /// All prices in euros are.
    AllPercent(u32),
    /// Its prices are ten days old.
    Old,
    /// A cache on the way kept its answer for an hour.
    Cached,
    /// It answers for another currency, or in another form.
    OtherBase,
}

#[derive(Debug, Default)]
pub struct Moods {
    moods: BTreeMap<&'static str, FeedMood>,
    /// The paths and queries that were asked, the first part without a slash.
    pub requests: Vec<String>,
}

impl Moods {
    pub fn set(&mut self, feed: &'static str, mood: FeedMood) {
        self.moods.insert(feed, mood);
    }
}

#[derive(Clone, Debug)]
pub struct RateFeeds {
    pub url: String,
    moods: Arc<Mutex<Moods>>,
}

impl RateFeeds {
    /// Serves on a thread until the process ends.
    pub fn beside() -> Self {
        let moods = Arc::new(Mutex::new(Moods::default()));
        let router = Router::new().route("/{feed}/{*path}", get(respond)).with_state(Arc::clone(&moods));
        Self { url: checkout_test_nodes::serve_beside(router), moods }
    }

    pub fn moods(&self) -> MutexGuard<'_, Moods> {
        self.moods.lock()
    }

    /// The table `[rates.base_urls]` of a configuration file.
    pub fn base_urls(&self) -> String {
        let line = |feed: &str| format!("{feed} = \"{}/{feed}\"\n", self.url);
        let lines: String = ["kraken", "coinbase", "bitstamp", "ecb", "coingecko"].map(line).concat();
        format!("[rates.base_urls]\n{lines}")
    }
}

async fn respond(
    State(moods): State<Arc<Mutex<Moods>>>,
    Path((feed, path)): Path<(String, String)>,
    Query(query): Query<BTreeMap<String, String>>,
    headers: HeaderMap,
) -> Response {
    let mood = {
        let mut moods = moods.lock();
        moods.requests.push(format!("{feed}/{path} {query:?}"));
        moods.moods.get(feed.as_str()).copied().unwrap_or_default()
    };
    if mood == FeedMood::Silent {
        return std::future::pending().await;
    }
    if let Some(refused) = answers::refusal(&feed, mood) {
        return refused;
    }
    let market = Market { mood, now: now() };
    let key = |name: &str| headers.get(name).and_then(|key| key.to_str().ok());
    let answer = match (feed.as_str(), path.as_str()) {
        ("kraken", "0/public/Ticker") => answers::kraken(&market, query.get("pair").map(String::as_str)),
        ("coinbase", "v2/exchange-rates") => answers::coinbase(&market, query.get("currency")),
        ("bitstamp", "api/v2/ticker/") => answers::bitstamp(&market),
        ("ecb", "stats/eurofxref/eurofxref-daily.xml") => answers::ecb(&market),
        ("coingecko" | "coingecko-pro", "api/v3/simple/price") => {
            let keys = (key("x-cg-demo-api-key"), key("x-cg-pro-api-key"));
            if let Some(refused) = answers::key_refusal(feed == "coingecko-pro", keys) {
                return refused;
            }
            answers::coingecko(&market, &query)
        }
        _ => return (StatusCode::NOT_FOUND, "not found").into_response(),
    };
    let length = if mood == FeedMood::CutOff { answer.len() / 2 } else { answer.len() };
    let kind = if feed == "ecb" { "text/xml" } else { "application/json" };
    let age = if mood == FeedMood::Cached { "3600" } else { "0" };
    ([(header::CONTENT_TYPE, kind), (header::AGE, age)], answer[..length].to_owned()).into_response()
}

#[expect(clippy::disallowed_methods, reason = "a feed has the time of the world")]
fn now() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}
