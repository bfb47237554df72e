//! `checkout flagged`: deposits that the screening flagged.

use std::process::ExitCode;

use checkout_domain::chain::screening::{Decision, Screening};
use checkout_domain::ports::screening::{Flagged, FlaggedStore as _};
use checkout_gateway::service::screen_deposits::decide;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use uuid::Uuid;

use super::DATABASE;
use super::{Outcome, answer, block_on, failed, open_existing, table};

#[derive(Debug, Subcommand)]
pub(super) enum FlaggedDeposits {
    /// Lists held deposits, newest first.
    List(ListFlagged),
    /// Credits a held deposit and sends its callback. Needs a running gateway.
    Release(Decide),
    /// Holds a deposit permanently and removes it from its payment. Needs a running gateway.
    Refuse(Decide),
}

#[derive(Debug, Args)]
pub(super) struct ListFlagged {
    #[arg(long, env = "CHECKOUT_DATABASE", help = DATABASE)]
    database: Option<String>,
    /// Only deposits of this business.
    #[arg(long, value_name = "ID")]
    business: Option<Uuid>,
    /// Only deposits in this state: FLAGGED, RELEASING, RELEASED, REFUSING or REFUSED.
    #[arg(long, value_parser = state)]
    state: Option<Screening>,
    /// Maximum number of rows.
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
    /// Prints JSON.
    #[arg(long)]
    json: bool,
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

impl ListFlagged {
    async fn run(self) -> Outcome {
        let database = open_existing(self.database.as_deref()).await?;
        let found = database.flagged_deposits(self.business, self.state, self.limit).await.map_err(failed)?;
        if self.json {
            let all: Vec<Value> = found.iter().map(summary).collect();
            answer(&Value::from(all).to_string())?;
        } else {
            table::print(found.iter().map(row).collect(), &[])?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Decide {
    async fn run(self, decision: Decision) -> Outcome {
        let database = open_existing(self.database.as_deref()).await?;
        let decided = decide(&database, self.id, decision).await.map_err(failed)?;
        database.close().await;
        if let Some(refusal) = decided.refusal() {
            return Err(format!("{}: {refusal}", self.id));
        }
        let done = json!({"depositId": self.id.to_string(), "decided": true});
        answer(&if self.json { done.to_string() } else { "A running gateway applies this.".to_owned() })?;
        Ok(ExitCode::SUCCESS)
    }
}

fn state(text: &str) -> Result<Screening, String> {
    let decidable = Screening::known(text).filter(|known| known.is_held() || *known == Screening::Released);
    decidable.ok_or_else(|| "must be one of FLAGGED, RELEASING, RELEASED, REFUSING, REFUSED".to_owned())
}

fn row(flagged: &Flagged) -> Vec<String> {
    vec![
        flagged.deposit.to_string(),
        flagged.screening.as_str().to_owned(),
        flagged.reason().to_owned(),
        format!("{} {}", flagged.amount.to_text(flagged.pair.decimals), flagged.pair.currency),
        flagged.owner.as_ref().map(|owner| owner.category.clone()).unwrap_or_default(),
        flagged.from.clone(),
        format!("payment {}", flagged.payment),
    ]
}

fn summary(flagged: &Flagged) -> Value {
    json!({
        "depositId": flagged.deposit.to_string(),
        "state": flagged.screening.as_str(),
        "reason": flagged.reason(),
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
