//! `checkout backup` and `checkout restore`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};

use super::DATABASE;
use super::{Outcome, answer, block_on, clock, database_path, failed, open_existing};
use checkout_gateway::ports::Clock as _;
use checkout_gateway::storage::restore::Inspection;
use checkout_gateway::storage::{Database, postgres, sqlite};

const POSTGRES: &str = "PostgreSQL has tools of its own: pg_dump --format=custom makes a backup, pg_restore reads it into an \
                        empty database; then run `checkout restore` on that one.";

#[derive(Debug, Args)]
pub(super) struct Backup {
    /// The file to write. It must not exist.
    file: PathBuf,
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Restore {
    /// A backup of a SQLite database, which is copied to the database path. Without it, the database is
    /// already restored.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// Checks only and changes nothing.
    #[arg(long)]
    check: bool,
    /// Number of addresses per network that may have been given out after the backup.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    reserve: u32,
    /// Prints JSON, also of errors.
    #[arg(long)]
    json: bool,
}

impl Backup {
    pub(super) fn run(self) -> Outcome {
        block_on(async {
            if self.database.as_deref().is_some_and(postgres::is_url) {
                return Err(POSTGRES.to_owned());
            }
            if self.file.exists() {
                return Err(format!("{} exists already.", self.file.display()));
            }
            let source = existing(&database_path(self.database.as_deref())?)?;
            let database = sqlite::open(&source).await.map_err(failed)?;
            make_private(&self.file)?;
            let done = database.back_up(&self.file).await.map_err(failed)?;
            database.close().await;
            if !done {
                return Err(POSTGRES.to_owned());
            }
            answer(&if self.json {
                json!({"backup": self.file, "database": source}).to_string()
            } else {
                format!("{} is a backup of {}.", self.file.display(), source.display())
            })?;
            Ok(ExitCode::SUCCESS)
        })
    }
}

impl Restore {
    pub(super) fn run(self) -> Outcome {
        block_on(async {
            // Checks a copy: opening a database may migrate its tables.
            let trial = std::env::temp_dir().join(format!("checkout-restore-{}", std::process::id()));
            let database = match &self.from {
                None => open_existing(self.database.as_deref()).await?,
                Some(backup) => {
                    let target = if self.check {
                        trial.join("checkout.db")
                    } else {
                        database_path(self.database.as_deref())?
                    };
                    copy(backup, &target)?;
                    sqlite::open(&target).await.map_err(failed)?
                }
            };
            let outcome = self.finish(&database).await;
            database.close().await;
            let _ = std::fs::remove_dir_all(trial);
            outcome
        })
    }

    async fn finish(&self, database: &Database) -> Outcome {
        let found = database.inspect().await.map_err(failed)?;
        let is_ready = found.faults.is_empty() && !self.check;
        if is_ready {
            let now = clock(database).await?.now();
            database.hold_unsigned(now).await.map_err(failed)?;
            database.skip_addresses(self.reserve).await.map_err(failed)?;
        }
        if self.json {
            answer(&self.shown(&found, is_ready).to_string())?;
        } else {
            self.tell(&found, is_ready)?;
        }
        if found.faults.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(found.faults.join("\n")) }
    }

    fn tell(&self, found: &Inspection, is_ready: bool) -> Result<(), String> {
        answer(&summary(found))?;
        if !found.unsigned.is_empty() && found.faults.is_empty() {
            answer(&format!(
                "These were not signed when the backup was made, and may have been sent since. A gateway sends them when \
                 their chain shows that they were not; `checkout payouts held` lists the others:\n{}",
                found.unsigned.join("\n")
            ))?;
        }
        if is_ready {
            answer(&format!(
                "The next {} addresses of each network are skipped. A gateway can start.",
                self.reserve
            ))?;
        }
        Ok(())
    }

    fn shown(&self, found: &Inspection, is_ready: bool) -> Value {
        json!({
            "payments": found.payments,
            "deposits": found.deposits,
            "callbacks": found.callbacks,
            "unsignedPayouts": found.unsigned,
            "faults": found.faults,
            "addressesSkipped": if is_ready { self.reserve } else { 0 },
        })
    }
}

fn summary(found: &Inspection) -> String {
    let Inspection { payments, deposits, callbacks, unsigned, .. } = found;
    format!(
        "{payments} payments, {deposits} deposits, {callbacks} callbacks, {} unsigned payouts",
        unsigned.len()
    )
}

fn existing(path: &Path) -> Result<PathBuf, String> {
    if path.is_file() {
        Ok(path.to_owned())
    } else {
        Err(format!("There is no database {}.", path.display()))
    }
}

fn copy(backup: &Path, target: &Path) -> Result<(), String> {
    existing(backup)?;
    if target.exists() {
        return Err(format!("{} already exists and is not overwritten.", target.display()));
    }
    if let Some(folder) = target.parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}.", folder.display()))?;
    }
    make_private(target)?;
    std::fs::copy(backup, target).map_err(|error| format!("{}: {error}.", target.display()))?;
    Ok(())
}

/// Creates an empty file that only its owner can read.
fn make_private(path: &Path) -> Result<(), String> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop).map_err(|error| format!("{}: {error}.", path.display()))
}
