//! The answers of each feed, and how it refuses.

use std::collections::BTreeMap;
use std::time::SystemTime;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use checkout_core::Decimal;
use serde_json::{Map, Value, json};

use super::FeedMood;
use super::market::{KEY, Market};

/// Kraken's markets of currencies, with the currency that a euro buys.
const KRAKEN_FIATS: [(&str, &str); 6] = [
    ("ZEURZUSD", "USD"),
    ("EURGBP", "GBP"),
    ("EURCHF", "CHF"),
    ("EURJPY", "JPY"),
    ("EURCAD", "CAD"),
    ("EURAUD", "AUD"),
];

/// What Bitstamp sells for euros.
const BITSTAMP: [&str; 9] = ["BTC", "ETH", "USDT", "USDC", "LTC", "BCH", "XRP", "XLM", "LINK"];

fn json_of(status: StatusCode, body: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

fn page(status: StatusCode, title: &str) -> Response {
    let body = format!(
        "<!DOCTYPE html><html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>"
    );
    (status, [(header::CONTENT_TYPE, "text/html")], body).into_response()
}

/// The answer of a feed that does not want to answer. Kraken's errors have status 200.
pub(super) fn refusal(feed: &str, mood: FeedMood) -> Option<Response> {
    let kraken = |error: &str| json_of(StatusCode::OK, &json!({"error": [error]}));
    Some(match (mood, feed) {
        (FeedMood::Limited, "kraken") => kraken("EGeneral:Too many requests"),
        (FeedMood::Limited, "bitstamp") => json_of(
            StatusCode::BAD_REQUEST,
            &json!({"response_code": "400.002", "response_explanation": "Request rejected due to exceeded rate limit."}),
        ),
        (FeedMood::Limited, "coinbase") => json_of(
            StatusCode::TOO_MANY_REQUESTS,
            &json!({"errors": [{"id": "rate_limit_exceeded", "message": "Too many requests"}]}),
        ),
        (FeedMood::Limited, _) => {
            let said = "You've exceeded the Rate Limit. Please visit https://www.coingecko.com/en/api/pricing to subscribe to our API plans for higher rate limits.";
            let body = json!({"status": {"error_code": 429, "error_message": said}});
            let mut answer = json_of(StatusCode::TOO_MANY_REQUESTS, &body);
            answer.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("60"));
            answer
        }
        (FeedMood::Blocked, _) => page(StatusCode::FORBIDDEN, "Attention Required! | Cloudflare"),
        (FeedMood::Maintenance, "kraken") => kraken("EService:Unavailable"),
        (FeedMood::Maintenance, _) => page(StatusCode::SERVICE_UNAVAILABLE, "Scheduled maintenance"),
        (FeedMood::Page, _) => page(StatusCode::OK, "We will be back soon"),
        (FeedMood::Moved, _) => {
            (StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, "https://elsewhere.example/")])
                .into_response()
        }
        _ => return None,
    })
}

/// How CoinGecko refuses a request without the right key, which is of one kind on each host.
pub(super) fn key_refusal(is_pro: bool, (demo, pro): (Option<&str>, Option<&str>)) -> Option<Response> {
    let (right, wrong) = if is_pro { (pro, demo) } else { (demo, pro) };
    if right == Some(KEY) {
        return None;
    }
    if wrong.is_none() {
        let said = "API Key Missing. Please make sure you're using the right authentication method. For Pro API, please visit: https://docs.coingecko.com/reference/authentication.";
        let status =
            json!({"timestamp": "2026-05-17T01:39:44.892+00:00", "error_code": 10002, "error_message": said});
        return Some(json_of(StatusCode::UNAUTHORIZED, &json!({"status": status})));
    }
    let (code, kind, from, to) = if is_pro {
        (10011, "Demo", "pro-api.coingecko.com", "api.coingecko.com")
    } else {
        (10010, "Pro", "api.coingecko.com", "pro-api.coingecko.com")
    };
    let said = format!("If you are using {kind} API key, please change your root URL from {from} to {to}");
    let status = json!({"error_message": said});
    Some(json_of(StatusCode::BAD_REQUEST, &json!({"error_code": code, "status": status})))
}

/// Without names it answers with all markets. One unknown name makes all an error.
pub(super) fn kraken(market: &Market, names: Option<&str>) -> String {
    let ticker = |code: &str, price: Decimal| {
        let side = |price: Decimal| json!([market.written(code, price, true), "1", "1.000"]);
        let tick = price / Decimal::from(10_000);
        json!({"a": side(price + tick), "b": side(price - tick), "c": side(price), "o": "1"})
    };
    let mut listed = Map::new();
    for (code, _, name, euros) in market.coins() {
        if let Some(name) = name {
            listed.insert(name.to_owned(), ticker(code, euros));
        }
    }
    for (name, code) in KRAKEN_FIATS {
        if let Some((_, units)) = market.fiats().into_iter().find(|(known, _)| *known == code) {
            listed.insert(name.to_owned(), ticker(code, units));
        }
    }
    // A market in which orders can only be cancelled.
    listed.insert("RHEAUSD".to_owned(), json!({"a": ["0.034", "1", "1"], "b": ["0.004", "1", "1"]}));
    if let Some(names) = names {
        if names.split(',').any(|name| !listed.contains_key(name)) {
            return json!({"error": ["EQuery:Unknown asset pair"]}).to_string();
        }
        listed.retain(|name, _| names.split(',').any(|asked| asked == name));
    }
    if market.mood == FeedMood::OtherBase {
        return json!({"error": [], "result": null}).to_string();
    }
    json!({"error": [], "result": listed}).to_string()
}

pub(super) fn coinbase(market: &Market, base: Option<&String>) -> String {
    let mut rates = Map::new();
    for (code, _, _, euros) in market.coins() {
        rates.insert(code.to_owned(), market.written(code, Decimal::ONE / euros, true));
    }
    for (code, units) in market.fiats() {
        rates.insert(code.to_owned(), market.written(code, units, true));
    }
    rates.insert("AED".to_owned(), Value::from("4.2"));
    let base = if market.mood == FeedMood::OtherBase { "USD" } else { base.map_or("USD", String::as_str) };
    json!({"data": {"currency": base, "rates": rates}}).to_string()
}

pub(super) fn bitstamp(market: &Market) -> String {
    if market.mood == FeedMood::OtherBase {
        return json!({"data": []}).to_string();
    }
    let made = market.made().as_secs().to_string();
    let row = |pair: String, code: &str, price: Decimal, kind: &str| {
        let tick = price / Decimal::from(10_000);
        let written = |price| market.written(code, price, true);
        json!({
            "timestamp": made, "open": "1", "high": "1", "low": "1", "last": written(price), "volume": "1", "vwap": "1",
            "bid": written(price - tick), "ask": written(price + tick), "side": "0", "open_24": "1",
            "percent_change_24": "0.1", "market_type": kind, "pair": pair, "market": pair,
        })
    };
    let mut rows = Vec::new();
    for (code, _, _, euros) in market.coins().into_iter().filter(|(code, ..)| BITSTAMP.contains(code)) {
        rows.push(row(format!("{code}/EUR"), code, euros, "SPOT"));
        rows.push(row(format!("{code}/EUR"), code, euros * Decimal::TWO, "PERPETUAL"));
    }
    for (code, units) in market.fiats() {
        match code {
            "USD" => rows.push(row("EUR/USD".to_owned(), code, units, "SPOT")),
            "GBP" => rows.push(row("GBP/EUR".to_owned(), code, Decimal::ONE / units, "SPOT")),
            _ => {}
        }
    }
    Value::from(rows).to_string()
}

/// The rouble is missing since 2022.
pub(super) fn ecb(market: &Market) -> String {
    let day = humantime::format_rfc3339_seconds(SystemTime::UNIX_EPOCH + market.made()).to_string();
    let day = &day[..10];
    let line = |(code, units): (&'static str, Decimal)| {
        let rate = match market.written(code, units, true) {
            Value::String(text) => text,
            other => other.to_string(),
        };
        format!("\t\t\t<Cube currency='{code}' rate='{rate}'/>\n")
    };
    let lines: String = market.fiats().into_iter().filter(|(code, _)| *code != "RUB").map(line).collect();
    let lines = if market.mood == FeedMood::OtherBase { String::new() } else { lines };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gesmes:Envelope xmlns:gesmes=\"http://www.gesmes.org/xml/2002-08-01\" \
         xmlns=\"http://www.ecb.int/vocabulary/2002-08-01/eurofxref\">\n\t<gesmes:subject>Reference rates</gesmes:subject>\n\
         \t<gesmes:Sender>\n\t\t<gesmes:name>European Central Bank</gesmes:name>\n\t</gesmes:Sender>\n\t<Cube>\n\
         \t\t<Cube time='{day}'>\n{lines}\t\t</Cube>\n\t</Cube>\n</gesmes:Envelope>"
    )
}

pub(super) fn coingecko(market: &Market, query: &BTreeMap<String, String>) -> String {
    let asked = |name: &str| -> Vec<String> {
        query.get(name).map(|list| list.split(',').map(str::to_owned).collect()).unwrap_or_default()
    };
    let (ids, fiats) = (asked("ids"), asked("vs_currencies"));
    let mut table = Map::new();
    for (code, id, _, euros) in market.coins() {
        if !ids.iter().any(|asked| asked == id) {
            continue;
        }
        let mut row = Map::new();
        if fiats.iter().any(|asked| asked == "eur") {
            row.insert("eur".to_owned(), market.written(code, euros, false));
        }
        for (fiat, units) in market.fiats() {
            if fiats.contains(&fiat.to_ascii_lowercase()) {
                row.insert(fiat.to_ascii_lowercase(), market.written(fiat, euros * units, false));
            }
        }
        row.insert("last_updated_at".to_owned(), Value::from(market.made().as_secs()));
        table.insert(id.to_owned(), Value::from(row));
    }
    if market.mood == FeedMood::OtherBase {
        return json!({"error": "Missing parameter vs_currencies"}).to_string();
    }
    Value::from(table).to_string()
}
