//! Tests with a feed that is slow, wrong, down or recovering.

use std::sync::Mutex;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use checkout_core::Currency;
use checkout_domain::ports::system_clock::SystemClock;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_rustls::rustls::RootCertStore;

use super::fetch::Fetcher;
use super::*;
use crate::adapters::localhost_tls;

const BTC: Asset = Asset::Crypto(Currency::Btc);
const ETH: Asset = Asset::Crypto(Currency::Eth);

fn usd() -> Asset {
    Asset::known("USD").unwrap()
}

/// Recorded from a public feed of this form.
const RECORDED: &str = r#"{"BTC":{"EUR":58713.42,"USD":63410.5},"ETH":{"EUR":2511.07,"USD":2712.19},"XLM":{"EUR":0.08911,"USD":0.09624}}"#;

#[derive(Clone)]
enum Mood {
    Says(String),
    Status(u16),
    Silent,
}

#[derive(Clone)]
struct Feed {
    url: String,
    mood: Arc<Mutex<Mood>>,
}

impl Feed {
    async fn open(mood: Mood) -> Self {
        let mood = Arc::new(Mutex::new(mood));
        let router = Router::new().route("/rates", get(answer)).with_state(Arc::clone(&mood));
        Self { url: checkout_test_nodes::serve(router).await + "/rates?of=all", mood }
    }

    fn becomes(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    /// Answers as this source.
    fn as_public(&self, feed: PublicFeed) -> RateSource {
        let mut source = RateSource::public(feed, &FeedSettings::default()).unwrap();
        source.fetcher = Fetcher::new(&self.url, Duration::from_millis(300)).unwrap();
        source
    }

    fn rates(&self, max_age: Duration) -> HttpRates {
        HttpRates {
            sources: vec![RateSource::of_url(&self.url, Duration::from_millis(300)).unwrap()],
            refresh: Duration::from_millis(20),
            max_age,
            clock: Arc::new(SystemClock),
            known: RwLock::default(),
        }
    }
}

async fn answer(State(mood): State<Arc<Mutex<Mood>>>) -> Response {
    let mood = mood.lock().unwrap().clone();
    match mood {
        Mood::Says(body) => body.into_response(),
        Mood::Status(status) => Response::builder().status(status).body(Body::empty()).unwrap(),
        Mood::Silent => std::future::pending().await,
    }
}

fn text(rates: &HttpRates, from: Asset, to: Asset) -> Option<String> {
    rates.rate(from, to).ok().map(|rate| rate.to_string())
}

#[tokio::test]
async fn rates_of_the_feed_and_rates_computed_from_them() {
    let feed = Feed::open(Mood::Says(RECORDED.to_owned())).await;
    let rates = feed.rates(Duration::from_mins(1));
    assert_eq!(rates.rate(BTC, EUR), Err(NoRate), "nothing was fetched yet");
    assert_eq!(rates.rate(BTC, BTC), Ok(Decimal::ONE));
    rates.fetch().await.unwrap();
    assert_eq!(text(&rates, BTC, EUR).as_deref(), Some("58713.42"));
    assert_eq!(text(&rates, EUR, BTC).as_deref(), Some("0.000017031881"), "the other way round");
    assert_eq!(text(&rates, BTC, ETH).as_deref(), Some("23.38183324"), "58713.42 / 2511.07");
    assert!(text(&rates, EUR, usd()).unwrap().starts_with("1.0"), "computed through a coin");
    assert_eq!(rates.rate(Asset::Crypto(Currency::Ltc), EUR), Err(NoRate), "the feed does not have it");
    assert_eq!(rates.feed().unwrap().failures, 0);
    assert!(rates.feed().unwrap().age.is_some());
}

/// After a failure, the last rates stay until they are stale; after recovery, new ones are used.
#[tokio::test]
async fn a_failing_feed_keeps_its_rates_until_they_are_stale() {
    let feed = Feed::open(Mood::Says(RECORDED.to_owned())).await;
    let rates = feed.rates(Duration::from_mins(1));
    rates.fetch().await.unwrap();
    let wrong = [
        (Mood::Silent, "no whole answer"),
        (Mood::Status(500), "500"),
        (Mood::Status(204), "204"),
        (Mood::Status(301), "301"),
        (Mood::Says("<html>".to_owned()), "no list of rates"),
        (Mood::Says(r#"{"BTC":{"EUR":0}}"#.to_owned()), "is zero"),
        (Mood::Says(r#"{"BTC":{"EUR":5.871342e4}}"#.to_owned()), "cannot be read"),
        (Mood::Says(format!("{RECORDED}{}", " ".repeat(1024 * 1024))), "too long"),
    ];
    for (number, (mood, expected)) in wrong.into_iter().enumerate() {
        feed.becomes(mood);
        let reason = rates.fetch().await.unwrap_err();
        assert!(reason.contains(expected), "{expected}: {reason}");
        assert_eq!(rates.feed().unwrap().failures, number as u64 + 1);
        assert_eq!(text(&rates, BTC, EUR).as_deref(), Some("58713.42"), "{expected}");
    }
    let gone = Fetcher::new("http://127.0.0.1:9/", Duration::from_secs(5)).unwrap();
    assert!(gone.get().await.unwrap_err().reason.contains("no connection"));
    feed.becomes(Mood::Says(RECORDED.replace("58713.42", "58800.01")));
    rates.fetch().await.unwrap();
    assert_eq!(text(&rates, BTC, EUR).as_deref(), Some("58800.01"));
}

/// An odd rate is left out; the last one stays until it is stale, and the others are quoted.
#[tokio::test]
async fn an_odd_rate_costs_that_rate() {
    let feed = Feed::open(Mood::Says(RECORDED.to_owned())).await;
    let rates = feed.rates(Duration::from_mins(1));
    rates.fetch().await.unwrap();
    for odd in ["0", "null", "5.871342e4", "\"\""] {
        feed.becomes(Mood::Says(RECORDED.replace("58713.42", odd).replace("2511.07", "2512")));
        rates.fetch().await.unwrap();
        assert_eq!(text(&rates, ETH, EUR).as_deref(), Some("2512"), "{odd}");
        assert_eq!(text(&rates, BTC, EUR).as_deref(), Some("58713.42"), "{odd}");
    }
}

/// A misplaced decimal point would sell a kettle for a thousandth of its price.
#[tokio::test]
async fn a_rate_that_jumps_is_not_quoted_until_it_is_back() {
    let feed = Feed::open(Mood::Says(RECORDED.to_owned())).await;
    let rates = feed.rates(Duration::from_mins(1));
    rates.fetch().await.unwrap();
    for wrong in ["117426.85", "29356.7", "5871342", "58.71342"] {
        feed.becomes(Mood::Says(RECORDED.replace("58713.42", wrong)));
        for _ in 0..2 {
            rates.fetch().await.unwrap();
            assert_eq!(rates.rate(BTC, EUR), Err(NoRate), "{wrong}");
            assert_eq!(rates.rate(EUR, BTC), Err(NoRate), "{wrong}: the other way round");
            assert_eq!(text(&rates, ETH, EUR).as_deref(), Some("2511.07"), "the others stay quoted");
            assert_eq!(rates.feed().unwrap().refused, 1);
        }
    }
    feed.becomes(Mood::Says(RECORDED.replace("58713.42", "60000")));
    rates.fetch().await.unwrap();
    assert_eq!(text(&rates, BTC, EUR).as_deref(), Some("60000"));
    assert_eq!(rates.feed().unwrap().refused, 0);
}

/// The market moved beyond the factor: after ten minutes the gateway quotes again without a restart.
#[test]
fn a_rate_that_jumps_and_stays_is_quoted_again() {
    let mut known = Known::default();
    let start = Instant::now();
    let until = start + Duration::from_hours(2);
    let pair = |from: Asset, rate: i64| Said { from, to: EUR, rate: Decimal::from(rate), until };
    let said = |rate: i64| Combined { pairs: vec![pair(BTC, rate), pair(ETH, 2_500)], disputed: Vec::new() };
    known.take(said(60_000), start);
    let minute = |minute: u64| start + Duration::from_mins(minute);
    for at in 1..=10 {
        known.take(said(20_000 + i64::try_from(at).unwrap()), minute(at));
        assert!(known.refuses(BTC, EUR) && !known.refuses(ETH, EUR), "minute {at}");
    }
    known.take(said(20_500), minute(11));
    assert!(!known.refuses(BTC, EUR));
    let quoted = known.rates.iter().find(|said| said.from == BTC).unwrap();
    assert_eq!((quoted.rate, known.new_levels), (Decimal::from(20_500), 1));
    // One good reading between them starts the wait anew, and so does an answer without the pair.
    for at in 12..=40 {
        let rate = if at == 20 { 20_500 } else { 60_000 };
        let mut answer = said(rate);
        answer.pairs.retain(|pair| pair.from != BTC || at != 29);
        known.take(answer, minute(at));
        assert_eq!(known.refuses(BTC, EUR), at != 20 && at != 29 && at < 40, "minute {at}");
    }
    // Beyond the limits of the pair no level is accepted.
    for at in 41..=80 {
        known.take(said(60_000_000), minute(at));
        assert!(known.refuses(BTC, EUR), "minute {at}");
    }
    assert_eq!(known.new_levels, 2);
}

#[tokio::test]
async fn a_rate_beyond_the_limits_of_its_pair_is_never_quoted() {
    let feed = Feed::open(Mood::Says(RECORDED.replace("58713.42", "58.71342"))).await;
    let rates = feed.rates(Duration::from_mins(1));
    rates.fetch().await.unwrap();
    assert_eq!(rates.rate(BTC, EUR), Err(NoRate));
    assert_eq!(rates.feed().unwrap().refused, 1);
    assert_eq!(text(&rates, BTC, usd()).as_deref(), Some("63410.5"));
}

#[tokio::test]
async fn a_stale_rate_is_not_quoted() {
    let feed = Feed::open(Mood::Says(RECORDED.to_owned())).await;
    let rates = feed.rates(Duration::ZERO);
    rates.fetch().await.unwrap();
    assert_eq!(rates.rate(BTC, EUR), Err(NoRate));
    assert_eq!(rates.rate(BTC, ETH), Err(NoRate), "not computed through stale ones either");
}

/// An answer does not refresh rates that it omits.
#[tokio::test]
async fn each_rate_has_its_own_age() {
    let feed = Feed::open(Mood::Says(RECORDED.to_owned())).await;
    let rates = feed.rates(Duration::from_mins(1));
    rates.fetch().await.unwrap();
    let before = Instant::now();
    feed.becomes(Mood::Says(r#"{"BTC":{"EUR":59000}}"#.to_owned()));
    rates.fetch().await.unwrap();
    let known = rates.known.read();
    let until = |from, to| known.rates.iter().find(|rate| (rate.from, rate.to) == (from, to)).unwrap().until;
    let before = before + Duration::from_mins(1);
    assert!(until(BTC, EUR) >= before && until(ETH, EUR) < before);
}

/// Rates are refreshed in the background; reading one never waits.
#[tokio::test]
async fn rates_are_refreshed_in_the_background() {
    let feed = Feed::open(Mood::Silent).await;
    let rates = Arc::new(feed.rates(Duration::from_mins(1)));
    let (stop, stopped) = watch::channel(false);
    let fetching = Arc::clone(&rates);
    let task = tokio::spawn(async move { fetching.keep_fresh(stopped).await });
    let wait_until = async |done: &dyn Fn() -> bool| {
        let waiting = async {
            while !done() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), waiting).await.expect("it happens");
    };
    assert_eq!(rates.rate(BTC, EUR), Err(NoRate), "answered at once, while the feed is silent");
    wait_until(&|| rates.feed().unwrap().failures > 0).await;
    feed.becomes(Mood::Says(RECORDED.to_owned()));
    wait_until(&|| rates.rate(BTC, EUR).is_ok()).await;
    feed.becomes(Mood::Says(RECORDED.replace("58713.42", "58800")));
    wait_until(&|| rates.rate(BTC, EUR) == Ok(Decimal::from(58_800))).await;
    stop.send(true).unwrap();
    tokio::time::timeout(Duration::from_secs(20), task).await.expect("it stops").unwrap();
}

#[test]
fn invalid_settings_are_refused() {
    let check = |change: fn(&mut FeedSettings), expected: &str| {
        let mut settings = FeedSettings::default();
        change(&mut settings);
        let reason = settings.check().unwrap_err();
        assert!(reason.contains(expected), "{reason}");
    };
    assert_eq!(FeedSettings::default().check(), Ok(()));
    check(|settings| settings.refresh_seconds = 0, "at least 1");
    check(|settings| settings.max_age_seconds = 30, "has to be more than");
    check(|settings| settings.url = Some("ftp://rates.example".to_owned()), "https://");
    check(|settings| settings.url = Some("rates".to_owned()), "cannot be read");
    check(|settings| settings.feeds = vec![PublicFeed::Kraken; 2], "names Kraken twice");
    check(|settings| settings.coingecko_key_file = Some("key".into()), "feeds does not name \"coingecko\"");
    let ftp = |settings: &mut FeedSettings| {
        settings.base_urls.insert(PublicFeed::Ecb, "ftp://ecb.example".to_owned());
    };
    check(ftp, "[rates.base_urls] ecb has to begin with https://");
    for (key, expected) in
        [("CG-abc\n", true), ("", false), (" \n", false), ("a\nb", false), ("ä\u{1}", false)]
    {
        let settings = FeedSettings::default().with_coingecko_key(key);
        assert_eq!(settings.is_ok(), expected, "{key:?}");
        assert!(!format!("{settings:?}").contains("CG-abc"), "a key is in no log");
    }
}

/// One source is down, one is wrong, and the others still determine a price.
#[tokio::test]
async fn several_sources() {
    let kraken = |bid: &str| {
        let body = r#"{"error":[],"result":{"XXBTZEUR":{"a":["BID"],"b":["BID"]}}}"#;
        Mood::Says(body.replace("BID", bid))
    };
    let own = Feed::open(Mood::Says(RECORDED.to_owned())).await;
    let exchange = Feed::open(kraken("58700.00")).await;
    let mut rates = own.rates(Duration::from_mins(1));
    rates.sources.push(exchange.as_public(PublicFeed::Kraken));
    rates.fetch().await.unwrap();
    assert_eq!(text(&rates, BTC, EUR).as_deref(), Some("58706.71"), "the median of the two");
    assert_eq!(text(&rates, ETH, EUR).as_deref(), Some("2511.07"), "only one source has it");
    for down in [Mood::Status(500), Mood::Silent, Mood::Says("{}".to_owned())] {
        exchange.becomes(down);
        rates.fetch().await.unwrap();
        assert_eq!(text(&rates, BTC, EUR).as_deref(), Some("58713.42"), "the one that answers");
    }
    assert_eq!(rates.feed().unwrap().failures, 3);
    exchange.becomes(kraken("64000.00"));
    rates.fetch().await.unwrap();
    assert_eq!(rates.rate(BTC, EUR), Err(NoRate), "they contradict each other");
    assert_eq!(rates.feed().unwrap().refused, 4, "BTC, ETH, XLM and USD");
    assert_eq!(rates.rate(BTC, usd()), Err(NoRate), "not in another currency either");
    assert_eq!(rates.rate(ETH, EUR), Err(NoRate), "which only one of them knows");
    own.becomes(Mood::Status(503));
    rates.fetch().await.unwrap();
    assert_eq!(rates.rate(BTC, EUR), Err(NoRate), "the one that is left contradicted the other");
    own.becomes(Mood::Says(RECORDED.to_owned()));
    exchange.becomes(kraken("58700.00"));
    rates.fetch().await.unwrap();
    assert_eq!(text(&rates, BTC, EUR).as_deref(), Some("58706.71"), "they agree again");
    assert_eq!(text(&rates, ETH, EUR).as_deref(), Some("2511.07"));
    own.becomes(Mood::Status(503));
    exchange.becomes(Mood::Status(503));
    assert!(rates.fetch().await.unwrap_err().contains("503"), "all are down");
}

/// Over TLS from a server whose certificate is trusted and of its name, and from no other.
#[tokio::test]
async fn tls_by_trusted_names_only() {
    let (acceptor, roots) = localhost_tls::make();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                request.push(stream.read_u8().await.unwrap());
            }
            let request = String::from_utf8(request).unwrap();
            assert!(request.starts_with("GET /rates?of=all HTTP/1.1\r\n"), "{request}");
            let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{RECORDED}", RECORDED.len());
            stream.write_all(answer.as_bytes()).await.unwrap();
            stream.shutdown().await.unwrap();
        }
    });
    let timeout = Duration::from_secs(20);
    let rates = |host: &str, roots: &RootCertStore| {
        let url = format!("https://{host}:{port}/rates?of=all");
        let fetcher = Fetcher::trusting(roots.clone(), &url, timeout).unwrap();
        let (refresh, max_age) = (Duration::from_mins(1), Duration::from_mins(2));
        let sources = vec![RateSource::new(fetcher)];
        let clock = Arc::new(SystemClock);
        HttpRates { sources, refresh, max_age, clock, known: RwLock::default() }
    };
    let trusted = rates("localhost", &roots);
    trusted.fetch().await.unwrap();
    assert_eq!(text(&trusted, BTC, EUR).as_deref(), Some("58713.42"));
    for (host, roots) in [("localhost", &RootCertStore::empty()), ("127.0.0.1", &roots)] {
        let refused = rates(host, roots);
        let reason = refused.fetch().await.unwrap_err();
        assert!(reason.contains("TLS failed"), "{reason}");
        assert_eq!(refused.rate(BTC, EUR), Err(NoRate));
    }
    let of_the_web = Fetcher::new(&format!("https://localhost:{port}/rates?of=all"), timeout).unwrap();
    assert!(of_the_web.get().await.unwrap_err().reason.contains("TLS failed"));
}
