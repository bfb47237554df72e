//! `checkout validate`: checks an address, or one per line.

use std::process::ExitCode;

use checkout_core::Verdict;
use clap::Args;

use super::{Outcome, answer};

mod jsonl;

#[derive(Debug, Args)]
pub(super) struct Validate {
    /// Currency code in upper case, such as BTC.
    #[arg(required_unless_present = "jsonl", requires = "network")]
    currency: Option<String>,
    /// Network code in upper case, such as TRX.
    #[arg(requires = "address")]
    network: Option<String>,
    address: Option<String>,
    /// The destination tag (XRP) or memo (XLM).
    #[arg(long)]
    tag: Option<String>,
    /// Prints the whole verdict.
    #[arg(long)]
    json: bool,
    /// Reads one JSON object per line from standard input and writes one answer per line, in the same order.
    /// Keys: currency, network, address, and optionally destinationTag (or tag) and memoType. Other keys are
    /// errors; a blank line gives a blank line. Exits with 2 if a line was not a valid question, otherwise
    /// with 0.
    #[arg(long, conflicts_with_all = ["currency", "tag", "json"])]
    jsonl: bool,
}

impl Validate {
    pub(super) fn run(self) -> Outcome {
        let (Some(currency), Some(network), Some(address)) = (&self.currency, &self.network, &self.address)
        else {
            return jsonl::stream(std::io::stdin().lock(), std::io::stdout());
        };
        let verdict = checkout_core::validate(currency, network, address, self.tag.as_deref());
        if self.json {
            answer(&serde_json::to_string(&verdict).expect("a verdict of texts is JSON"))?;
        } else {
            answer(&sentence(&verdict, currency, network))?;
        }
        Ok(if verdict.valid { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn sentence(verdict: &Verdict, currency: &str, network: &str) -> String {
    if !verdict.supported {
        let upper = (currency.to_ascii_uppercase(), network.to_ascii_uppercase());
        let is_meant = checkout_core::validate(&upper.0, &upper.1, "", None).supported;
        let hint = if is_meant && (upper.0 != currency || upper.1 != network) {
            format!("\n  codes are in upper case: {} on {}", upper.0, upper.1)
        } else {
            String::new()
        };
        return format!("not supported: {currency} on {network}{hint}");
    }
    let mut lines = vec![if verdict.valid { "valid" } else { "not valid" }.to_owned()];
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            lines.push(format!("  {name}: {value}"));
        }
    };
    add("reason", verdict.reason.map(|reason| reason.code().to_owned()));
    add("kind", verdict.kind.map(|kind| kind.code().to_owned()));
    add("normal form", verdict.normalized.clone());
    // A tag belongs to the address that is suggested.
    add("suggestion", verdict.suggestion.clone());
    add("tag", verdict.destination_tag.clone());
    add("memo type", verdict.memo_type.map(|memo_type| memo_type.code().to_owned()));
    add("looks like", verdict.looks_like.map(|network| network.code().to_owned()));
    let places: Vec<String> = verdict.positions.iter().map(usize::to_string).collect();
    add("wrong at", (!places.is_empty()).then(|| places.join(", ")));
    for warning in &verdict.warnings {
        add("warning", Some(warning.code().to_owned()));
    }
    lines.join("\n")
}
