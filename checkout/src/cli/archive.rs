//! `checkout archive`: moves settled payments out of the tables that requests read.

use std::time::{Duration, Instant};

use checkout_domain::ports::Clock as _;
use checkout_storage::Ended;
use clap::Args;
use serde_json::json;

use super::database_args::DatabaseArgs;
use super::{Outcome, block_on, clock, failed};

/// Sessions end eight days after the window at the latest.
const LEAST_DAYS: u64 = 9;

const DAY: u64 = 86_400;

/// The pause between two transactions, at least.
const PAUSE: Duration = Duration::from_millis(5);

#[derive(Debug, Args)]
pub(super) struct Archive {
    /// Archives payments that ended at least so many days ago.
    #[arg(long, default_value_t = 90, value_parser = clap::value_parser!(u64).range(LEAST_DAYS..=36_500))]
    days: u64,
    #[command(flatten)]
    args: DatabaseArgs,
}

impl Archive {
    pub(super) fn run(self) -> Outcome {
        block_on(async {
            let database = self.args.open().await?;
            let now = clock(&database).await?.now();
            let mut ended = Ended { before: now.saturating_sub(self.days * DAY), after: String::new() };
            let mut count = 0;
            loop {
                let started = Instant::now();
                match database.archive(&mut ended).await.map_err(failed)? {
                    0 => break,
                    moved => count += moved,
                }
                // Leaves the database to the gateways for as long as it was used.
                tokio::time::sleep(started.elapsed().max(PAUSE)).await;
            }
            database.close().await;
            self.args.say(&json!({"archived": count}), &format!("{count} payments are archived."))
        })
    }
}
