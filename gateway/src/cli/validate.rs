use std::io::{BufRead, BufWriter, Read as _, Write};
use std::process::ExitCode;

use checkout_core::tag::MemoType;
use checkout_core::{Options, Verdict, validate_with};
use clap::Args;
use serde_json::{Value, json};

use super::{Outcome, answer};

/// A line of `--jsonl` is not longer in earnest; more is refused unread.
const LONGEST_LINE: u64 = 1 << 20;

#[derive(Debug, Args)]
pub(super) struct Validate {
    /// The code, such as BTC.
    #[arg(required_unless_present = "jsonl", requires = "network")]
    currency: Option<String>,
    /// The network, such as TRX.
    #[arg(requires = "address")]
    network: Option<String>,
    address: Option<String>,
    /// The destination tag (XRP) or memo (XLM).
    #[arg(long)]
    tag: Option<String>,
    /// Prints the whole verdict.
    #[arg(long)]
    json: bool,
    /// Reads one JSON object a line from standard input and answers with one a line, in the same order.
    #[arg(long, conflicts_with_all = ["currency", "tag", "json"])]
    jsonl: bool,
}

impl Validate {
    pub(super) fn run(self) -> Outcome {
        let (Some(currency), Some(network), Some(address)) = (&self.currency, &self.network, &self.address)
        else {
            return stream(std::io::stdin().lock(), BufWriter::new(std::io::stdout().lock()));
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
        return format!("not supported: {currency} on {network}");
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
    add("tag", verdict.destination_tag.clone());
    add("suggestion", verdict.suggestion.clone());
    add("looks like", verdict.looks_like.map(|network| network.code().to_owned()));
    let places: Vec<String> = verdict.positions.iter().map(usize::to_string).collect();
    add("wrong at", (!places.is_empty()).then(|| places.join(", ")));
    for warning in &verdict.warnings {
        add("warning", Some(warning.code().to_owned()));
    }
    lines.join("\n")
}

/// Answers each line as soon as it is read. Exit code 2 when a line was no question.
fn stream(mut input: impl BufRead, mut output: impl Write) -> Outcome {
    let mut misuse = false;
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        let read = read.map_err(|error| format!("Standard input cannot be read: {error}."))?;
        if read == 0 {
            break;
        }
        if read as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
            skip_line(&mut input)?;
            line.clear();
        } else if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let reply = match question(&line) {
            Ok(verdict) => serde_json::to_string(&verdict),
            Err(error) => {
                misuse = true;
                serde_json::to_string(&json!({"valid": false, "supported": false, "error": error}))
            }
        };
        let reply = reply.expect("texts are JSON");
        let written = writeln!(output, "{reply}").and_then(|()| output.flush());
        match written {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => break,
            Err(error) => return Err(format!("Standard output cannot be written: {error}.")),
            Ok(()) => {}
        }
    }
    Ok(if misuse { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

fn skip_line(input: &mut impl BufRead) -> Result<(), String> {
    loop {
        let chunk = input.fill_buf().map_err(|error| format!("Standard input cannot be read: {error}."))?;
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(chunk.len(), |end| end + 1);
        input.consume(length);
        if end.is_some() || length == 0 {
            return Ok(());
        }
    }
}

fn question(line: &[u8]) -> Result<Verdict, String> {
    let value: Value = serde_json::from_slice(line).map_err(|error| format!("not JSON: {error}"))?;
    let text = |name: &str| match value.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(format!("{name} must be a text")),
    };
    let required = |name: &str| text(name)?.ok_or_else(|| format!("{name} is required"));
    let mut options = Options::STRICT;
    options.memo_type = match text("memoType")? {
        None => None,
        Some(word) => Some(memo_type(word).ok_or("memoType must be text, id or hash")?),
    };
    let tag = text("destinationTag")?;
    Ok(validate_with(required("currency")?, required("network")?, required("address")?, tag, &options))
}

fn memo_type(word: &str) -> Option<MemoType> {
    MemoType::ALL.iter().copied().find(|known| known.code() == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_answer_a_line_in_the_same_order() {
        let input = concat!(
            r#"{"currency":"BTC","network":"BTC","address":"1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"}"#,
            "\n\n",
            r#"{"currency":"BTC","network":"ETH","address":"x"}"#,
            "\nnonsense\n",
            r#"{"currency":"BTC","network":"BTC"}"#,
        );
        let mut output = Vec::new();
        let code = stream(input.as_bytes(), &mut output).unwrap();
        assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::from(2)));
        let lines: Vec<Value> = output
            .split(|byte| *byte == b'\n')
            .filter_map(|line| serde_json::from_slice(line).ok())
            .collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[0]["valid"], true);
        assert_eq!(lines[1]["supported"], false);
        assert!(lines[2]["error"].as_str().unwrap().contains("JSON"));
        assert_eq!(lines[3]["error"], "address is required");
    }

    #[test]
    fn a_line_without_end_is_refused_and_skipped() {
        let long = format!("{}\n{{\"currency\":\"BTC\"}}\n", "x".repeat(3 << 20));
        let mut output = Vec::new();
        stream(long.as_bytes(), &mut output).unwrap();
        assert_eq!(String::from_utf8(output).unwrap().lines().count(), 2);
    }
}
