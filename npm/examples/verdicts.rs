//! Prints the native build's verdicts for every case of the given vector files and for malformed variants of
//! it. One JSON object per line, `{"request": …, "verdict": …}`, on standard output.
//!
//! ```text
//! cargo run --package checkout-npm --example verdicts core/tests/vectors/policy.jsonl …
//! ```

use std::io::{self, BufWriter, Write};
use std::{env, fs};

use checkout_core::Table;
use checkout_npm::{bits_of, check, option_names};
use serde_json::{Map, Value};

fn main() -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    for path in env::args().skip(1) {
        for line in fs::read_to_string(path)?.lines() {
            let case: Map<String, Value> = serde_json::from_str(line)?;
            for request in requests(&case) {
                let verdict = serde_json::to_value(verdict(&request))?;
                let mut pair = Map::new();
                pair.insert("request".to_owned(), request.into());
                pair.insert("verdict".to_owned(), verdict);
                writeln!(output, "{}", Value::Object(pair))?;
            }
        }
    }
    output.flush()
}

fn verdict(request: &Map<String, Value>) -> checkout_core::Verdict {
    let text = |name: &str| request.get(name).and_then(Value::as_str);
    let (currency, network) = (text("currency").unwrap_or_default(), text("network").unwrap_or_default());
    let row = Table::All
        .pairs()
        .iter()
        .position(|pair| pair.currency.code() == currency && pair.network.code() == network);
    let options = request.get("options").and_then(Value::as_object).into_iter().flatten();
    let options = options.filter(|(_, set)| **set == true).map(|(name, _)| name.as_str());
    check(
        row.unwrap_or(Table::All.pairs().len()),
        text("address").unwrap_or_default(),
        text("destinationTag").unwrap_or_default(),
        bits_of(text("destinationTag"), text("memoType"), options),
    )
}

/// The case itself, with each option, with all options, with other tags, and with typical errors in its
/// address.
fn requests(case: &Map<String, Value>) -> Vec<Map<String, Value>> {
    let known = ["currency", "network", "address", "destinationTag", "memoType"];
    let plain: Map<String, Value> = case
        .iter()
        .filter(|(name, _)| known.contains(&name.as_str()))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    let with = |name: &str, value: Value| {
        let mut request = plain.clone();
        request.insert(name.to_owned(), value);
        request
    };
    let mut requests = vec![plain.clone()];
    requests.extend(option_names().map(|name| with("options", serde_json::json!({ &name: true }))));
    requests
        .push(with("options", option_names().map(|name| (name, true.into())).collect::<Map<_, _>>().into()));
    requests.extend(
        ["1", "007", "+1", "4294967296", "not a number", "😀"].map(|tag| with("destinationTag", tag.into())),
    );
    let mut empty = with("destinationTag", "".into());
    requests.push(empty.clone());
    empty.insert("memoType".to_owned(), "text".into());
    requests.push(empty);
    let address = case.get("address").and_then(Value::as_str).unwrap_or_default();
    requests.extend(broken(address).into_iter().map(|address| with("address", address.into())));
    requests
}

fn broken(address: &str) -> Vec<String> {
    let letters: Vec<char> = address.chars().collect();
    let middle = letters.len() / 2;
    let replaced = |place: usize, letter: char| {
        let mut letters = letters.clone();
        if let Some(there) = letters.get_mut(place) {
            *there = letter;
        }
        letters.into_iter().collect::<String>()
    };
    vec![
        address.to_ascii_uppercase(),
        address.to_ascii_lowercase(),
        format!(" {address}"),
        format!("{address}\u{feff}"),
        format!("{address}{address}"),
        // Longer than the package accepts.
        address.repeat(257_usize.div_ceil(address.len().max(1))),
        format!("{address} {}", "word ".repeat(60)),
        format!("{address}?dt=7"),
        format!("\u{e9}{address}"),
        letters.iter().take(middle).collect(),
        letters.iter().rev().collect(),
        replaced(middle, 'q'),
        replaced(middle, 'é'),
        replaced(letters.len().saturating_sub(1), '😀'),
        replaced(letters.len().saturating_sub(2), '\0'),
    ]
}
