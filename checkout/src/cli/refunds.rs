//! `checkout refunds`: refunds that wait for an address.

use std::process::ExitCode;

use checkout_domain::chain::kept_tag;
use checkout_domain::ids::BusinessId;
use checkout_domain::payment::refund_said::Given;
use checkout_domain::ports::Clock as _;
use checkout_domain::ports::refunds::{RefundStore as _, WaitingRefund};
use checkout_gateway::service::refunds::decide_refund::refuse_claim;
use checkout_gateway::service::refunds::send_refund::{Decided, send};
use checkout_gateway::service::refused::Refused;
use checkout_storage::Database;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use uuid::Uuid;

use super::database_args::DatabaseArgs;
use super::{Outcome, block_on, clock, failed, new_id};

#[derive(Debug, Subcommand)]
pub(super) enum Refunds {
    /// Lists refunds that wait for an address or for an approval, newest first.
    List(ListRefunds),
    /// Sends a refund that waits. Needs a running gateway.
    Send(Send),
    /// Refuses what a payer asked for on the page.
    Refuse(Refuse),
}

#[derive(Debug, Args)]
pub(super) struct ListRefunds {
    /// Only refunds of this business.
    #[arg(long, value_name = "ID")]
    business: Option<BusinessId>,
    /// Maximum number of rows.
    #[arg(long, default_value_t = 25)]
    limit: u32,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct Send {
    /// The deposit.
    deposit: Uuid,
    /// Recipient: the address that the payer asked for, the sender of the deposit, or another one.
    #[arg(long, value_name = "ADDRESS")]
    to: String,
    /// Destination tag (XRP) or memo (XLM) of the recipient.
    #[arg(long)]
    tag: Option<String>,
    /// What the recipient gets, as it was seen. If it is another amount now, nothing is sent.
    #[arg(long)]
    amount: String,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct Refuse {
    /// The deposit, or the refund.
    refund: Uuid,
    /// What the payer reads on the page.
    #[arg(long, default_value = "")]
    reason: String,
    #[command(flatten)]
    args: DatabaseArgs,
}

impl Refunds {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::List(list) => block_on(list.run()),
            Self::Send(send) => block_on(send.run()),
            Self::Refuse(refuse) => block_on(refuse.run()),
        }
    }
}

impl ListRefunds {
    async fn run(self) -> Outcome {
        let database = self.args.open().await?;
        let found = database.waiting_refunds(self.business, self.limit).await.map_err(failed)?;
        self.args.list(&found, summary, row, &[])
    }
}

impl Send {
    async fn run(self) -> Outcome {
        let to = (self.to.as_str(), self.tag.as_deref());
        let send = async |database: &Database, now| {
            let id = new_id(now);
            Ok((send(database, (id, now), self.deposit, to, &self.amount).await?, id))
        };
        let (decided, id) = self.args.on(send).await?;
        if let Some(refusal) = decided.refusal() {
            return Err(format!("{}: {refusal}", self.deposit));
        }
        let Decided::Kept(to) = decided else { return Ok(ExitCode::FAILURE) };
        let object = json!({
            "depositId": self.deposit.to_string(), "payoutId": id.to_string(),
            "recipientAddress": to.address, "destinationTag": to.tag.as_deref().map(kept_tag::shown),
        });
        let tag = to.tag.map(|tag| format!(" with the tag {}", kept_tag::shown(&tag))).unwrap_or_default();
        self.args.say(&object, &format!("A running gateway sends it to {}{tag}.", to.address))
    }
}

impl Refuse {
    async fn run(self) -> Outcome {
        let database = self.args.open().await?;
        let now = clock(&database).await?.now();
        let found = database.refund(self.refund).await.map_err(failed)?;
        let found = found.ok_or_else(|| format!("{}: There is no such refund.", self.refund))?;
        let decision = (self.refund, self.reason.as_str());
        let refused = refuse_claim(&database, (new_id(now), now), found.payment, decision).await;
        database.close().await;
        refused.map_err(|why| match why {
            Refused::Store(error) => failed(error),
            _ => format!("{}: The payer did not ask for it, or it is decided.", self.refund),
        })?;
        let object = json!({"refundId": self.refund.to_string(), "status": "REFUSED"});
        self.args.say(&object, "It is not sent to that address.")
    }
}

fn row(refund: &WaitingRefund) -> Vec<String> {
    vec![
        refund.deposit.to_string(),
        refund.wait.0.to_string(),
        refund.wait.1.to_owned(),
        format!("{} {}", sent(refund), refund.pair.currency),
        refund.claim.as_ref().map_or_else(|| refund.from.clone(), |to| format!("asked for {}", text_of(to))),
        format!("payment {}", refund.payment),
    ]
}

fn summary(refund: &WaitingRefund) -> Value {
    json!({
        "depositId": refund.deposit.to_string(),
        "waitingFor": refund.wait.0,
        "waitingReason": refund.wait.1,
        "paymentId": refund.payment.to_string(),
        "clientPaymentId": refund.client_payment_id,
        "businessId": refund.business.to_string(),
        "currency": refund.pair.currency.code(),
        "network": refund.pair.network.code(),
        "amount": refund.gross.to_text(refund.pair.decimals),
        "fee": refund.fee.to_text(refund.pair.decimals),
        "sentAmount": sent(refund),
        "fromAddress": refund.from,
        "transactionId": refund.transaction,
        "claimedAddress": refund.claim.as_ref().map(text_of),
    })
}

/// What the recipient gets, as `send` names it.
fn sent(refund: &WaitingRefund) -> String {
    refund.gross.saturating_sub(refund.fee).to_text(refund.pair.decimals)
}

/// With its tag.
fn text_of(to: &Given) -> String {
    kept_tag::join(&to.address, to.tag.as_deref())
}
