//! The program `checkout`: command line, configuration and wiring. Every rule is in `checkout-gateway`.

mod assemble;
mod cli;
mod config;
mod page;
mod serve;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
