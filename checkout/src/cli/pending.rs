//! `checkout chains pending`: entries of chains that could not be read.

use std::process::ExitCode;

use checkout_core::Network;
use checkout_domain::chain::set_aside::{SetAside, SetAsideRecord};
use checkout_domain::ports::Clock as _;
use checkout_domain::ports::set_aside::SetAsideStore as _;
use checkout_domain::ports::store::Store as _;
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::database_args::DatabaseArgs;
use super::{Outcome, clock, failed};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Pending {
    #[command(subcommand)]
    choice: Option<Choice>,
    #[command(flatten)]
    list: ListPending,
}

#[derive(Debug, Subcommand)]
enum Choice {
    /// Has a running gateway read the entries of a transaction at once.
    Again(PendingEntry),
    /// Takes the entries of a transaction off the list. Nothing of them is credited.
    Dismiss(PendingEntry),
}

#[derive(Debug, Args)]
struct ListPending {
    /// Maximum number of entries.
    #[arg(long, default_value_t = 100)]
    limit: u32,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
struct PendingEntry {
    /// Its network, such as ETH.
    network: Network,
    /// Its transaction.
    transaction: String,
    #[command(flatten)]
    args: DatabaseArgs,
}

impl Pending {
    pub(super) async fn run(self) -> Outcome {
        match self.choice {
            None => self.list.run().await,
            Some(Choice::Again(entry)) => {
                entry.change(true, "A running gateway reads it again within seconds.").await
            }
            Some(Choice::Dismiss(entry)) => {
                entry
                    .change(false, "It is off the list. `checkout chains rescan` reads its block again.")
                    .await
            }
        }
    }
}

impl ListPending {
    async fn run(self) -> Outcome {
        let database = self.args.open().await?;
        let open = database.set_aside(self.limit).await.map_err(failed)?;
        database.close().await;
        self.args.list(&open, object, row, &[2, 4])
    }
}

impl PendingEntry {
    async fn change(self, again: bool, done: &str) -> Outcome {
        let Self { network, transaction, args } = self;
        let database = args.open().await?;
        let now = clock(&database).await?.now();
        let mut tx = database.begin().await.map_err(failed)?;
        let changed = if again {
            tx.read_at_once(network, &transaction, now).await
        } else {
            tx.dismiss(network, &transaction, now).await
        };
        let changed = changed.map_err(failed)?;
        tx.commit().await.map_err(failed)?;
        database.close().await;
        if changed == 0 {
            return Err(format!(
                "No entry of {transaction} on {network} waits. `checkout chains pending` lists them."
            ));
        }
        args.say(
            &json!({"network": network.code(), "transactionId": transaction, "entries": changed}),
            done,
        )?;
        Ok(ExitCode::SUCCESS)
    }
}

fn object(record: &SetAsideRecord) -> Value {
    let SetAsideRecord { entry: SetAside { network, transaction, part, height, block, why }, seen_at, tries } =
        record;
    json!({
        "network": network.code(), "transactionId": transaction, "part": part, "height": height, "block": block,
        "why": why, "seenAt": seen_at, "tries": tries,
    })
}

fn row(record: &SetAsideRecord) -> Vec<String> {
    let SetAside { network, transaction, part, height, why, .. } = &record.entry;
    vec![
        network.code().to_owned(),
        transaction.clone(),
        height.to_string(),
        part.clone(),
        record.tries.to_string(),
        why.clone(),
    ]
}
