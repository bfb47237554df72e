//! `checkout chains pending`: entries of chains that could not be read, and coins that are not credited.

use checkout_domain::chain::set_aside::{SetAside, SetAsideRecord, UncreditedCoins};
use checkout_domain::ports::Clock as _;
use checkout_domain::ports::set_aside::SetAsideStore as _;
use checkout_domain::ports::store::Store as _;
use checkout_storage::Database;
use clap::Args;
use serde_json::{Value, json};

use super::database_args::DatabaseArgs;
use super::{Outcome, clock, failed};

#[derive(Debug, Args)]
pub(super) struct Pending {
    /// Has a running gateway read the entries of this transaction at once.
    #[arg(long, value_name = "TRANSACTION", conflicts_with = "dismiss")]
    again: Option<String>,
    /// Takes the entries of this transaction off the list. Nothing of them is credited.
    #[arg(long, value_name = "TRANSACTION")]
    dismiss: Option<String>,
    /// Maximum number of entries.
    #[arg(long, default_value_t = 100)]
    limit: u32,
    #[command(flatten)]
    args: DatabaseArgs,
}

impl Pending {
    pub(super) async fn run(self) -> Outcome {
        let database = self.args.open().await?;
        match (&self.again, &self.dismiss) {
            (Some(transaction), _) => {
                self.change(&database, transaction, true, "A running gateway reads it again within seconds.")
                    .await
            }
            (None, Some(transaction)) => {
                let done = "It is off the list. `checkout chains rescan` reads its block again.";
                self.change(&database, transaction, false, done).await
            }
            (None, None) => {
                let open = database.set_aside(self.limit).await.map_err(failed)?;
                database.close().await;
                self.args.list(&open, object, row, &[2, 4])
            }
        }
    }

    async fn change(&self, database: &Database, transaction: &str, again: bool, done: &str) -> Outcome {
        let now = clock(database).await?.now();
        let mut tx = database.begin().await.map_err(failed)?;
        let changed =
            if again { tx.read_at_once(transaction, now).await } else { tx.dismiss(transaction, now).await };
        let changed = changed.map_err(failed)?;
        tx.commit().await.map_err(failed)?;
        database.close().await;
        if changed == 0 {
            return Err(format!(
                "No entry of {transaction} waits. `checkout chains pending` lists those that do."
            ));
        }
        self.args.say(&json!({"transactionId": transaction, "entries": changed}), done)
    }
}

fn object(record: &SetAsideRecord) -> Value {
    let SetAsideRecord { entry, coins, seen_at, tries } = record;
    let SetAside { network, transaction, part, height, block, why } = entry;
    let coins = coins.as_ref().map(|UncreditedCoins { payment, asset, amount, to }| {
        json!({"paymentId": payment.to_string(), "asset": asset, "amount": amount, "toAddress": to})
    });
    json!({
        "network": network.code(), "transactionId": transaction, "part": part, "height": height, "block": block,
        "why": why, "seenAt": seen_at, "tries": tries, "coins": coins,
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
        match &record.coins {
            Some(coins) => format!("{why}: payment {}", coins.payment),
            None => why.clone(),
        },
    ]
}
