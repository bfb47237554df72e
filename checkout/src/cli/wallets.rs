//! `checkout wallets`: coins that an operator moved, so that the wallets and the books agree.

use checkout_core::{Currency, Decimal};
use checkout_domain::ledger::money::Money;
use checkout_domain::ledger::wallet::WalletRecord;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::wallets::WalletStore as _;
use checkout_domain::rates::asset::Asset;
use checkout_storage::Database;
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::database_args::DatabaseArgs;
use super::{Outcome, block_on, failed, new_id};

#[derive(Debug, Subcommand)]
pub(super) enum Wallets {
    /// Lists what was recorded, oldest first.
    List(DatabaseArgs),
    /// Records coins that you put into a wallet, or took out of it.
    Record(Record),
}

#[derive(Debug, Args)]
pub(super) struct Record {
    /// The currency.
    currency: Currency,
    /// Its whole coins; negative if they were taken out.
    #[arg(long, allow_hyphen_values = true)]
    amount: String,
    /// Who moved them.
    #[arg(long, value_name = "NAME")]
    by: String,
    /// Why, and by which transaction.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    args: DatabaseArgs,
}

impl Wallets {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::List(args) => block_on(list(args)),
            Self::Record(record) => block_on(record.run()),
        }
    }
}

async fn list(args: DatabaseArgs) -> Outcome {
    let records = args.open().await?.wallet_records().await.map_err(failed)?;
    args.list(&records, object, row, &[0])
}

impl Record {
    async fn run(self) -> Outcome {
        let Self { currency, amount, by, reason: why, args } = self;
        let money = amount.parse::<Decimal>().ok().and_then(|amount| {
            let money = Money::of_decimal(Asset::Crypto(currency), amount)?;
            (money.units != 0 && money.to_decimal() == amount).then_some(money)
        });
        let money = money.ok_or_else(|| format!("{amount} is no amount of {currency}."))?;
        let put = async |database: &Database, now| {
            let record = WalletRecord { id: new_id(now), money, by, why, at: now };
            let mut tx = database.begin().await?;
            tx.put_wallet_record(&record).await?;
            tx.commit().await?;
            Ok(record)
        };
        let record = args.on(put).await?;
        args.say(&object(&record), "It counts from now on.")
    }
}

fn object(record: &WalletRecord) -> Value {
    json!({
        "currency": record.money.asset.code(),
        "amount": record.money.to_string(),
        "recordedBy": record.by,
        "reason": record.why,
        "recordedAt": record.at,
    })
}

fn row(record: &WalletRecord) -> Vec<String> {
    let WalletRecord { money, by, why, at, .. } = record;
    vec![
        money.to_string(),
        money.asset.code().to_owned(),
        format!("by {by}"),
        format!("at {at}"),
        why.clone(),
    ]
}
