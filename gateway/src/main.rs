use std::process::ExitCode;

fn main() -> ExitCode {
    checkout_gateway::cli::run()
}
