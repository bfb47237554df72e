//! The program `checkout`: command line, configuration and wiring. The business rules are in `checkout-gateway`.

mod assemble;
mod chains;
mod cli;
mod config;
mod desk;
mod mail;
mod manifest;
mod page;
mod private_folder;
mod serve;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
