use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use uuid::Uuid;

use super::DATABASE;
use super::{Outcome, answer, block_on, failed, open_existing, table};
use checkout_gateway::domain::chain::payout::{Payout, Purpose};
use checkout_gateway::domain::chain::payout_hold::{HoldDecision, PayoutHold, RESTORED_AT};
use checkout_gateway::ports::Store as _;
use checkout_gateway::ports::payout_holds::PayoutHoldStore as _;

#[derive(Debug, Subcommand)]
pub(super) enum Payouts {
    /// Lists payouts that are held after a restore, with the reason.
    Held(Held),
    /// Sends a held payout: it was not sent before. Needs a running gateway.
    Release(Release),
    /// Notes that a transaction sent a held payout before the restore. Needs a running gateway.
    Sent(Sent),
}

#[derive(Debug, Args)]
pub(super) struct Held {
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Release {
    /// The payout.
    #[arg(required_unless_present = "all")]
    id: Option<Uuid>,
    /// Releases all held payouts, and compares none with its chain any more.
    #[arg(long, conflicts_with = "id")]
    all: bool,
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Sent {
    /// The payout.
    id: Uuid,
    /// The transaction that sent it.
    #[arg(long, value_name = "ID")]
    transaction: String,
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

impl Payouts {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Held(held) => block_on(held.run()),
            Self::Release(Release { id, database, json, .. }) => block_on(async move {
                match id {
                    Some(id) => decide(database.as_deref(), id, HoldDecision::Release, json).await,
                    None => release_all(database.as_deref(), json).await,
                }
            }),
            Self::Sent(Sent { id, transaction, database, json }) => {
                block_on(decide(database.as_deref(), id, HoldDecision::Sent(transaction), json))
            }
        }
    }
}

impl Held {
    async fn run(self) -> Outcome {
        let database = open_existing(self.database.as_deref()).await?;
        let held = database.held_payouts().await.map_err(failed)?;
        if self.json {
            let all: Vec<Value> = held.iter().map(|(payout, hold)| summary(payout, hold)).collect();
            answer(&Value::from(all).to_string())?;
        } else {
            table::print(held.iter().map(|(payout, hold)| row(payout, hold)).collect(), &[])?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

async fn decide(database: Option<&str>, id: Uuid, decision: HoldDecision, as_json: bool) -> Outcome {
    let database = open_existing(database).await?;
    let mut tx = database.begin().await.map_err(failed)?;
    if !tx.decide_hold(id, &decision).await.map_err(failed)? {
        return Err(format!("{id}: no such payout is held."));
    }
    tx.commit().await.map_err(failed)?;
    database.close().await;
    answer(&if as_json {
        json!({"payoutId": id.to_string(), "decided": true}).to_string()
    } else {
        "It is done as soon as a gateway runs.".to_owned()
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn release_all(database: Option<&str>, as_json: bool) -> Outcome {
    let database = open_existing(database).await?;
    let mut tx = database.begin().await.map_err(failed)?;
    let count = tx.release_holds().await.map_err(failed)?;
    tx.put_setting(RESTORED_AT, "").await.map_err(failed)?;
    tx.commit().await.map_err(failed)?;
    database.close().await;
    answer(&if as_json {
        json!({"released": count}).to_string()
    } else {
        format!("{count} payouts are sent as soon as a gateway runs.")
    })?;
    Ok(ExitCode::SUCCESS)
}

fn amount(payout: &Payout) -> String {
    payout.amount.to_text(payout.pair.decimals)
}

const fn purpose(payout: &Payout) -> &'static str {
    match payout.purpose {
        Purpose::Refund => "REFUND",
        Purpose::Withdrawal => "WITHDRAWAL",
    }
}

fn row(payout: &Payout, hold: &PayoutHold) -> Vec<String> {
    vec![
        payout.id.to_string(),
        purpose(payout).to_owned(),
        format!("{} {} on {}", amount(payout), payout.pair.currency, payout.pair.network),
        payout.to.clone(),
        hold.reason.clone().unwrap_or_else(|| "the chain was not asked yet".to_owned()),
    ]
}

fn summary(payout: &Payout, hold: &PayoutHold) -> Value {
    json!({
        "payoutId": payout.id.to_string(),
        "businessId": payout.business.to_string(),
        "purpose": purpose(payout),
        "currency": payout.pair.currency.code(),
        "network": payout.pair.network.code(),
        "amount": amount(payout),
        "recipientAddress": payout.to,
        "destinationTag": payout.tag,
        "createdAt": payout.created_at,
        "reason": hold.reason,
    })
}
