use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use uuid::Uuid;

use super::DATABASE;
use super::{Outcome, answer, block_on, failed, open_database};
use checkout_gateway::domain::chain::screening::{Decision, Screening};
use checkout_gateway::ports::screening::{Flagged, FlaggedStore as _};
use checkout_gateway::service::screen_deposits::decide;

#[derive(Debug, Subcommand)]
pub(super) enum FlaggedDeposits {
    /// Lists deposits that were flagged, the newest first.
    List(List),
    /// Takes a flagged deposit after all: it is credited, and the merchant is told. A running gateway does it.
    Release(Decide),
    /// Keeps a flagged deposit for good: it is no part of its payment. A running gateway does it.
    Refuse(Decide),
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// Those of one business.
    #[arg(long, value_name = "ID")]
    business: Option<Uuid>,
    /// FLAGGED, RELEASING, RELEASED, REFUSING or REFUSED.
    #[arg(long, value_parser = state)]
    state: Option<Screening>,
    /// How many at most.
    #[arg(long, default_value_t = 25)]
    limit: u32,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Decide {
    /// The deposit.
    id: Uuid,
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
}

impl FlaggedDeposits {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::List(list) => block_on(list.run()),
            Self::Release(decide) => block_on(decide.run(Decision::Release)),
            Self::Refuse(decide) => block_on(decide.run(Decision::Refuse)),
        }
    }
}

impl List {
    async fn run(self) -> Outcome {
        let database = open_database(self.database.as_deref()).await?;
        let found = database.flagged_deposits(self.business, self.state, self.limit).await.map_err(failed)?;
        if self.json {
            let all: Vec<Value> = found.iter().map(summary).collect();
            answer(&Value::from(all).to_string())?;
        } else {
            for flagged in found {
                answer(&line(&flagged))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Decide {
    async fn run(self, decision: Decision) -> Outcome {
        let database = open_database(self.database.as_deref()).await?;
        let decided = decide(&database, self.id, decision).await.map_err(failed)?;
        database.close().await;
        if let Some(refusal) = decided.refusal() {
            return Err(format!("{}: {refusal}", self.id));
        }
        answer("It is done as soon as a gateway runs.")?;
        Ok(ExitCode::SUCCESS)
    }
}

fn state(text: &str) -> Result<Screening, String> {
    let decidable = Screening::known(text).filter(|known| known.is_held() || *known == Screening::Released);
    decidable.ok_or_else(|| "it is none of FLAGGED, RELEASING, RELEASED, REFUSING, REFUSED".to_owned())
}

fn line(flagged: &Flagged) -> String {
    let category = flagged.owner.as_ref().map_or("", |owner| &owner.category);
    let (amount, currency) = (flagged.amount.to_text(flagged.pair.decimals), flagged.pair.currency);
    let (id, state) = (flagged.deposit, flagged.screening.as_str());
    format!("{id}  {state:9}  {amount} {currency}  {category}  {}  payment {}", flagged.from, flagged.payment)
}

fn summary(flagged: &Flagged) -> Value {
    json!({
        "depositId": flagged.deposit.to_string(),
        "state": flagged.screening.as_str(),
        "paymentId": flagged.payment.to_string(),
        "clientPaymentId": flagged.client_payment_id,
        "businessId": flagged.business.to_string(),
        "currency": flagged.pair.currency.code(),
        "network": flagged.pair.network.code(),
        "amount": flagged.amount.to_text(flagged.pair.decimals),
        "fromAddress": flagged.from,
        "owner": flagged.owner.as_ref().map(|owner| json!({"name": owner.name, "category": owner.category})),
        "transactionId": flagged.transaction,
        "seenAt": flagged.seen_at,
    })
}
