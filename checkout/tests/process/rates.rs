//! `checkout rates check`, and the quotes of a gateway, with stand-ins of the public feeds.

use std::path::Path;
use std::process::Command;

use checkout_chain_doubles::RateFeeds;
use checkout_chain_doubles::rate_feeds::{FeedMood, KEY};
use checkout_wire::fiat::FIAT_CURRENCIES;
use serde_json::Value;

use crate::gateway::{Gateway, run_with};
use crate::support::eventually;

struct Feeds {
    folder: tempfile::TempDir,
    feeds: RateFeeds,
}

/// What `rates check --json` says.
struct Checked {
    status: Option<i32>,
    report: Value,
    /// Standard error.
    told: String,
}

/// The feeds of the file beside compose.yaml.
fn usual() -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../packaging/compose/gateway.toml");
    let file: toml::Table = std::fs::read_to_string(file).unwrap().parse().unwrap();
    let feeds = file["rates"]["feeds"].as_array().unwrap();
    feeds.iter().map(|feed| feed.as_str().unwrap().to_owned()).collect()
}

fn list(feeds: &[String]) -> String {
    format!("feeds = {feeds:?}")
}

impl Feeds {
    fn open() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), feeds: RateFeeds::beside() }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a configuration with these lines of `[rates]`.
    fn configure(&self, rates: &str) -> String {
        let (path, urls) = (self.path("checkout.toml"), self.feeds.base_urls());
        std::fs::write(&path, format!("[rates]\ntimeout_seconds = 2\n{rates}\n{urls}")).unwrap();
        path
    }

    fn check_with(&self, rates: &str, change: impl FnOnce(&mut Command)) -> Checked {
        let config = self.configure(rates);
        let output = run_with(&["rates", "check", "--json", "--config", &config], change);
        Checked {
            status: output.status.code(),
            report: serde_json::from_slice(&output.stdout).unwrap_or_default(),
            told: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn check(&self, rates: &str) -> Checked {
        self.check_with(rates, |_| {})
    }

    fn text(&self, rates: &str) -> String {
        let config = self.configure(rates);
        String::from_utf8(run_with(&["rates", "check", "--config", &config], |_| {}).stdout).unwrap()
    }
}

impl Checked {
    fn feed(&self, name: &str) -> &Value {
        let feeds = self.report["feeds"].as_array().unwrap_or_else(|| panic!("{}", self.told));
        feeds.iter().find(|feed| feed["feed"] == name).unwrap()
    }

    fn problem(&self, name: &str) -> &str {
        self.feed(name)["problem"].as_str().unwrap_or_else(|| panic!("{}", self.report))
    }

    fn price(&self, code: &str) -> &Value {
        let prices = self.report["prices"].as_array().unwrap();
        prices.iter().find(|price| price["code"] == code).unwrap_or_else(|| panic!("{code}: {}", self.report))
    }

    fn euros(&self, code: &str) -> Option<&str> {
        self.price(code)["euros"].as_str()
    }

    fn missing(&self) -> String {
        let codes = self.report["missing"].as_array().unwrap_or_else(|| panic!("{}", self.told));
        codes.iter().map(|code| code.as_str().unwrap()).collect::<Vec<_>>().join(", ")
    }
}

#[test]
fn the_usual_feeds_price_everything_without_a_key() {
    let feeds = Feeds::open();
    let found = feeds.check(&list(&usual()));
    assert_eq!((found.status, found.missing().as_str()), (Some(0), ""), "{} {}", found.report, found.told);
    for (code, _) in FIAT_CURRENCIES.iter().filter(|(code, _)| *code != "EUR") {
        assert!(found.euros(code).is_some(), "{code}");
    }
    for (code, euros) in [("BTC", "60000"), ("BNB", "600"), ("POL", "0.2"), ("TRX", "0.25")] {
        assert_eq!(found.euros(code), Some(euros));
        let names = found.price(code)["feeds"].as_array().unwrap();
        assert!(names.len() > 1, "{code} is known by one feed only: {names:?}");
    }
    assert!(!usual().contains(&"coingecko".to_owned()), "it refuses without a key");
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guides/going-live.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    assert!(guide.contains(&list(&usual())), "the guide has the same feeds");
    let text = feeds.text(&list(&usual()));
    assert!(text.contains("together   ok       every currency"), "{text}");
}

/// What each refusal and each odd price of each feed does to it and to the prices.
#[test]
fn what_one_feed_does_costs_at_most_that_feed() {
    use FeedMood::{
        AllPercent, Blocked, Cached, CutOff, Empty, Limited, Maintenance, Missing, Moved, Null, Old,
        OtherBase, OtherType, Page, Percent, Silent, Zero,
    };
    let feeds = Feeds::open();
    let usual = list(&usual());
    let everywhere = [
        (Blocked, "403 Forbidden: Attention Required! | Cloudflare; the feed refuses this machine"),
        (Page, "We will be back soon"),
        (Moved, "301 Moved Permanently"),
        (Silent, "no whole answer in 2 seconds"),
        (CutOff, "the answer"),
        (OtherBase, "the answer"),
    ];
    let own = [
        ("kraken", Limited, "EGeneral:Too many requests; the feed is asked too often"),
        ("coinbase", Limited, "429 Too Many Requests: Too many requests; the feed is asked too often"),
        ("bitstamp", Limited, "exceeded rate limit.; the feed is asked too often"),
        ("ecb", Limited, "429 Too Many Requests"),
        ("kraken", Maintenance, "EService:Unavailable; the feed is down or in maintenance"),
        ("coinbase", Maintenance, "503 Service Unavailable: Scheduled maintenance; the feed is down"),
        ("bitstamp", Maintenance, "503 Service Unavailable"),
        ("ecb", Maintenance, "503 Service Unavailable"),
        ("kraken", Cached, "comes from a cache and is 3600 seconds old"),
        ("coinbase", Cached, "comes from a cache and is 3600 seconds old"),
        ("bitstamp", Cached, "comes from a cache and is 3600 seconds old"),
        ("bitstamp", Old, "is more than ten minutes old"),
        ("ecb", Old, "and too old"),
    ];
    let names = ["kraken", "coinbase", "bitstamp", "ecb"];
    let everywhere = names.iter().flat_map(|feed| everywhere.map(|(mood, said)| (*feed, mood, said)));
    for (feed, mood, said) in everywhere.chain(own) {
        // Coinbase answers for another currency in a form of its own.
        let said = if (feed, mood) == ("coinbase", OtherBase) { "another currency" } else { said };
        feeds.feeds.moods().set(feed, mood);
        let found = feeds.check(&usual);
        assert!(found.problem(feed).contains(said), "{feed} {mood:?}: {}", found.problem(feed));
        // No other feed without a key has the rouble.
        let missing = if feed == "coinbase" { "RUB" } else { "" };
        assert_eq!(found.missing(), missing, "{feed} {mood:?}: {}", found.report);
        assert_eq!(found.status, Some(i32::from(feed == "coinbase")), "{feed} {mood:?}");
        assert_eq!(found.euros("BTC"), Some("60000"), "{feed} {mood:?}");
        feeds.feeds.moods().set(feed, FeedMood::Fine);
    }
    for (feed, mood, pointer, said) in [
        ("kraken", Null("BTC"), "/leftOut/0", "XXBTZEUR is null"),
        ("kraken", Empty("POL"), "/leftOut/0", "POLEUR cannot be read"),
        ("kraken", Zero("BNB"), "/leftOut/0", "BNBEUR is zero"),
        ("coinbase", Null("BTC"), "/leftOut/0", "BTC is null"),
        ("coinbase", Empty("USD"), "/leftOut/0", "USD cannot be read"),
        ("coinbase", Zero("BNB"), "/leftOut/0", "BNB is zero"),
        ("bitstamp", Null("BTC"), "/leftOut/0", "BTC/EUR has no bid and ask"),
        ("bitstamp", Empty("USD"), "/leftOut/0", "EUR/USD cannot be read"),
        ("ecb", Empty("PLN"), "/leftOut/0", "PLN cannot be read"),
        ("ecb", Zero("PLN"), "/leftOut/0", "PLN is zero"),
        // One market that is gone makes Kraken refuse all: then all its markets are asked.
        ("kraken", Missing("BNB"), "/missing/0", "BNB"),
        ("coinbase", Missing("POL"), "/missing/0", "POL"),
        ("bitstamp", Missing("BTC"), "/missing/0", "BTC"),
        ("kraken", Percent("BTC", 1000), "/outliers/0/code", "BTC"),
        ("coinbase", Percent("BTC", 10), "/outliers/0/code", "BTC"),
        ("bitstamp", Percent("BTC", 108), "/outliers/0/code", "BTC"),
        ("ecb", Percent("USD", 90), "/outliers/0/code", "USD"),
        ("kraken", AllPercent(114), "/outliers/0/code", "BTC"),
        ("bitstamp", AllPercent(50), "/outliers/0/code", "BTC"),
    ] {
        feeds.feeds.moods().set(feed, mood);
        let found = feeds.check(&usual);
        let told = found.feed(feed).pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        assert!(told.contains(said), "{feed} {mood:?}: {}", found.report);
        assert!(found.feed(feed)["problem"].is_null(), "{feed} {mood:?}: {}", found.report);
        assert_eq!(found.euros("BTC"), Some("60000"), "{feed} {mood:?}");
        feeds.feeds.moods().set(feed, FeedMood::Fine);
    }
    for (feed, code) in [("kraken", "BTC"), ("coinbase", "BTC"), ("bitstamp", "BTC"), ("coinbase", "JPY")] {
        feeds.feeds.moods().set(feed, OtherType(code));
        let found = feeds.check(&usual);
        assert_eq!(
            found.feed(feed)["leftOut"],
            serde_json::json!([]),
            "texts and numbers are the same: {feed}"
        );
        feeds.feeds.moods().set(feed, FeedMood::Fine);
    }
}

/// What only a feed knows that contradicts others is no price.
#[test]
fn two_feeds_that_contradict_each_other() {
    let feeds = Feeds::open();
    let two = "feeds = [\"kraken\", \"coinbase\"]";
    feeds.feeds.moods().set("coinbase", FeedMood::Percent("LTC", 110));
    let found = feeds.check(two);
    assert_eq!((found.status, found.missing().as_str()), (Some(1), "LTC"), "{}", found.report);
    feeds.feeds.moods().set("coinbase", FeedMood::AllPercent(114));
    let found = feeds.check(two);
    for code in ["BTC", "POL", "USD", "RUB", "PLN"] {
        assert_eq!(found.euros(code), None, "{code}: {}", found.report);
    }
    assert!(feeds.text(two).contains("coinbase   warning  contradicts others: BTC at 68400 EUR is left out"));
    // A third says which is right. The rouble is then known by a feed alone that is wrong.
    let found = feeds.check("feeds = [\"kraken\", \"coinbase\", \"bitstamp\", \"ecb\"]");
    assert_eq!((found.euros("BTC"), found.euros("RUB")), (Some("60000"), None), "{}", found.report);
}

#[test]
fn coingecko_is_asked_with_its_key() {
    let feeds = Feeds::open();
    let file = |key: &str| {
        std::fs::write(feeds.path("key"), key).unwrap();
        format!("feeds = [\"coingecko\"]\ncoingecko_key_file = {:?}", feeds.path("key"))
    };
    let right = format!("{KEY}\n");
    let found = feeds.check(&file(&right));
    assert_eq!((found.status, found.missing().as_str()), (Some(0), ""), "{} {}", found.report, found.told);
    assert_eq!((found.euros("BTC"), found.euros("POL")), (Some("60000"), Some("0.2")));
    let without = "feeds = [\"coingecko\"]";
    let found = feeds.check_with(without, |command| {
        command.env("CHECKOUT_COINGECKO_KEY", KEY);
    });
    assert_eq!(found.status, Some(0), "{} {}", found.report, found.told);
    for (settings, said) in [
        (without.to_owned(), "API Key Missing. Please make sure"),
        (without.to_owned(), "get a free demo key and name its file in [rates] coingecko_key_file"),
        (file("CG-other"), "CoinGecko does not accept the key"),
    ] {
        let found = feeds.check(&settings);
        assert!(found.problem("coingecko").contains(said), "{settings}: {}", found.problem("coingecko"));
        assert_eq!(found.status, Some(1), "{settings}");
        assert!(!found.report.to_string().contains("CG-other"), "a key is in no report");
    }
    for (mood, said) in [
        (FeedMood::Limited, "You've exceeded the Rate Limit."),
        (FeedMood::Limited, "the requests of the key's plan are used up"),
        (FeedMood::Blocked, "the feed refuses this machine"),
        (FeedMood::Maintenance, "in maintenance"),
        (FeedMood::Old, "bitcoin is more than ten minutes old"),
    ] {
        feeds.feeds.moods().set("coingecko", mood);
        let found = feeds.check(&file(&right));
        assert!(found.problem("coingecko").contains(said), "{mood:?}: {}", found.problem("coingecko"));
    }
    feeds.feeds.moods().set("coingecko", FeedMood::Null("LTC"));
    let found = feeds.check(&file(&right));
    assert_eq!(found.feed("coingecko")["leftOut"][0], "litecoin in EUR is null");
    assert_eq!((found.missing().as_str(), found.euros("BTC")), ("", Some("60000")), "{}", found.report);
}

/// Keys of paid plans belong to a host of their own; the file says where it is here.
#[test]
fn a_key_of_the_other_plan_is_named() {
    let feeds = Feeds::open();
    std::fs::write(feeds.path("key"), KEY).unwrap();
    let check = |plan: &str, path: &str, problem: &str| {
        let config = feeds.path("checkout.toml");
        let settings = format!(
            "[rates]\nfeeds = [\"coingecko\"]\ncoingecko_key_file = {:?}\ncoingecko_plan = {plan:?}\n\
             [rates.base_urls]\ncoingecko = \"{}/{path}\"\n",
            feeds.path("key"),
            feeds.feeds.url,
        );
        std::fs::write(&config, settings).unwrap();
        let output = run_with(&["rates", "check", "--config", &config], |_| {});
        let told = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.success(), problem.is_empty(), "{plan} {path}: {told}");
        assert!(told.contains(problem), "{plan} {path}: {told}");
    };
    check("demo", "coingecko", "");
    check("pro", "coingecko-pro", "");
    check("pro", "coingecko", "the key is one of a paid plan: set [rates] coingecko_plan = \"pro\"");
    check("demo", "coingecko-pro", "the key is a demo key: set [rates] coingecko_plan = \"demo\"");
}

#[test]
fn wrong_settings_are_explained() {
    let feeds = Feeds::open();
    for (settings, said) in [
        ("", "There is no feed of exchange rates: set [rates] feeds or [rates] url."),
        ("feeds = [\"binance\"]", "unknown variant `binance`"),
        ("feeds = [\"kraken\", \"kraken\"]", "feeds names Kraken twice"),
        ("feeds = [\"kraken\"]\ncoingecko_key_file = \"key\"", "feeds does not name \"coingecko\""),
        (
            "feeds = [\"coingecko\"]\ncoingecko_key_file = \"/nowhere\"",
            "coingecko_key_file /nowhere cannot be read",
        ),
    ] {
        let found = feeds.check(settings);
        assert_eq!(found.status, Some(1), "{settings}");
        assert!(found.told.contains(said), "{settings}: {}", found.told);
    }
}

/// A gateway quotes from the usual feeds, whatever one of them says, and asks slow ones seldom.
#[test]
fn quotes_of_the_usual_feeds() {
    let feeds = Feeds::open();
    let short = "refresh_seconds = 1\nmax_age_seconds = 3";
    let config = feeds.configure(&format!("{}\n{short}", list(&usual())));
    let database = feeds.folder.path().join("checkout.db");
    let gateway = Gateway::start(&database, &["--config", &config]);
    let rate = |from: &str, to: &str| {
        let (status, answer) =
            gateway.call("GET", &format!("/api/v1/rates?from={from}&to={to}"), &Value::Null);
        (status == 200).then(|| answer[0]["rate"].as_str().unwrap().to_owned())
    };
    eventually("a rate", || rate("BTC", "EUR").as_deref() == Some("60000"));
    for (code, _) in FIAT_CURRENCIES {
        assert!(rate("BTC", code).is_some() && rate(code, "XLM").is_some(), "{code}");
    }
    feeds.feeds.moods().set("kraken", FeedMood::AllPercent(1000));
    let rounds = || {
        let moods = feeds.feeds.moods();
        let asked = |feed: &str| moods.requests.iter().filter(|request| request.starts_with(feed)).count();
        (asked("kraken"), asked("ecb"))
    };
    let before = rounds().0;
    eventually("some rounds", || rounds().0 > before + 3);
    assert_eq!(rate("BTC", "EUR").as_deref(), Some("60000"));
    assert_eq!(rate("EUR", "USD").as_deref(), Some("1.1435"));
    // The right ones fail: Kraken alone is no source, and the last rates end.
    for feed in ["coinbase", "bitstamp"] {
        feeds.feeds.moods().set(feed, FeedMood::Maintenance);
    }
    eventually("no rate", || rate("BTC", "EUR").is_none());
    assert_eq!(rate("BTC", "USD"), None);
    let before = rounds().0;
    eventually("some rounds", || rounds().0 > before + 3);
    assert_eq!(rate("BTC", "EUR"), None);
    assert_eq!(rate("EUR", "PLN"), None, "nobody says whether Kraken or the central bank is right");
    for feed in ["kraken", "coinbase", "bitstamp"] {
        feeds.feeds.moods().set(feed, FeedMood::Fine);
    }
    eventually("a rate", || rate("BTC", "EUR").as_deref() == Some("60000"));
    assert_eq!(rounds().1, 1, "the central bank is asked once an hour");
}
