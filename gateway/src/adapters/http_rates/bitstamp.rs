//! Bitstamp's public API: the mid price between the best bid and the best ask of its spot markets in fiat currencies.
//!
//! Form: <https://www.bitstamp.net/api/#tag/Tickers/operation/GetCurrencyPairTickers>.

use checkout_core::Decimal;
use checkout_domain::rates::asset::Asset;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::feed::{self, Answer};

pub(super) const BASE: &str = "https://www.bitstamp.net";

/// Maximum age of a market's prices, in seconds.
const MAX_AGE: u64 = 600;

pub(super) fn path() -> String {
    "/api/v2/ticker/".to_owned()
}

#[derive(Deserialize)]
struct BitstampMarket {
    pair: String,
    #[serde(default)]
    bid: Option<Box<RawValue>>,
    #[serde(default)]
    ask: Option<Box<RawValue>>,
    /// A UNIX second, usually in a text.
    #[serde(default)]
    timestamp: Option<Box<RawValue>>,
    #[serde(default)]
    market_type: Option<String>,
}

/// `now` is a UNIX second. A row of another form is a market of another kind.
pub(super) fn read(body: &[u8], now: u64) -> Result<Answer, String> {
    let text = feed::checked(body)?;
    let rows: Vec<Box<RawValue>> = serde_json::from_str(text).map_err(|error| feed::not_rates(&error))?;
    let (mut answer, mut seen) = (Answer::default(), Vec::new());
    for row in rows {
        let Ok(market) = serde_json::from_str::<BitstampMarket>(row.get()) else { continue };
        if market.market_type.as_deref().is_some_and(|kind| kind != "SPOT") {
            continue;
        }
        let Some((Some(from), Some(to @ Asset::Fiat(_)))) =
            market.pair.split_once('/').map(|(from, to)| (Asset::quoted(from), Asset::quoted(to)))
        else {
            continue;
        };
        if seen.contains(&(from, to)) {
            return Err(format!("{} is there twice", market.pair));
        }
        seen.push((from, to));
        answer.add(&market.pair, from, to, price(&market, now));
    }
    answer.checked()
}

fn price(market: &BitstampMarket, now: u64) -> Result<Decimal, String> {
    fresh(market, now)?;
    let (Some(bid), Some(ask)) = (&market.bid, &market.ask) else {
        return Err("has no bid and ask".to_owned());
    };
    feed::middle(bid, ask)
}

fn fresh(market: &BitstampMarket, now: u64) -> Result<(), String> {
    let at = market.timestamp.as_deref().and_then(feed::second).ok_or_else(|| "has no time".to_owned())?;
    if now.saturating_sub(at) > MAX_AGE { Err("is more than ten minutes old".to_owned()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::super::feed::tests::expect;
    use super::*;

    /// In the form of the documentation's example.
    const RECORDED: &str = r#"[{"timestamp":"1785145936","open":"58200","high":"58919","low":"57776","last":"58714.1",
        "volume":"135.29","vwap":"58600","bid":"58714","ask":"58715","side":"1","open_24":"58001","percent_change_24":"1.58",
        "market_type":"SPOT","pair":"BTC/EUR","market":"BTC/EUR"},
        {"timestamp":"1785145937","bid":"1.08000","ask":"1.08010","market_type":"SPOT","pair":"EUR/USD"},
        {"timestamp":"1785145937","bid":"0.05","ask":"0.05","market_type":"SPOT","pair":"ETH/BTC"},
        {"timestamp":"1785145937","bid":"1","ask":"1","market_type":"PERPETUAL","pair":"ETH/EUR"},
        {"timestamp":"1785145937","bid":"1","ask":"1","market_type":"SPOT","pair":"NEAR/USD"}]"#;
    const NOW: u64 = 1_785_145_940;

    #[test]
    fn recorded_answers() {
        let check = |from: &str, to: &str, now: u64, expected: Result<&str, &str>| {
            expect(&read(RECORDED.replace(from, to).as_bytes(), now), expected, to);
        };
        check("", "", NOW, Ok("BTC EUR 58714.50, EUR USD 1.08005"));
        check("\"58714\"", "58714", NOW, Ok("BTC EUR 58714.50, EUR USD 1.08005"));
        check("BTC/EUR", "XBT/EUR", NOW, Ok("EUR USD 1.08005"));
        check(
            "\"58714\"",
            "\"\"",
            NOW,
            Ok("EUR USD 1.08005, odd: BTC/EUR cannot be read: the amount is empty"),
        );
        check("\"58714\"", "null", NOW, Ok("EUR USD 1.08005, odd: BTC/EUR has no bid and ask"));
        check(
            "\"1785145936\"",
            "\"1785140000\"",
            NOW,
            Ok("EUR USD 1.08005, odd: BTC/EUR is more than ten minutes old"),
        );
        check("\"1785145936\"", "\"\"", NOW, Ok("EUR USD 1.08005, odd: BTC/EUR has no time"));
        check("", "", NOW + MAX_AGE, Err("more than ten minutes old"));
        check("EUR/USD", "BTC/EUR", NOW, Err("BTC/EUR is there twice"));
        check("\"1785145936\"", "1785145936", NOW, Ok("BTC EUR 58714.50, EUR USD 1.08005"));
        check("\"bid\":\"58714\",", "", NOW, Ok("EUR USD 1.08005, odd: BTC/EUR has no bid and ask"));
        check("\"timestamp\":\"1785145936\",", "", NOW, Ok("EUR USD 1.08005, odd: BTC/EUR has no time"));
        check("[{", "[null,1,{},{", NOW, Ok("BTC EUR 58714.50, EUR USD 1.08005"));
        expect(&read(b"[]", NOW), Err("no rate"), "empty");
        let limited = br#"{"response_code":"400.002","response_explanation":"Request rejected due to exceeded rate limit."}"#;
        expect(&read(limited, NOW), Err("no list of rates"), "limited");
    }
}
