//! Writes every question with the core's answer as a line of JSON, for the JavaScript peers.

use std::io::{self, BufWriter, Write};

use checkout_oracles::questions::questions;
use crypto_checkout_core::Network;

fn main() -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    for network in Network::ALL {
        for question in questions(*network) {
            writeln!(output, "{}", question.to_json())?;
        }
    }
    output.flush()
}
