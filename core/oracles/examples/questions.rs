//! Writes every question with the core's answer as a line of JSON, for the JavaScript peers.

use std::io::{self, BufWriter, Write};

use crypto_checkout_core::chain::CHAINS;
use checkout_oracles::questions::questions;

fn main() -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    for row in CHAINS {
        for question in questions(row.network) {
            writeln!(output, "{}", question.to_json())?;
        }
    }
    output.flush()
}
