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

/// Maximum number of decimal places.
const PLACES: u8 = 24;

#[derive(Deserialize)]
struct RateRow<'a> {
    #[serde(borrow)]
    from: &'a RawValue,
    #[serde(borrow)]
    to: &'a RawValue,
    #[serde(borrow)]
    rate: &'a RawValue,
}

/// Returns the rates between supported currencies. One invalid value invalidates the whole answer.
pub(super) fn read(body: &[u8]) -> Result<Vec<Pair>, String> {
    let text = checked(body)?;
    let not_rates = |error| not_rates(&error);
    let mut rates: Vec<Pair> = Vec::new();
    let mut add = |from: &str, to: &str, rate: &RawValue| {
        let (Some(from), Some(to)) = (Asset::quoted(from), Asset::quoted(to)) else { return Ok(()) };
        let rate = number(rate).map_err(|reason| format!("{} in {} {reason}", from.code(), to.code()))?;
        if rates.iter().any(|(f, t, _)| (*f, *t) == (from, to)) {
            return Err(format!("{} in {} is there twice", from.code(), to.code()));
        }
        rates.push((from, to, rate));
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
    some(rates)
}

/// The text of an answer: JSON without duplicate keys.
pub(super) fn checked(body: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(body).map_err(|_| "the answer is not UTF-8".to_owned())?;
    let UniqueKeys = serde_json::from_str(text).map_err(|error| not_rates(&error))?;
    Ok(text)
}

pub(super) fn not_rates(error: &serde_json::Error) -> String {
    format!("the answer is no list of rates: {error}")
}

pub(super) fn some(rates: Vec<Pair>) -> Result<Vec<Pair>, String> {
    if rates.is_empty() { Err("the answer has no rate of a known currency".to_owned()) } else { Ok(rates) }
}

/// A decimal above zero, as a JSON number or string.
pub(super) fn number(raw: &RawValue) -> Result<Decimal, String> {
    let text = raw.get();
    let text = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    match decimal::parse(text, PLACES) {
        Ok(rate) if rate.is_zero() => Err("is zero".to_owned()),
        Ok(rate) => Ok(rate),
        Err(error) => Err(format!("cannot be read: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, expected: Result<&[(&str, &str, &str)], &str>) {
        let shown = read(body.as_bytes()).map(|rates| {
            let shown = |(from, to, rate): (Asset, Asset, Decimal)| {
                (from.code().to_owned(), to.code().to_owned(), rate.to_string())
            };
            rates.into_iter().map(shown).collect::<Vec<_>>()
        });
        match (shown, expected) {
            (Ok(rates), Ok(expected)) => {
                let expected =
                    expected.iter().map(|(f, t, r)| ((*f).to_owned(), (*t).to_owned(), (*r).to_owned()));
                assert_eq!(rates, expected.collect::<Vec<_>>(), "{body}");
            }
            (Err(reason), Err(expected)) => assert!(reason.contains(expected), "{body}: {reason}"),
            (found, expected) => panic!("{body}: {found:?}, not {expected:?}"),
        }
    }

    #[test]
    fn both_forms_with_exact_digits() {
        let btc = [("BTC", "EUR", "60000.123456789012345")];
        check(r#"[{"from":"BTC","to":"EUR","rate":"60000.123456789012345"}]"#, Ok(&btc));
        check(r#"[{"from":"BTC","to":"EUR","rate":60000.123456789012345,"at":1}]"#, Ok(&btc));
        check(r#"{"BTC":{"EUR":60000.123456789012345,"XXX":1},"NOPE":{"EUR":0.1}}"#, Ok(&btc));
        check(r#" {"BTC":{"EUR":60000.10}}"#, Ok(&[("BTC", "EUR", "60000.10")]));
    }

    #[test]
    fn one_invalid_value_invalidates_the_answer() {
        for (rate, reason) in [
            ("0", "is zero"),
            ("0.0", "is zero"),
            ("-1", "cannot be read"),
            ("1e5", "cannot be read"),
            ("null", "cannot be read"),
            ("\"\"", "cannot be read"),
            ("\"NaN\"", "cannot be read"),
            ("\" 1\"", "cannot be read"),
            ("{}", "cannot be read"),
            ("99999999999999999999999999999999", "cannot be read"),
        ] {
            check(&format!(r#"{{"BTC":{{"EUR":{rate}}},"ETH":{{"EUR":3000}}}}"#), Err(reason));
            check(&format!(r#"[{{"from":"BTC","to":"EUR","rate":{rate}}}]"#), Err(reason));
        }
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
}
