//! Kraken's public API: the mid price between the best bid and the best ask of its markets.
//!
//! Form: <https://docs.kraken.com/api/docs/rest-api/get-ticker-information>. Errors come with status 200:
//! <https://docs.kraken.com/exchange/guides/general/errors>. One market that it no longer has makes the whole answer an error.

use std::collections::BTreeMap;

use checkout_core::Decimal;
use checkout_core::currency::EVERY_CURRENCY;
use checkout_domain::rates::asset::{Asset, gas_coins};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::feed::{self, Answer};

pub(super) const BASE: &str = "https://api.kraken.com";

/// The prices of all markets.
pub(super) const ALL: &str = "/0/public/Ticker";

/// Kraken's name of a market of fiat currencies, with its base and quote assets.
const FIAT_MARKETS: [(&str, &str, &str); 6] = [
    ("ZEURZUSD", "EUR", "USD"),
    ("EURGBP", "EUR", "GBP"),
    ("EURCHF", "EUR", "CHF"),
    ("EURJPY", "EUR", "JPY"),
    ("EURCAD", "EUR", "CAD"),
    ("EURAUD", "EUR", "AUD"),
];

/// All markets: those of the tables of currencies and gas coins come first.
fn markets() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let currencies = EVERY_CURRENCY.iter().map(|row| (row.currency.feed_names().kraken, row.code, "EUR"));
    let gas = gas_coins().filter_map(|coin| Some((coin.kraken?, coin.code, "EUR")));
    currencies.chain(gas).chain(FIAT_MARKETS)
}

/// An error begins with `E`, a warning with `W`.
#[derive(Deserialize)]
struct KrakenAnswer {
    error: Vec<String>,
    #[serde(default)]
    result: Option<BTreeMap<String, Box<RawValue>>>,
}

/// Each side: price, whole lot volume, lot volume.
#[derive(Deserialize)]
struct Ticker {
    #[serde(rename = "a")]
    ask: Vec<Box<RawValue>>,
    #[serde(rename = "b")]
    bid: Vec<Box<RawValue>>,
}

pub(super) fn path() -> String {
    let names: Vec<&str> = markets().map(|(name, _, _)| name).collect();
    format!("{ALL}?pair={}", names.join(","))
}

/// Whether the answer is that a market of the request does not exist.
pub(super) fn lacks_a_market(body: &[u8]) -> bool {
    let answer: Result<KrakenAnswer, _> = serde_json::from_slice(body);
    answer.is_ok_and(|answer| answer.error.iter().any(|error| error.starts_with("EQuery:Unknown asset pair")))
}

pub(super) fn read(body: &[u8], _: u64) -> Result<Answer, String> {
    let text = feed::checked(body)?;
    let KrakenAnswer { error, result } =
        serde_json::from_str(text).map_err(|error| feed::not_rates(&error))?;
    let errors: Vec<&str> = error.iter().map(String::as_str).filter(|error| error.starts_with('E')).collect();
    if !errors.is_empty() {
        return Err(format!("Kraken says {}", errors.join(", ")));
    }
    let result = result.unwrap_or_default();
    let mut answer = Answer::default();
    for (name, from, to) in markets() {
        let Some(ticker) = result.get(name) else { continue };
        let asset = |code| Asset::quoted(code).expect("the table has known currencies");
        answer.add(name, asset(from), asset(to), middle(ticker));
    }
    answer.checked()
}

fn middle(ticker: &RawValue) -> Result<Decimal, String> {
    let Ticker { ask, bid } = serde_json::from_str(ticker.get()).map_err(|_| "has no bid and ask")?;
    let price = |side: &[Box<RawValue>]| side.first().cloned().ok_or("has an empty side");
    feed::middle(&price(&bid)?, &price(&ask)?)
}

#[cfg(test)]
mod tests {
    use super::super::feed::tests::expect;
    use super::*;

    /// In the form of the documentation's example.
    const RECORDED: &str = r#"{"error":[],"result":{
        "XXBTZEUR":{"a":["58714.10000","1","1.000"],"b":["58714.00000","1","1.000"],"c":["58714.10000","0.00649"],
            "v":["1378.29558699","4120.69226171"],"p":["58601.72908","58597.90051"],"t":[1960,5958],
            "l":["57776.90000","57775.80000"],"h":["58917.60000","58919.30000"],"o":"58200.20000"},
        "ZEURZUSD":{"a":["1.08010","1","1.000"],"b":["1.08000","1","1.000"]}}}"#;

    #[track_caller]
    fn check(from: &str, to: &str, expected: Result<&str, &str>) {
        expect(&read(RECORDED.replace(from, to).as_bytes(), 0), expected, to);
    }

    #[test]
    fn recorded_answers() {
        check("", "", Ok("BTC EUR 58714.05000, EUR USD 1.08005"));
        check("XXBTZEUR", "NEWNAME", Ok("EUR USD 1.08005"));
        check("\"58714.00000\"", "58714.00000", Ok("BTC EUR 58714.05000, EUR USD 1.08005"));
        check("[]", "[\"WGeneral:Danger\"]", Ok("BTC EUR 58714.05000, EUR USD 1.08005"));
        check("58714.00000", "58714.10001", Ok("EUR USD 1.08005, odd: XXBTZEUR has a bid above its ask"));
        check("58714.00000", "0.00000", Ok("EUR USD 1.08005, odd: XXBTZEUR is zero"));
        check(r#"["58714.00000","1","1.000"]"#, "[]", Ok("EUR USD 1.08005, odd: XXBTZEUR has an empty side"));
        check(
            r#"["58714.00000","1","1.000"]"#,
            "null",
            Ok("EUR USD 1.08005, odd: XXBTZEUR has no bid and ask"),
        );
        check("[]", r#"["EGeneral:Too many requests"]"#, Err("Kraken says EGeneral:Too many requests"));
        check("[]", r#"["EService:Unavailable"]"#, Err("EService:Unavailable"));
        check("ZEURZUSD", "XXBTZEUR", Err("twice"));
        expect(&read(br#"{"error":[],"result":null}"#, 0), Err("no rate"), "null");
    }

    #[test]
    fn a_market_that_is_gone() {
        assert!(lacks_a_market(br#"{"error":["EQuery:Unknown asset pair"]}"#));
        assert!(!lacks_a_market(RECORDED.as_bytes()));
        assert!(!lacks_a_market(b"<html>"));
    }

    #[test]
    fn every_coin_has_its_market() {
        for row in EVERY_CURRENCY {
            let mut same = markets().filter(|(name, ..)| *name == row.currency.feed_names().kraken);
            assert_eq!(same.next().map(|(_, from, to)| (from, to)), Some((row.code, "EUR")));
            assert!(same.next().is_none(), "{}", row.code);
        }
        assert!(path().contains("pair=XXBTZEUR,XETHZEUR,"));
        assert!(path().contains(",BNBEUR,TRXEUR,POLEUR,ZEURZUSD,"), "{}", path());
    }
}
