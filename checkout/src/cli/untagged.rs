//! `checkout untagged`: transfers to the account of all payments that have no tag, or one of no payment.

use checkout_core::pair;
use checkout_domain::chain::untagged::{UntaggedReport, UntaggedState, UntaggedTransfer, precedes};
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::{PaymentWithDeposits, Quote};
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_domain::ports::untagged::UntaggedStore as _;
use checkout_gateway::service::transfers::decide_untagged::{UntaggedChoice, credit, refuse};
use checkout_storage::Database;
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::database_args::DatabaseArgs;
use super::{Outcome, block_on, failed};

#[derive(Debug, Subcommand)]
pub(super) enum UntaggedTransfers {
    /// Lists transfers that payers looked up, with the payments that they were looked up for, newest first.
    List(ListUntagged),
    /// Credits a transfer to a payment that reported it. Needs a running gateway.
    Credit(Credit),
    /// Refuses a transfer: no payment gets it.
    Refuse(Refuse),
}

#[derive(Debug, Args)]
pub(super) struct ListUntagged {
    /// Only transfers in this state.
    #[arg(long, value_parser = UntaggedState::WORDS)]
    state: Option<String>,
    /// Maximum number of transfers.
    #[arg(long, default_value_t = 25)]
    limit: u32,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct Choice {
    /// The transaction.
    transaction: String,
    /// One of several transfers of the transaction.
    #[arg(long)]
    output: Option<u32>,
}

#[derive(Debug, Args)]
pub(super) struct Credit {
    #[command(flatten)]
    choice: Choice,
    /// The payment.
    payment: PaymentId,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct Refuse {
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    args: DatabaseArgs,
}

impl UntaggedTransfers {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::List(list) => block_on(list.run()),
            Self::Credit(credit) => block_on(credit.run()),
            Self::Refuse(refuse) => block_on(refuse.run()),
        }
    }
}

impl ListUntagged {
    async fn run(self) -> Outcome {
        let database = self.args.open().await?;
        let found = database.untagged(self.state.as_deref(), self.limit).await.map_err(failed)?;
        let mut listed = Vec::with_capacity(found.len());
        for transfer in found {
            listed.push(Listed::of(&database, transfer).await?);
        }
        self.args.list(&listed, summary, row, &[])
    }
}

impl Credit {
    async fn run(self) -> Outcome {
        let next = "A running gateway looks it up again and credits it. If it cannot, `checkout untagged list` says why.";
        decide(&self.args, &self.choice, Some(self.payment), next).await
    }
}

impl Refuse {
    async fn run(self) -> Outcome {
        decide(&self.args, &self.choice, None, "No payment gets it. It can still be credited later.").await
    }
}

/// Credits it to the payment, or refuses it.
async fn decide(args: &DatabaseArgs, choice: &Choice, payment: Option<PaymentId>, next: &str) -> Outcome {
    let which = UntaggedChoice { transaction: &choice.transaction, output: choice.output };
    let decide = async |database: &Database, now| match payment {
        Some(payment) => credit(database, which, payment, now).await,
        None => refuse(database, which, now).await,
    };
    let decided = args.on(decide).await?;
    let transfer = decided.map_err(|refusal| format!("{}: {refusal}", choice.transaction))?;
    args.say(&decision(&transfer), next)
}

/// A transfer with the payments that it was looked up for.
struct Listed {
    transfer: UntaggedTransfer,
    reports: Vec<(UntaggedReport, Option<PaymentWithDeposits>)>,
}

impl Listed {
    async fn of(database: &Database, transfer: UntaggedTransfer) -> Result<Self, String> {
        let mut reports = Vec::with_capacity(transfer.reports.len());
        for report in &transfer.reports {
            reports.push((*report, database.payment(report.payment).await.map_err(failed)?));
        }
        Ok(Self { transfer, reports })
    }

    fn amount(&self) -> String {
        let UntaggedTransfer { output, currency, amount, .. } = &self.transfer;
        pair::find(*currency, output.network).map_or_else(String::new, |pair| amount.to_text(pair.decimals))
    }

    /// When the account was first shown on the page of the payment.
    fn shown_at(&self, payment: &PaymentWithDeposits) -> Option<u64> {
        let quotes = payment.quotes.iter().filter(|quote| quote.address == self.transfer.to);
        quotes.map(|quote| quote.requested_at).min()
    }

    /// What the payment was last quoted in this pair before the transfer arrived, or else first.
    fn quoted(&self, payment: &PaymentWithDeposits) -> Option<String> {
        let UntaggedTransfer { output, currency, seen_at, .. } = &self.transfer;
        let is_of_pair = |quote: &&Quote| (quote.currency, quote.network) == (*currency, output.network);
        let quotes = || payment.quotes.iter().filter(is_of_pair);
        let seen = quotes().rfind(|quote| !precedes(*seen_at, quote.requested_at));
        let quote = seen.or_else(|| quotes().next())?;
        Some(quote.terms.expected.to_text(quote.pair().decimals))
    }
}

fn decision(transfer: &UntaggedTransfer) -> Value {
    json!({
        "transactionId": transfer.output.transaction,
        "output": transfer.output.index,
        "state": transfer.state.word(),
        "paymentId": transfer.state.payment().map(|payment| payment.to_string()),
    })
}

fn row(listed: &Listed) -> Vec<String> {
    let transfer = &listed.transfer;
    let report = |(report, payment): &(UntaggedReport, Option<PaymentWithDeposits>)| {
        let payment = payment.as_ref();
        let quoted = payment.and_then(|payment| listed.quoted(payment)).unwrap_or_default();
        let shown_at = payment.and_then(|payment| listed.shown_at(payment));
        let later = shown_at.is_some_and(|shown_at| precedes(transfer.seen_at, shown_at));
        let note = if later { ", younger than the transfer" } else { "" };
        format!("payment {} of {quoted}{note}", report.payment)
    };
    let reports: Vec<String> = listed.reports.iter().map(report).collect();
    vec![
        transfer.output.transaction.clone(),
        transfer.output.index.to_string(),
        transfer.state.word().to_owned(),
        format!("{} {}", listed.amount(), transfer.currency),
        transfer.tag.as_ref().map_or_else(|| "no tag".to_owned(), |tag| format!("tag {tag}")),
        transfer.from.clone(),
        reports.join(", "),
        transfer.state.failure().map(|why| format!("not credited: {why}")).unwrap_or_default(),
    ]
}

fn summary(listed: &Listed) -> Value {
    let transfer = &listed.transfer;
    let report = |(report, payment): &(UntaggedReport, Option<PaymentWithDeposits>)| {
        let payment = payment.as_ref();
        json!({
            "paymentId": report.payment.to_string(),
            "reportedAt": report.reported_at,
            "businessId": payment.map(|found| found.payment.business.to_string()),
            "clientPaymentId": payment.map(|found| found.payment.client_payment_id.clone()),
            "status": payment.map(|found| found.payment.status.to_string()),
            "expectedAmount": payment.and_then(|found| listed.quoted(found)),
            "accountShownAt": payment.and_then(|found| listed.shown_at(found)),
        })
    };
    json!({
        "transactionId": transfer.output.transaction,
        "output": transfer.output.index,
        "state": transfer.state.word(),
        "currency": transfer.currency.code(),
        "network": transfer.output.network.code(),
        "amount": listed.amount(),
        "toAddress": transfer.to,
        "destinationTag": transfer.tag,
        "fromAddress": transfer.from,
        "seenAt": transfer.seen_at,
        "decidedAt": transfer.decided_at,
        "creditedTo": transfer.state.payment().map(|payment| payment.to_string()),
        "failure": transfer.state.failure(),
        "reports": listed.reports.iter().map(report).collect::<Value>(),
    })
}
