//! `checkout flagged`: deposits that the screening flagged.

use checkout_domain::chain::screening::{Decision, Screening};
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::screening::{Flagged, FlaggedStore as _};
use checkout_gateway::service::transfers::screen_deposits::decide;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use uuid::Uuid;

use super::database_args::DatabaseArgs;
use super::{Outcome, block_on, failed};

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
    /// Only deposits of this business.
    #[arg(long, value_name = "ID")]
    business: Option<BusinessId>,
    /// Only deposits in this state: FLAGGED, RELEASING, RELEASED, REFUSING or REFUSED.
    #[arg(long, value_parser = state)]
    state: Option<Screening>,
    /// Maximum number of rows.
    #[arg(long, default_value_t = 25)]
    limit: u32,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct Decide {
    /// The deposit.
    id: Uuid,
    #[command(flatten)]
    args: DatabaseArgs,
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
        let database = self.args.open().await?;
        let found = database.flagged_deposits(self.business, self.state, self.limit).await.map_err(failed)?;
        self.args.list(&found, summary, row, &[])
    }
}

impl Decide {
    async fn run(self, decision: Decision) -> Outcome {
        let decided = self.args.on(async |database, _| decide(database, self.id, decision).await).await?;
        if let Some(refusal) = decided.refusal() {
            return Err(format!("{}: {refusal}", self.id));
        }
        let done = json!({"depositId": self.id.to_string(), "decided": true});
        self.args.say(&done, "A running gateway applies this.")
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
