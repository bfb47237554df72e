//! Kraken's public API: the mid price between the best bid and the best ask of its markets.
//!
//! Form: <https://docs.kraken.com/api/docs/rest-api/get-ticker-information>.

use std::collections::BTreeMap;

use checkout_core::Decimal;
use checkout_core::currency::EVERY_CURRENCY;
use checkout_domain::rates::asset::{Asset, gas_coins};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::feed::{self, Pair};

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

#[derive(Deserialize)]
struct KrakenAnswer {
    error: Vec<String>,
    #[serde(default)]
    result: BTreeMap<String, Ticker>,
}

/// Each side: price, whole lot volume, lot volume.
#[derive(Deserialize)]
struct Ticker {
    #[serde(rename = "a")]
    ask: Vec<Box<RawValue>>,
    #[serde(rename = "b")]
    bid: Vec<Box<RawValue>>,
}

pub(super) fn url() -> String {
    let names: Vec<&str> = markets().map(|(name, _, _)| name).collect();
    format!("https://api.kraken.com/0/public/Ticker?pair={}", names.join(","))
}

pub(super) fn read(body: &[u8], _: u64) -> Result<Vec<Pair>, String> {
    let text = feed::checked(body)?;
    let KrakenAnswer { error, result } =
        serde_json::from_str(text).map_err(|error| feed::not_rates(&error))?;
    if !error.is_empty() {
        return Err(format!("Kraken says {}", error.join(", ")));
    }
    let mut pairs = Vec::new();
    for (name, from, to) in markets() {
        let Some(ticker) = result.get(name) else { continue };
        let price = middle(ticker).map_err(|reason| format!("{name} {reason}"))?;
        let asset = |code| Asset::quoted(code).expect("the table has known currencies");
        pairs.push((asset(from), asset(to), price));
    }
    feed::some(pairs)
}

fn middle(ticker: &Ticker) -> Result<Decimal, String> {
    let price = |side: &[Box<RawValue>]| feed::number(side.first().ok_or("has an empty side")?);
    let (ask, bid) = (price(&ticker.ask)?, price(&ticker.bid)?);
    if bid > ask {
        return Err("has a bid above its ask".to_owned());
    }
    Ok((ask + bid) / Decimal::TWO)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the form of the documentation's example.
    const RECORDED: &str = r#"{"error":[],"result":{
        "XXBTZEUR":{"a":["58714.10000","1","1.000"],"b":["58714.00000","1","1.000"],"c":["58714.10000","0.00649"],
            "v":["1378.29558699","4120.69226171"],"p":["58601.72908","58597.90051"],"t":[1960,5958],
            "l":["57776.90000","57775.80000"],"h":["58917.60000","58919.30000"],"o":"58200.20000"},
        "ZEURZUSD":{"a":["1.08010","1","1.000"],"b":["1.08000","1","1.000"]}}}"#;

    fn check(from: &str, to: &str, expected: Result<&[&str], &str>) {
        let found = read(RECORDED.replace(from, to).as_bytes(), 0);
        match (found, expected) {
            (Ok(pairs), Ok(expected)) => {
                let shown =
                    pairs.iter().map(|(from, to, rate)| format!("{} {} {rate}", from.code(), to.code()));
                assert_eq!(shown.collect::<Vec<_>>(), expected);
            }
            (Err(reason), Err(expected)) => assert!(reason.contains(expected), "{reason}"),
            (found, expected) => panic!("{found:?}, not {expected:?}"),
        }
    }

    #[test]
    fn recorded_answers() {
        check("", "", Ok(&["BTC EUR 58714.05000", "EUR USD 1.08005"]));
        check("XXBTZEUR", "NEWNAME", Ok(&["EUR USD 1.08005"]));
        check("58714.00000", "58714.10001", Err("XXBTZEUR has a bid above its ask"));
        check("58714.00000", "0.00000", Err("XXBTZEUR is zero"));
        check(r#"["1.08000","1","1.000"]"#, "[]", Err("ZEURZUSD has an empty side"));
        check(r#""error":[]"#, r#""error":["EGeneral:Too many requests"]"#, Err("Too many requests"));
        check("ZEURZUSD", "XXBTZEUR", Err("twice"));
    }

    #[test]
    fn every_currency_has_its_market() {
        for row in EVERY_CURRENCY {
            let mut same = markets().filter(|(name, ..)| *name == row.currency.feed_names().kraken);
            assert_eq!(same.next().map(|(_, from, to)| (from, to)), Some((row.code, "EUR")));
            assert!(same.next().is_none(), "{}", row.code);
        }
        assert!(url().contains("pair=XXBTZEUR,XETHZEUR,") && url().contains(",TRXEUR,ZEURZUSD,"));
    }
}
