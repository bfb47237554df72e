//! `checkout refunds`: refunds that wait for an address.

use std::process::ExitCode;

use checkout_domain::business_id::BusinessId;
use checkout_domain::ports::Clock as _;
use checkout_domain::ports::refunds::{RefundStore as _, WaitingRefund};
use checkout_gateway::service::send_refund::{Decided, send};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use uuid::{NoContext, Timestamp, Uuid};

use super::database_args::DatabaseArgs;
use super::{Outcome, block_on, clock, failed};

#[derive(Debug, Subcommand)]
pub(super) enum Refunds {
    /// Lists refunds that wait for an address or for an approval, newest first.
    List(ListRefunds),
    /// Sends a refund that waits. Needs a running gateway.
    Send(Send),
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
    /// Recipient [default: the sender of the deposit].
    #[arg(long, value_name = "ADDRESS")]
    to: Option<String>,
    /// Destination tag (XRP) or memo (XLM) of the recipient.
    #[arg(long, requires = "to")]
    tag: Option<String>,
    #[command(flatten)]
    args: DatabaseArgs,
}

impl Refunds {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::List(list) => block_on(list.run()),
            Self::Send(send) => block_on(send.run()),
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
        let database = self.args.open().await?;
        let now = clock(&database).await?.now();
        let id = Uuid::new_v7(Timestamp::from_unix(NoContext, now, 0));
        let to = self.to.as_deref().map(|address| (address, self.tag.as_deref()));
        let decided = send(&database, (id, now), self.deposit, to).await.map_err(failed)?;
        database.close().await;
        if let Some(refusal) = decided.refusal() {
            return Err(format!("{}: {refusal}", self.deposit));
        }
        let Decided::Kept(to) = decided else { return Ok(ExitCode::FAILURE) };
        let object = json!({
            "depositId": self.deposit.to_string(), "payoutId": id.to_string(),
            "recipientAddress": to.address, "destinationTag": to.tag,
        });
        let tag = to.tag.map(|tag| format!(" with the tag {tag}")).unwrap_or_default();
        self.args.say(&object, &format!("A running gateway sends it to {}{tag}.", to.address))
    }
}

fn row(refund: &WaitingRefund) -> Vec<String> {
    vec![
        refund.deposit.to_string(),
        refund.wait.word().to_string(),
        refund.wait.reason().to_owned(),
        format!("{} {}", refund.gross.to_text(refund.pair.decimals), refund.pair.currency),
        refund.from.clone(),
        format!("payment {}", refund.payment),
    ]
}

fn summary(refund: &WaitingRefund) -> Value {
    json!({
        "depositId": refund.deposit.to_string(),
        "waitingFor": refund.wait.word(),
        "waitingReason": refund.wait.reason(),
        "paymentId": refund.payment.to_string(),
        "clientPaymentId": refund.client_payment_id,
        "businessId": refund.business.to_string(),
        "currency": refund.pair.currency.code(),
        "network": refund.pair.network.code(),
        "amount": refund.gross.to_text(refund.pair.decimals),
        "fee": refund.fee.to_text(refund.pair.decimals),
        "fromAddress": refund.from,
        "transactionId": refund.transaction,
    })
}
