//! The arguments of every command on a database, and its output in both forms.

use std::process::ExitCode;

use checkout_domain::ports::{Clock as _, Stored};
use checkout_storage::Database;
use clap::Args;
use serde_json::Value;

use super::{DATABASE, Outcome, answer, clock, failed, open_existing, table};

#[derive(Debug, Args)]
pub(super) struct DatabaseArgs {
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    pub(super) database: Option<String>,
    /// Prints JSON.
    #[arg(long)]
    pub(super) json: bool,
}

impl DatabaseArgs {
    pub(super) fn url(&self) -> Option<&str> {
        self.database.as_deref()
    }

    /// Opens the database, which must exist.
    pub(super) async fn open(&self) -> Result<Database, String> {
        open_existing(self.url()).await
    }

    /// Runs a use case on the database, which must exist, at the time of its gateway.
    pub(super) async fn on<T>(
        &self,
        run: impl AsyncFnOnce(&Database, u64) -> Stored<T>,
    ) -> Result<T, String> {
        let database = self.open().await?;
        let now = clock(&database).await?.now();
        let done = run(&database, now).await;
        database.close().await;
        done.map_err(failed)
    }

    /// Prints what was done: as an object, or as a sentence.
    pub(super) fn say(&self, object: &Value, sentence: &str) -> Outcome {
        answer(&if self.json { object.to_string() } else { sentence.to_owned() })?;
        Ok(ExitCode::SUCCESS)
    }

    /// Prints a list: as an array of objects, or as a table with these columns of numbers.
    pub(super) fn list<T>(
        &self,
        all: &[T],
        object: impl Fn(&T) -> Value,
        row: impl Fn(&T) -> Vec<String>,
        numbers: &[usize],
    ) -> Outcome {
        if self.json {
            answer(&all.iter().map(object).collect::<Value>().to_string())?;
        } else {
            table::print(all.iter().map(row).collect(), numbers)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
