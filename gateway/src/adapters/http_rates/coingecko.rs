//! CoinGecko's public API: prices of coins, averaged over exchanges, in every fiat currency.
//!
//! Form: <https://docs.coingecko.com/reference/simple-price>.

use std::collections::BTreeMap;

use checkout_core::currency::{CurrencySpec, EVERY_CURRENCY};
use checkout_core::{Currency, Decimal};
use checkout_domain::rates::asset::{Asset, gas_coins};
use checkout_domain::rates::fiat::Fiat;
use serde_json::value::RawValue;

use super::feed::{self, Pair};

/// Maximum age of a price, in seconds. Prices without an API key are up to a few minutes old.
const MAX_AGE: u64 = 600;

/// CoinGecko's id of each coin.
fn coins() -> impl Iterator<Item = (&'static str, Asset)> {
    let currency = |row: &CurrencySpec| (row.currency.feed_names().coingecko, Asset::Crypto(row.currency));
    let gas = gas_coins().map(|coin| (coin.coingecko, Asset::Gas(coin)));
    EVERY_CURRENCY.iter().map(currency).chain(gas)
}

pub(super) fn url() -> String {
    let ids: Vec<&str> = coins().map(|(id, _)| id).collect();
    let fiats: Vec<String> = Fiat::all().map(|fiat| fiat.code().to_ascii_lowercase()).collect();
    format!(
        "https://api.coingecko.com/api/v3/simple/price?ids={}&vs_currencies={}&include_last_updated_at=true&precision=full",
        ids.join(","),
        fiats.join(",")
    )
}

/// `now` is a UNIX second.
pub(super) fn read(body: &[u8], now: u64) -> Result<Vec<Pair>, String> {
    let text = feed::checked(body)?;
    let table: BTreeMap<String, BTreeMap<String, Box<RawValue>>> =
        serde_json::from_str(text).map_err(|error| feed::not_rates(&error))?;
    let mut pairs: Vec<Pair> = Vec::new();
    for (id, coin) in coins() {
        let Some(row) = table.get(id) else { continue };
        let changed = row.get("last_updated_at").and_then(|at| at.get().parse::<u64>().ok());
        let changed = changed.ok_or_else(|| format!("{id} has no last_updated_at"))?;
        if now.saturating_sub(changed) > MAX_AGE {
            tracing::warn!(coin = id, changed, "a price of CoinGecko is too old");
            continue;
        }
        for fiat in Fiat::all() {
            if let Some(rate) = row.get(&fiat.code().to_ascii_lowercase()) {
                let rate = feed::number(rate).map_err(|reason| format!("{id} in {fiat:?} {reason}"))?;
                pairs.push((coin, Asset::Fiat(fiat), rate));
            }
        }
    }
    pairs.extend(crosses(&pairs));
    feed::some(pairs)
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
    use super::*;

    /// In the form of the documentation's example, with precision=full.
    const RECORDED: &str = r#"{"bitcoin":{"eur":58713.42001,"usd":63410.5,"last_updated_at":1711356300},
        "stellar":{"eur":0.0891123456789,"last_updated_at":1711356291},"unknown":{}}"#;
    const NOW: u64 = 1_711_356_400;

    #[test]
    fn a_recorded_answer() {
        let pairs = read(RECORDED.as_bytes(), NOW).unwrap();
        let shown: Vec<String> =
            pairs.iter().map(|(from, to, rate)| format!("{} {} {rate}", from.code(), to.code())).collect();
        let expected = ["BTC EUR 58713.42001", "BTC USD 63410.5", "XLM EUR 0.0891123456789"];
        assert_eq!(shown[..3], expected);
        assert!(shown[3].starts_with("EUR USD 1.0800"), "{shown:?}");
    }

    #[test]
    fn unusable_answers_are_refused() {
        let check = |from: &str, to: &str, now: u64, expected: &str| {
            let reason = read(RECORDED.replace(from, to).as_bytes(), now).unwrap_err();
            assert!(reason.contains(expected), "{reason}");
        };
        check("", "", NOW + MAX_AGE, "no rate of a known currency");
        check("58713.42001", "0", NOW, "bitcoin in EUR is zero");
        check("58713.42001", "5.8e4", NOW, "bitcoin in EUR cannot be read");
        check(r#","last_updated_at":1711356300"#, "", NOW, "bitcoin has no last_updated_at");
        check(r#""usd""#, r#""eur""#, NOW, "twice");
        let limited = r#"{"status":{"error_code":429,"error_message":"You've exceeded the Rate Limit."}}"#;
        assert!(read(limited.as_bytes(), NOW).unwrap_err().contains("no rate"));
    }

    #[test]
    fn every_currency_has_its_id() {
        let ids: Vec<&str> = coins().map(|(id, _)| id).collect();
        for (at, id) in ids.iter().enumerate() {
            assert!(!id.is_empty() && !ids[..at].contains(id), "{id}");
        }
        assert!(url().contains("ids=bitcoin,ethereum,") && url().contains("&vs_currencies=eur,usd,"));
    }
}
