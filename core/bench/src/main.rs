//! Measures the check of each kind of address, compared with other crates and with bare hashing and decoding.
//!
//! ```text
//! sample ── valid addresses ──┐
//! kinds ── candidates ────────┼─> measure ─> table ─> Markdown
//! floor ── the minimum cost ──┘
//! hostile ── hostile input ─> the longest time
//! ```

mod floor;
mod hostile;
mod kinds;
mod machine;
mod measure;
mod sample;
mod table;

use std::process::ExitCode;

use crypto_checkout_core::{Address, validate_with};
use kinds::{Kind, kinds};
use measure::{Effort, Runner, Times};

const EFFORT: Effort = Effort { rounds: 2_000, texts: 64 };

/// Time limit of one hostile text on one pair.
const CALLS: usize = 25;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let only = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => None,
        // For a profiler: only the kinds whose name contains this.
        ["--only", part] => Some(part),
        _ => {
            eprintln!("checkout-bench [--only PART]");
            return ExitCode::from(2);
        }
    };
    let chosen = kinds().into_iter().filter(|kind| only.is_none_or(|part| kind.name.contains(part)));
    let rows: Vec<table::Row> = chosen.map(|kind| row(kind, EFFORT)).collect();
    println!("{}\n\n{}", machine::line(), table::kinds(&rows));
    if only.is_none() {
        print!("{}", table::hostile(&hostile::worst(CALLS)));
    }
    ExitCode::SUCCESS
}

/// All candidates in one run: the core's two functions first, then the others.
fn row(kind: Kind, effort: Effort) -> table::Row {
    let Kind { name, currency, network, options, make, peers, floor, verdict_floor } = kind;
    let texts = sample::many(make);
    let code = network.code();
    let mut runners = vec![
        Runner::new("parse", move |text| Address::parse_with(network, text, &options).ok()),
        Runner::new("validate", move |text| {
            let verdict = validate_with(currency, code, text, None, &options);
            verdict.valid.then_some(verdict)
        }),
    ];
    let mut add = |more: Vec<Runner>| {
        let start = runners.len();
        runners.extend(more);
        start..runners.len()
    };
    let (peers, floor, verdict_floor) = (add(peers), add(floor), add(verdict_floor));
    let times = Times::take(&runners, &texts, effort);
    let fastest = |mut range: std::ops::Range<usize>| {
        let first = range.next()?;
        Some(range.fold(first, |best, at| if times.median(at) < times.median(best) { at } else { best }))
    };
    let measured = |range, of| {
        let other: usize = fastest(range)?;
        Some(table::Beside {
            name: runners[other].name,
            nanoseconds: times.median(other),
            ratio: times.ratio(of, other),
        })
    };
    table::Row {
        name,
        parse: times.median(0),
        validate: times.median(1),
        peer: measured(peers, 0),
        floor: measured(floor, 0).expect("every kind has a floor"),
        verdict_floor: measured(verdict_floor, 1).expect("every kind has a floor"),
    }
}

#[cfg(test)]
mod tests {
    use super::{hostile, kinds, row, table};
    use crate::measure::Effort;

    /// Panics if a candidate refuses a valid address, or the core accepts a hostile text.
    #[test]
    fn every_candidate_can_be_measured() {
        let rows: Vec<_> =
            kinds().into_iter().map(|kind| row(kind, Effort { rounds: 4, texts: 16 })).collect();
        assert_eq!(table::kinds(&rows).lines().count(), 2 + kinds().len());
        assert_eq!(table::hostile(&hostile::worst(1)).lines().count(), 2 + 3);
    }
}
