//! CoinGecko's public API: prices of coins, averaged over exchanges, in every fiat currency.
//!
//! Form: <https://docs.coingecko.com/reference/simple-price>; keys: <https://docs.coingecko.com/reference/authentication>.

use std::collections::BTreeMap;
use std::time::Duration;

use checkout_core::currency::{CurrencySpec, EVERY_CURRENCY};
use checkout_core::{Currency, Decimal};
use checkout_domain::rates::asset::{Asset, gas_coins};
use checkout_domain::rates::fiat::Fiat;
use reqwest::header::HeaderName;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::feed::{self, Answer, Pair};

/// Maximum age of a price, in seconds. Prices without an API key are up to a few minutes old.
const MAX_AGE: u64 = 600;

/// A demo key may ask 10,000 times a month.
const EVERY: Duration = Duration::from_mins(5);

/// The kind of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CoingeckoPlan {
    /// A free key.
    #[default]
    Demo,
    /// A key of any paid plan, which has a host of its own.
    Pro,
}

impl CoingeckoPlan {
    pub(super) fn base(self) -> &'static str {
        match self {
            Self::Demo => "https://api.coingecko.com",
            Self::Pro => "https://pro-api.coingecko.com",
        }
    }

    pub(super) fn header(self) -> HeaderName {
        HeaderName::from_static(match self {
            Self::Demo => "x-cg-demo-api-key",
            Self::Pro => "x-cg-pro-api-key",
        })
    }

    /// The pause between requests with its key, if it is longer than usual.
    pub(super) fn every(self) -> Option<Duration> {
        (self == Self::Demo).then_some(EVERY)
    }
}

/// CoinGecko's id of each coin.
fn coins() -> impl Iterator<Item = (&'static str, Asset)> {
    let currency = |row: &CurrencySpec| (row.currency.feed_names().coingecko, Asset::Crypto(row.currency));
    let gas = gas_coins().map(|coin| (coin.coingecko, Asset::Gas(coin)));
    EVERY_CURRENCY.iter().map(currency).chain(gas)
}

pub(super) fn path() -> String {
    let ids: Vec<&str> = coins().map(|(id, _)| id).collect();
    let fiats: Vec<String> = Fiat::all().map(|fiat| fiat.code().to_ascii_lowercase()).collect();
    format!(
        "/api/v3/simple/price?ids={}&vs_currencies={}&include_last_updated_at=true&precision=full",
        ids.join(","),
        fiats.join(",")
    )
}

/// `now` is a UNIX second. A price can be null.
pub(super) fn read(body: &[u8], now: u64) -> Result<Answer, String> {
    let text = feed::checked(body)?;
    let table: BTreeMap<String, Box<RawValue>> =
        serde_json::from_str(text).map_err(|error| feed::not_rates(&error))?;
    let mut answer = Answer::default();
    for (id, coin) in coins() {
        let Some(row) = table.get(id) else { continue };
        let Ok(row) = serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(row.get()) else {
            answer.odd.push(format!("{id} has no prices"));
            continue;
        };
        if let Err(reason) = fresh(&row, now) {
            answer.odd.push(format!("{id} {reason}"));
            continue;
        }
        for fiat in Fiat::all() {
            if let Some(rate) = row.get(&fiat.code().to_ascii_lowercase()) {
                answer.add(&format!("{id} in {}", fiat.code()), coin, Asset::Fiat(fiat), feed::number(rate));
            }
        }
    }
    let crosses = crosses(&answer.pairs);
    answer.pairs.extend(crosses);
    answer.checked()
}

fn fresh(row: &BTreeMap<String, Box<RawValue>>, now: u64) -> Result<(), &'static str> {
    let changed = row.get("last_updated_at").and_then(|at| feed::second(at));
    let changed = changed.ok_or("has no last_updated_at")?;
    if now.saturating_sub(changed) > MAX_AGE { Err("is more than ten minutes old") } else { Ok(()) }
}

/// Euros in other fiat currencies, computed through bitcoin.
fn crosses(pairs: &[Pair]) -> Vec<Pair> {
    let (bitcoin, euro) = (Asset::Crypto(Currency::Btc), Asset::Fiat(Fiat::EUR));
    let prices = pairs.iter().filter(|(from, _, _)| *from == bitcoin);
    let Some(in_euros) = prices.clone().find(|(_, to, _)| *to == euro).map(|(_, _, rate)| *rate) else {
        return Vec::new();
    };
    let others = prices.filter(|(_, to, _)| *to != euro);
    others.filter_map(|(_, to, rate)| Some((euro, *to, Decimal::checked_div(*rate, in_euros)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::feed::tests::{expect, shown};
    use super::*;

    /// In the form of the documentation's example, with precision=full.
    const RECORDED: &str = r#"{"bitcoin":{"eur":58713.42001,"usd":63410.5,"last_updated_at":1711356300},
        "stellar":{"eur":0.0891123456789,"last_updated_at":1711356291},"unknown":{}}"#;
    const NOW: u64 = 1_711_356_400;

    #[test]
    fn a_recorded_answer() {
        let found = shown(&read(RECORDED.as_bytes(), NOW).unwrap());
        let expected = "BTC EUR 58713.42001, BTC USD 63410.5, XLM EUR 0.0891123456789, EUR USD 1.0800";
        assert!(found.starts_with(expected), "{found}");
    }

    #[test]
    fn an_odd_price_costs_that_price() {
        let check = |from: &str, to: &str, now: u64, expected: &str| {
            let found = shown(&read(RECORDED.replace(from, to).as_bytes(), now).unwrap());
            assert_eq!(found, expected, "{to}");
        };
        let rest = "BTC USD 63410.5, XLM EUR 0.0891123456789, odd: bitcoin in EUR";
        check("58713.42001", "null", NOW, &format!("{rest} is null"));
        check("58713.42001", "0", NOW, &format!("{rest} is zero"));
        check("58713.42001", "5.8e4", NOW, &format!("{rest} cannot be read: an amount has no exponent"));
        let stellar = "XLM EUR 0.0891123456789, odd: bitcoin";
        check(r#","last_updated_at":1711356300"#, "", NOW, &format!("{stellar} has no last_updated_at"));
        check("1711356300", "null", NOW, &format!("{stellar} has no last_updated_at"));
        let whole = "BTC EUR 58713.42001, BTC USD 63410.5, XLM EUR 0.0891123456789, EUR USD 1.0800";
        for same in ["\"1711356300\"", "1711356300.5"] {
            let found = shown(&read(RECORDED.replace("1711356300", same).as_bytes(), NOW).unwrap());
            assert!(found.starts_with(whole), "{same}: {found}");
        }
        check("1711356300", "1711350000", NOW, &format!("{stellar} is more than ten minutes old"));
        let bitcoin = r#"{"eur":58713.42001,"usd":63410.5,"last_updated_at":1711356300}"#;
        check(bitcoin, "null", NOW, &format!("{stellar} has no prices"));
        check(bitcoin, "{\"last_updated_at\":1711356300}", NOW, "XLM EUR 0.0891123456789");
    }

    #[test]
    fn unusable_answers_are_refused() {
        let check =
            |body: &str, now: u64, expected: &str| expect(&read(body.as_bytes(), now), Err(expected), body);
        check(RECORDED, NOW + MAX_AGE, "more than ten minutes old");
        check(&RECORDED.replace(r#""usd""#, r#""eur""#), NOW, "twice");
        check("{}", NOW, "no rate");
        check(
            r#"{"status":{"error_code":429,"error_message":"You've exceeded the Rate Limit."}}"#,
            NOW,
            "no rate",
        );
    }

    #[test]
    fn every_currency_has_its_id() {
        let ids: Vec<&str> = coins().map(|(id, _)| id).collect();
        for (at, id) in ids.iter().enumerate() {
            assert!(!id.is_empty() && !ids[..at].contains(id), "{id}");
        }
        assert!(path().contains("ids=bitcoin,ethereum,") && path().contains("&vs_currencies=eur,usd,"));
    }
}
