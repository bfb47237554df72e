//! `checkout chains sweep`.

use std::path::PathBuf;
use std::process::ExitCode;

use checkout_chain_addresses::DepositKeys;
use checkout_chain_sweep::{Keys, Kind, Report, Row, Wallet};
use checkout_core::address::Address;
use checkout_core::{Decimal, Network};
use checkout_domain::ports::addresses::Addresses as _;
use clap::Args;

use super::configured::{Configured, Opened};
use super::{Outcome, answer, table};
use crate::chains::given_out;

#[derive(Debug, Args)]
pub(super) struct Sweep {
    /// An EVM network or TRX.
    network: Network,
    /// The address that everything is moved to.
    #[arg(long)]
    to: String,
    /// File with the extended private key of the account, encrypted by age with a passphrase. It is used for this run and kept
    /// nowhere.
    #[arg(long)]
    key_file: PathBuf,
    /// File with the passphrase; the variable `CHECKOUT_SWEEP_PASSPHRASE` without it.
    #[arg(long)]
    passphrase_file: Option<PathBuf>,
    /// Prints what would be sent, and sends nothing.
    #[arg(long)]
    dry_run: bool,
    /// The least of a currency on an address that is moved.
    #[arg(long, default_value = "0", value_parser = decimal)]
    min: Decimal,
    /// The most that a unit of gas may cost, in gwei; on TRX the most that a transfer may burn for energy, in TRX. By default
    /// that of payouts.
    #[arg(long)]
    max_fee: Option<u32>,
    /// Prints the report as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    configured: Configured,
}

impl Sweep {
    pub(super) async fn run(self) -> Outcome {
        let network = self.network;
        let to = Address::parse(network, &self.to).map_err(|error| format!("--to {}: {error}.", self.to))?;
        let Opened { database, sources, addresses, .. } = self.configured.open().await?;
        let wallet = sources.wallet(network, self.max_fee)?;
        let keys = open(&self.key_file, self.passphrase_file.as_ref())?;
        check_keys(network, wallet.as_ref(), &keys, &addresses)?;
        let sweep = checkout_chain_sweep::Sweep {
            to: to.to_string(),
            addresses: given_out(&database, network).await?,
            min: self.min,
            dry_run: self.dry_run,
        };
        database.close().await;
        let report = checkout_chain_sweep::sweep(wallet.as_ref(), &keys, &sweep).await;
        let report = report.map_err(|why| format!("{network}: {why}."))?;
        print(&report, self.json)?;
        Ok(if report.is_done() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn decimal(text: &str) -> Result<Decimal, String> {
    Decimal::from_str_exact(text).map_err(|_| "this is no decimal number".to_owned())
}

fn open(path: &std::path::Path, passphrase_file: Option<&PathBuf>) -> Result<Keys, String> {
    let passphrase = match passphrase_file {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| format!("--passphrase-file {}: {error}.", path.display()))?,
        None => std::env::var("CHECKOUT_SWEEP_PASSPHRASE").map_err(|_| {
            "The passphrase is neither in --passphrase-file nor in CHECKOUT_SWEEP_PASSPHRASE.".to_owned()
        })?,
    };
    let text = checkout_chain_keys::open(path, passphrase.trim_end_matches(['\r', '\n']))?;
    Keys::read(&text).map_err(|why| format!("--key-file {}: {why}.", path.display()))
}

/// The addresses that payers got are those of these keys.
fn check_keys(
    network: Network,
    wallet: &dyn Wallet,
    keys: &Keys,
    addresses: &DepositKeys,
) -> Result<(), String> {
    let (own, gas) = (wallet.address(&*keys.deposit(0)?)?, wallet.address(&*keys.gas()?)?);
    if addresses.address(network, 0) == Some(own) && addresses.gas_account(network) == Some(gas) {
        return Ok(());
    }
    Err(format!("--key-file holds another account than the one of [deposit_keys] {network}."))
}

fn print(report: &Report, json: bool) -> Result<(), String> {
    if json {
        return answer(&serde_json::to_string(report).map_err(|error| error.to_string())?);
    }
    table::print(report.rows.iter().map(cells).collect(), &[2])?;
    let moved = report.rows.iter().filter(|row| row.kind != Kind::Left && row.error.is_none()).count();
    let failed = report.rows.iter().filter(|row| row.error.is_some()).count();
    let gas = &report.gas_account;
    answer(&if report.dry_run {
        format!("{moved} transactions would be sent. Fees of tokens are paid by {gas}.")
    } else {
        format!("{moved} transactions were sent, {failed} failed. Fees of tokens were paid by {gas}.")
    })
}

fn cells(row: &Row) -> Vec<String> {
    let kind = match row.kind {
        Kind::Fund => "fund",
        Kind::Token => "token",
        Kind::Coins => "coins",
        Kind::Left => "left",
    };
    let outcome = row.error.as_ref().map(|error| format!("FAILED: {error}"));
    let outcome = outcome.or_else(|| row.transaction.clone()).unwrap_or_default();
    let amount = format!("{} {}", row.amount, row.currency);
    vec![kind.to_owned(), row.index.to_string(), amount, row.from.clone(), row.to.clone(), outcome]
}
