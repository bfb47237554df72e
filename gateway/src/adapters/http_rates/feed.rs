//! The two forms of a feed: `[{"from": "BTC", "to": "EUR", "rate": "60000.5"}, …]`, as returned by this
//! gateway's `GET /api/v1/rates`, or `{"BTC": {"EUR": 60000.5, …}, …}`, as returned by public feeds. Numbers
//! keep their exact text; there are no floats.

use std::collections::BTreeMap;

use checkout_core::{Decimal, decimal};
use checkout_domain::rates::asset::Asset;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::unique_keys::UniqueKeys;

/// The price of one unit of the first asset in the second.
pub(super) type Pair = (Asset, Asset, Decimal);

/// What a feed says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) pairs: Vec<Pair>,
    /// What is wrong with prices that are left out, as ends of a sentence.
    pub(super) odd: Vec<String>,
}

/// Maximum number of decimal places.
const PLACES: u8 = 24;

/// A market whose ask is more than this part above its bid trades nothing: 10 %.
const SPREAD: u8 = 10;

#[derive(Deserialize)]
struct RateRow<'a> {
    #[serde(borrow)]
    from: &'a RawValue,
    #[serde(borrow)]
    to: &'a RawValue,
    #[serde(borrow)]
    rate: &'a RawValue,
}

impl Answer {
    /// Adds a price, or what is wrong with it.
    pub(super) fn add(&mut self, name: &str, from: Asset, to: Asset, rate: Result<Decimal, String>) {
        match rate {
            Ok(rate) => self.pairs.push((from, to, rate)),
            Err(reason) => self.odd.push(format!("{name} {reason}")),
        }
    }

    /// An answer without any price is an error.
    pub(super) fn checked(self) -> Result<Self, String> {
        match (self.pairs.is_empty(), &self.odd[..]) {
            (false, _) => Ok(self),
            (true, []) => Err("the answer has no rate of a known currency".to_owned()),
            (true, odd) => Err(format!("the answer has no usable rate: {}", odd.join(", "))),
        }
    }
}

/// Returns the rates between supported currencies. An odd rate is left out; an answer that contradicts itself is an error.
pub(super) fn read(body: &[u8]) -> Result<Answer, String> {
    let text = checked(body)?;
    let not_rates = |error| not_rates(&error);
    let mut answer = Answer::default();
    let mut seen: Vec<(Asset, Asset)> = Vec::new();
    let mut add = |from: &str, to: &str, rate: &RawValue| {
        let (Some(from), Some(to)) = (Asset::quoted(from), Asset::quoted(to)) else { return Ok(()) };
        if seen.contains(&(from, to)) {
            return Err(format!("{} in {} is there twice", from.code(), to.code()));
        }
        seen.push((from, to));
        answer.add(&format!("{} in {}", from.code(), to.code()), from, to, number(rate));
        Ok(())
    };
    if text.trim_start().starts_with('[') {
        let rows: Vec<RateRow<'_>> = serde_json::from_str(text).map_err(not_rates)?;
        for row in rows {
            let code = |raw: &RawValue| serde_json::from_str::<String>(raw.get()).map_err(not_rates);
            add(&code(row.from)?, &code(row.to)?, row.rate)?;
        }
    } else {
        let table: BTreeMap<String, BTreeMap<String, Box<RawValue>>> =
            serde_json::from_str(text).map_err(not_rates)?;
        for (from, row) in &table {
            for (to, rate) in row {
                add(from, to, rate)?;
            }
        }
    }
    answer.checked()
}

/// The text of an answer: JSON without duplicate keys.
pub(super) fn checked(body: &[u8]) -> Result<&str, String> {
    let text = utf8(body)?;
    let UniqueKeys = serde_json::from_str(text).map_err(|error| not_rates(&error))?;
    Ok(text)
}

pub(super) fn utf8(body: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(body).map_err(|_| "the answer is not UTF-8".to_owned())?;
    Ok(text.trim_start_matches('\u{feff}'))
}

pub(super) fn not_rates(error: &serde_json::Error) -> String {
    format!("the answer is no list of rates: {error}")
}

/// A decimal above zero, as a JSON number or string.
pub(super) fn number(raw: &RawValue) -> Result<Decimal, String> {
    let text = raw.get();
    positive(text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text))
}

/// A UNIX second, as a JSON number or string.
pub(super) fn second(raw: &RawValue) -> Option<u64> {
    number(raw).ok()?.trunc().to_string().parse().ok()
}

/// A decimal above zero.
pub(super) fn positive(text: &str) -> Result<Decimal, String> {
    match decimal::parse(text, PLACES) {
        Ok(rate) if rate.is_zero() => Err("is zero".to_owned()),
        Ok(rate) => Ok(rate),
        Err(_) if text == "null" => Err("is null".to_owned()),
        Err(error) => Err(format!("cannot be read: {error}")),
    }
}

/// The price in the middle of a market's best bid and ask.
pub(super) fn middle(bid: &RawValue, ask: &RawValue) -> Result<Decimal, String> {
    let (bid, ask) = (number(bid)?, number(ask)?);
    if bid > ask {
        return Err("has a bid above its ask".to_owned());
    }
    if (ask - bid).checked_mul(Decimal::from(SPREAD)).is_none_or(|spread| spread > bid) {
        return Err("has an ask more than 10 % above its bid".to_owned());
    }
    Ok(bid + (ask - bid) / Decimal::TWO)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// `BTC EUR 60000, EUR USD 1.08` and the odd prices.
    pub(in super::super) fn shown(answer: &Answer) -> String {
        let pairs =
            answer.pairs.iter().map(|(from, to, rate)| format!("{} {} {rate}", from.code(), to.code()));
        let odd = answer.odd.iter().map(|odd| format!("odd: {odd}"));
        pairs.chain(odd).collect::<Vec<_>>().join(", ")
    }

    /// An expected error is a part of it.
    #[track_caller]
    pub(in super::super) fn expect(
        found: &Result<Answer, String>,
        expected: Result<&str, &str>,
        asked: &str,
    ) {
        match (found, expected) {
            (Ok(answer), Ok(expected)) => assert_eq!(shown(answer), expected, "{asked}"),
            (Err(reason), Err(expected)) => assert!(reason.contains(expected), "{asked}: {reason}"),
            (found, expected) => panic!("{asked}: {found:?}, not {expected:?}"),
        }
    }

    #[track_caller]
    fn check(body: &str, expected: Result<&str, &str>) {
        expect(&read(body.as_bytes()), expected, body);
    }

    #[test]
    fn both_forms_with_exact_digits() {
        let btc = Ok("BTC EUR 60000.123456789012345");
        check(r#"[{"from":"BTC","to":"EUR","rate":"60000.123456789012345"}]"#, btc);
        check(r#"[{"from":"BTC","to":"EUR","rate":60000.123456789012345,"at":1}]"#, btc);
        check(r#"{"BTC":{"EUR":60000.123456789012345,"XXX":1},"NOPE":{"EUR":0.1}}"#, btc);
        check(r#" {"BTC":{"EUR":60000.10}}"#, Ok("BTC EUR 60000.10"));
        check("\u{feff}{\"BTC\":{\"EUR\":60000}}", Ok("BTC EUR 60000"));
        check(r#"{"BNB":{"EUR":600}}"#, Ok("BNB EUR 600"));
    }

    #[test]
    fn an_odd_rate_costs_that_rate() {
        for (rate, reason) in [
            ("0", "is zero"),
            ("0.0", "is zero"),
            ("null", "is null"),
            ("-1", "cannot be read"),
            ("1e5", "cannot be read"),
            ("\"\"", "cannot be read"),
            ("\"NaN\"", "cannot be read"),
            ("\" 1\"", "cannot be read"),
            ("{}", "cannot be read"),
            ("99999999999999999999999999999999", "cannot be read"),
        ] {
            let answer =
                read(format!(r#"{{"BTC":{{"EUR":{rate}}},"ETH":{{"EUR":3000}}}}"#).as_bytes()).unwrap();
            let found = shown(&answer);
            assert!(found.starts_with(&format!("ETH EUR 3000, odd: BTC in EUR {reason}")), "{found}");
            check(&format!(r#"[{{"from":"BTC","to":"EUR","rate":{rate}}}]"#), Err(reason));
        }
    }

    #[test]
    fn an_answer_that_contradicts_itself_is_none() {
        let twice = r#"{"from":"BTC","to":"EUR","rate":"1"}"#;
        check(&format!("[{twice},{twice}]"), Err("twice"));
        for doubled in [
            r#"{"BTC":{"EUR":60000,"EUR":60001}}"#,
            r#"{"BTC":{"EUR":60000},"BTC":{"USD":64000}}"#,
            r#"{"BTC":{"EUR":60000},"SHIB":{"EUR":1,"EUR":2}}"#,
            r#"[{"from":"BTC","to":"EUR","rate":"1","rate":"2"}]"#,
            r#"[{"from":"BTC","to":"EUR","rate":"1","source":{"a":1,"a":2}}]"#,
            r#"{"BTC":{"EUR":60000},"BTC":{}}"#,
            r#"{"BTC":{"E\u0055R":60000,"EUR":60001}}"#,
            r#"[{"from":"BTC","to":"EUR","rate":null},{"from":"BTC","to":"EUR","rate":"1"}]"#,
        ] {
            check(doubled, Err("twice"));
        }
        for body in [
            "",
            "[]",
            "{}",
            "null",
            "1",
            "<html>",
            r#"{"BTC":1}"#,
            r#"{"error":"quota"}"#,
            r#"[{"from":"BTC"}]"#,
        ] {
            check(body, Err("the answer"));
        }
    }

    #[test]
    fn the_middle_of_a_market() {
        let check = |bid: &str, ask: &str, expected: &str| {
            let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
            let found = middle(&raw(bid), &raw(ask)).map(|price| price.normalize().to_string());
            assert_eq!(found.unwrap_or_else(|reason| reason), expected, "{bid} {ask}");
        };
        check("\"1.0\"", "1.2", "has an ask more than 10 % above its bid");
        check("1.0", "\"1.1\"", "1.05");
        check("2", "1", "has a bid above its ask");
        // A market of Kraken in which orders can only be cancelled.
        check("\"0.004470000\"", "\"0.034000000\"", "has an ask more than 10 % above its bid");
        check("0", "1", "is zero");
        check("null", "1", "is null");
    }
}
