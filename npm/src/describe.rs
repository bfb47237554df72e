//! The code lists and tables of the core as JSON. JavaScript reads them once when the module is loaded.

use std::fmt::Write as _;

use checkout_core::address::Kind;
use checkout_core::network::TagRule;
use checkout_core::tag::MemoType;
use checkout_core::{Currency, Network, Pair, Reason, Table, Warning};

use crate::exchange::{LONGEST_UNITS, OUTPUT_BYTES, Text};
use crate::options::option_names;

/// All texts come from the core's tables. They are ASCII without quotes or backslashes, which a test checks.
pub(crate) fn json() -> String {
    let mut json = String::with_capacity(OUTPUT_BYTES);
    json.push_str("{\"limits\":[");
    list(
        &mut json,
        [LONGEST_UNITS, Text::Tag.place(), Text::Amount.place(), OUTPUT_BYTES].iter(),
        |json, number| {
            let _ = write!(json, "{number}");
        },
    );
    json.push_str("],\"kinds\":[");
    list(&mut json, Kind::ALL.iter(), |json, kind| quote(json, kind.code()));
    json.push_str("],\"memoTypes\":[");
    list(&mut json, MemoType::ALL.iter(), |json, memo_type| quote(json, memo_type.code()));
    json.push_str("],\"options\":[");
    list(&mut json, option_names(), |json, name| quote(json, &name));
    json.push_str("],\"warnings\":[");
    list(&mut json, Warning::ALL.iter(), |json, warning| quote(json, warning.code()));
    json.push_str("],\"networks\":[");
    list(&mut json, Network::ALL.iter(), |json, network| quote(json, network.code()));
    json.push_str("],\"reasons\":[");
    list(&mut json, Reason::ALL.iter(), |json, reason| quote(json, reason.code()));
    json.push_str("],\"messages\":[");
    list(&mut json, Reason::ALL.iter(), |json, reason| quote(json, reason.message()));
    json.push_str("],\"pairs\":[");
    list(&mut json, Table::All.pairs().iter(), |json, pair| {
        json.push('[');
        quote(json, pair.currency.code());
        json.push(',');
        quote(json, pair.network.code());
        json.push(']');
    });
    json.push_str("],\"currencies\":[");
    list(&mut json, Currency::ALL.iter(), |json, currency| {
        json.push_str("{\"currency\":");
        quote(json, currency.code());
        json.push_str(",\"name\":");
        quote(json, currency.name());
        json.push_str(",\"networks\":[");
        list(json, Table::All.pairs().iter().filter(|pair| pair.currency == *currency), network);
        json.push_str("]}");
    });
    json.push_str("]}");
    json
}

fn network(json: &mut String, pair: &Pair) {
    let spec = pair.network.spec();
    let tag = match spec.tag {
        TagRule::None => "NONE",
        TagRule::DestinationTag => "DESTINATION_TAG",
        TagRule::Memo | TagRule::TextMemo => "MEMO",
    };
    let texts = [
        ("network", Some(spec.code())),
        ("name", Some(spec.name)),
        ("tokenStandard", spec.token_standard.filter(|_| pair.contract.is_some())),
        ("contract", pair.contract),
        ("tag", Some(tag)),
    ];
    json.push('{');
    for (name, text) in texts {
        if let Some(text) = text {
            quote(json, name);
            json.push(':');
            quote(json, text);
            json.push(',');
        }
    }
    let _ = write!(
        json,
        "\"deposit\":{},\"withdrawal\":{},\"decimals\":{},\"quotePrecision\":{}}}",
        pair.deposit, pair.withdrawal, pair.decimals, pair.quote_precision
    );
}

fn list<T>(json: &mut String, items: impl Iterator<Item = T>, mut write: impl FnMut(&mut String, T)) {
    for (at, item) in items.enumerate() {
        if at > 0 {
            json.push(',');
        }
        write(json, item);
    }
}

fn quote(json: &mut String, text: &str) {
    json.push('"');
    json.push_str(text);
    json.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::OUTPUT;
    use serde_json::Value;

    #[test]
    fn is_json_that_fits_the_output() {
        let json = json();
        assert!(json.is_ascii() && !json.contains('\\'));
        let value: Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(value["pairs"].as_array().map(Vec::len), Some(Table::All.pairs().len()));
        assert_eq!(value["reasons"].as_array().map(Vec::len), Some(Reason::ALL.len()));
        assert_eq!(
            value["currencies"][2]["networks"][0]["contract"],
            "0xdAC17F958D2ee523a2206206994597C13D831ec7"
        );
        assert_eq!(OUTPUT.write(json.as_bytes()), json.len());
    }
}
