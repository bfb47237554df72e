//! The command line. Exit codes: 0 success, 1 refused or failed, 2 wrong usage.

mod backup;
mod business;
mod callbacks;
mod chains;
mod configured;
mod contract;
mod counter;
mod credential;
mod currencies;
mod database_args;
mod flagged;
mod link;
mod manual;
mod operator;
mod payments;
mod payouts;
mod pending;
mod rates;
mod refunds;
mod rehearse;
mod restore;
mod rotate;
mod serve;
mod sweep;
mod table;
mod untagged;
mod validate;
mod wallets;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use checkout_domain::ports::StoreError;
use checkout_simulator::clock::SandboxClock;
use checkout_simulator::world::clock_ahead;
use checkout_storage::Database;
use checkout_storage::seal::Keyring;
use checkout_storage::{postgres, sqlite};
use clap::{Parser, Subcommand};
use uuid::{NoContext, Timestamp, Uuid};

use self::database_args::DatabaseArgs;
use crate::config;

const DATABASE: &str =
    "sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE; defaults to a file in the platform's data folder";

/// Names the file with the keys of the secrets in the database.
const SECRET_KEYS: &str = "CHECKOUT_SECRET_KEYS";

#[derive(Debug, Parser)]
#[command(name = "checkout", version, about = "Accepts payments in nine cryptocurrencies.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Runs the gateway.
    Serve(Box<serve::Serve>),
    /// Creates and shows businesses.
    #[command(subcommand)]
    Business(business::Business),
    /// Checks the configured nodes and rescans blocks.
    #[command(subcommand)]
    Chains(chains::Chains),
    /// Checks the configured feeds of exchange rates.
    #[command(subcommand)]
    Rates(rates::Rates),
    /// Lists callbacks and sends them again.
    #[command(subcommand)]
    Callbacks(callbacks::Callbacks),
    /// Lists held deposits, and releases or refuses them.
    #[command(subcommand)]
    Flagged(flagged::FlaggedDeposits),
    /// Lists transfers without their tag that payers looked up, and decides about them.
    #[command(subcommand)]
    Untagged(untagged::UntaggedTransfers),
    /// Shows payments.
    #[command(subcommand)]
    Payments(payments::Payments),
    /// Creates, lists and withdraws sale links, by which people buy without a shop.
    #[command(subcommand)]
    Link(link::SaleLinks),
    /// Creates, lists and withdraws counters, at which somebody types an amount.
    #[command(subcommand)]
    Counter(counter::Counters),
    /// Lists payouts that are held after a restore, and decides about them.
    #[command(subcommand)]
    Payouts(payouts::Payouts),
    /// Lists refunds that wait, and sends them.
    #[command(subcommand)]
    Refunds(refunds::Refunds),
    /// Lists and records what was put into the wallets or taken out of them.
    #[command(subcommand)]
    Wallets(wallets::Wallets),
    /// Writes a copy of a SQLite database while the gateway runs.
    Backup(backup::Backup),
    /// Checks a restored database and prepares it for a gateway.
    Restore(restore::Restore),
    /// Creates, lists and revokes tokens.
    #[command(subcommand)]
    Credential(credential::Credential),
    /// People who use the desk, and what they did.
    #[command(subcommand)]
    Operator(operator::Operator),
    /// Creates a key for all businesses of this gateway and prints it once.
    OrganisationKey(DatabaseArgs),
    /// Plays 31 stories against a webhook receiver and grades it. Exits with 0 for full marks, 1 otherwise, 2 on wrong
    /// usage.
    Rehearse(Box<rehearse::Rehearse>),
    /// Plays payments against any server of the payment interface and grades it. Exits with 0 if nothing is broken, 1
    /// otherwise, 2 on wrong usage.
    Contract(Box<contract::Contract>),
    /// Validates an address. Exits with 0 if it is valid, 1 if not, 2 on wrong usage.
    Validate(validate::Validate),
    /// Lists currencies, networks and their decimals.
    Currencies(currencies::Currencies),
    /// Prints a completion script for a shell.
    Completions(manual::Completions),
    /// Prints the manual page.
    Man,
}

/// The result of a command: an exit code, or an error message printed to standard error with exit code 1.
type Outcome = Result<ExitCode, String>;

/// Parses the arguments, runs the command and prints its error.
pub(crate) fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match arguments.command {
        Command::Serve(command) => command.run(),
        Command::Business(command) => command.run(),
        Command::Callbacks(command) => command.run(),
        Command::Chains(command) => command.run(),
        Command::Rates(command) => command.run(),
        Command::Flagged(command) => command.run(),
        Command::Untagged(command) => command.run(),
        Command::Payments(command) => command.run(),
        Command::Link(command) => command.run(),
        Command::Counter(command) => command.run(),
        Command::Payouts(command) => command.run(),
        Command::Refunds(command) => command.run(),
        Command::Wallets(wallets) => wallets.run(),
        Command::Backup(command) => command.run(),
        Command::Restore(command) => command.run(),
        Command::Credential(command) => command.run(),
        Command::Operator(command) => command.run(),
        Command::OrganisationKey(args) => business::create_organisation_key(args),
        Command::Rehearse(command) => command.run(),
        Command::Contract(command) => command.run(),
        Command::Validate(command) => command.run(),
        Command::Currencies(command) => command.run(),
        Command::Completions(command) => command.run(),
        Command::Man => manual::man(),
    };
    outcome.unwrap_or_else(|sentence| {
        let _ = writeln!(std::io::stderr(), "checkout: {sentence}");
        ExitCode::FAILURE
    })
}

/// Writes one line of output. A closed pipe is not an error.
fn answer(line: &str) -> Result<(), String> {
    match writeln!(std::io::stdout().lock(), "{line}") {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(format!("Standard output cannot be written: {error}."))
        }
        _ => Ok(()),
    }
}

/// Writes one line beside the output, which has the report alone.
fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Runs an asynchronous command.
fn block_on(task: impl Future<Output = Outcome>) -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("The threads cannot be started: {error}."))?;
    let outcome = runtime.block_on(task);
    runtime.shutdown_timeout(std::time::Duration::from_secs(1));
    outcome
}

/// Opens the database given by `--database`, with the keys of `CHECKOUT_SECRET_KEYS`.
async fn open_database(url: Option<&str>) -> Result<Database, String> {
    open_with_keys(url, secret_keys().as_deref()).await
}

fn secret_keys() -> Option<PathBuf> {
    std::env::var_os(SECRET_KEYS).map(PathBuf::from)
}

/// Opens a database with the keys of a file.
async fn open_with_keys(url: Option<&str>, keys: Option<&Path>) -> Result<Database, String> {
    open(url, keys, false).await
}

/// The same, but waits for PostgreSQL.
async fn open_when_ready(url: Option<&str>, keys: Option<&Path>) -> Result<Database, String> {
    open(url, keys, true).await
}

async fn open(url: Option<&str>, keys: Option<&Path>, waits: bool) -> Result<Database, String> {
    let keys = keys.map_or_else(|| Ok(Keyring::default()), Keyring::read)?;
    let database = if let Some(url) = url.filter(|url| postgres::is_url(url)) {
        let opened = if waits { postgres::open_when_ready(url).await } else { postgres::open(url).await };
        opened.map_err(|error| format!("The database cannot be opened: {}.", error.0))?
    } else {
        let path = database_path(url)?;
        let opened = sqlite::open(&path).await;
        opened.map_err(|error| format!("The database {} cannot be opened: {}.", path.display(), error.0))?
    };
    database.with_keys(keys).await.map_err(|error| format!("The database cannot be used: {}.", error.0))
}

/// Opens an existing database. Read-only commands do not create one.
async fn open_existing(url: Option<&str>) -> Result<Database, String> {
    require_existing(url)?;
    open_database(url).await
}

fn require_existing(url: Option<&str>) -> Result<(), String> {
    if url.is_none_or(|url| !postgres::is_url(url)) {
        let path = database_path(url)?;
        if !path.exists() {
            return Err(format!(
                "There is no database {}. `checkout serve` and `checkout business create` create one.",
                path.display()
            ));
        }
    }
    Ok(())
}

/// Returns the gateway's clock for this database. A sandbox's clock may have been advanced.
async fn clock(database: &Database) -> Result<SandboxClock, String> {
    Ok(SandboxClock::ahead(clock_ahead(database).await.map_err(failed)?))
}

/// An id of something that happens at `now`.
fn new_id(now: u64) -> Uuid {
    Uuid::new_v7(Timestamp::from_unix(NoContext, now, 0))
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn failed(error: StoreError) -> String {
    format!("The database failed: {}.", error.0)
}

fn database_path(url: Option<&str>) -> Result<PathBuf, String> {
    match url {
        None => config::default_database(),
        Some(url) => sqlite::path_of(url).ok_or_else(|| {
            // The message omits the URL, which may hold a password.
            "That is not a database URL. Use sqlite:/var/lib/checkout.db or postgres://user:password@host/database."
                .to_owned()
        }),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Arguments;

    /// Commands whose output has one form.
    const ONE_FORM: [&str; 3] = ["serve", "completions", "man"];

    #[test]
    fn every_other_command_that_prints_takes_json() {
        let mut commands: Vec<clap::Command> = Arguments::command().get_subcommands().cloned().collect();
        let mut checked = 0;
        while let Some(command) = commands.pop() {
            if command.has_subcommands() {
                commands.extend(command.get_subcommands().cloned());
            } else if !ONE_FORM.contains(&command.get_name()) {
                assert!(command.get_arguments().any(|one| one.get_id() == "json"), "{}", command.get_name());
                checked += 1;
            }
        }
        assert!(checked > 20, "{checked}");
    }
}
