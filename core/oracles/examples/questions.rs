//! Writes every question with the core's answer as a line of JSON, for the JavaScript peers.

use std::io::{self, BufWriter, Write};

use checkout_oracles::questions::questions;
use crypto_checkout_core::Network;
use crypto_checkout_core::chain::CHAINS;

fn main() -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    let address_only = [Network::Dot, Network::Ada, Network::Xmr, Network::Zec];
    for network in CHAINS.iter().map(|row| row.network).chain(address_only) {
        for question in questions(network) {
            writeln!(output, "{}", question.to_json())?;
        }
    }
    output.flush()
}
