//! `checkout payouts`: withdrawals and refunds that wait for an operator.

use checkout_core::Amount;
use checkout_core::tag::MemoType;
use checkout_domain::access::actor::Actor;
use checkout_domain::chain::kept_tag;
use checkout_domain::chain::payout::hold::{Hold, HoldDecision, RESTORED_AT};
use checkout_domain::chain::payout::{Payout, Purpose};
use checkout_domain::ports::Store as _;
use checkout_domain::ports::payouts::PayoutStore as _;
use checkout_domain::ports::withdrawal_rules::WithdrawalRuleStore as _;
use checkout_domain::withdrawal::Withdrawal;
use checkout_domain::withdrawal::may_leave::Why;
use checkout_domain::withdrawal::rules::Approval;
use checkout_gateway::service::payouts::decide_hold::{self, HoldDecided};
use checkout_gateway::service::payouts::seen::Seen;
use checkout_gateway::service::payouts::withdrawal_rules::{self, Decided, Decision};
use checkout_storage::Database;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use uuid::Uuid;

use super::database_args::DatabaseArgs;
use super::{Outcome, block_on, failed, new_id};

#[derive(Debug, Subcommand)]
pub(super) enum Payouts {
    /// Lists payouts that are not sent, with the reason.
    Waiting(DatabaseArgs),
    /// Lists payouts that are signed and in no block, with all their transactions.
    Pending(DatabaseArgs),
    /// Lists payouts that are held after a restore, with the reason.
    Held(DatabaseArgs),
    /// Lists withdrawals that wait for an approval.
    Unapproved(DatabaseArgs),
    /// Lists withdrawals and refunds whose network asks more than their fee: they wait until that falls.
    AboveFee(DatabaseArgs),
    /// Approves a withdrawal above the business's limit. Needs a running gateway.
    Approve(Approve),
    /// Rejects it: its money returns to the balance, and the callback says `BLOCKED`. Needs a running gateway.
    Reject(Decide),
    /// Cancels a withdrawal until its transaction is signed: its money returns to the balance, and the callback says `BLOCKED`. Needs a
    /// running gateway.
    Cancel(Decide),
    /// Sends a held payout: it was not sent before. Needs a running gateway.
    Release(Release),
    /// Notes that a transaction sent a held payout before the restore. Needs a running gateway.
    Sent(Sent),
}

#[derive(Debug, Args)]
pub(super) struct Release {
    /// The payout.
    #[arg(required_unless_present = "all")]
    id: Option<Uuid>,
    /// Releases all held payouts, and compares none with its chain any more.
    #[arg(long, conflicts_with = "id")]
    all: bool,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct Decide {
    /// The withdrawal.
    id: Uuid,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct Approve {
    /// The withdrawal.
    id: Uuid,
    /// Its recipient, as it was seen. If another one stands there now, nothing is approved.
    #[arg(long, value_name = "ADDRESS")]
    to: String,
    /// Destination tag (XRP) or memo (XLM) of the recipient, unless the address has it.
    #[arg(long)]
    tag: Option<String>,
    /// Type of the memo on XLM: text, id or hash.
    #[arg(long, value_name = "TYPE")]
    memo_type: Option<MemoType>,
    /// Its amount, as it was seen.
    #[arg(long)]
    amount: String,
    #[command(flatten)]
    args: DatabaseArgs,
}

#[derive(Debug, Args)]
pub(super) struct Sent {
    /// The payout.
    id: Uuid,
    /// The transaction that sent it.
    #[arg(long, value_name = "ID")]
    transaction: String,
    /// The transaction pays several payouts: it may belong to another one, too.
    #[arg(long)]
    shared: bool,
    #[command(flatten)]
    args: DatabaseArgs,
}

impl Payouts {
    pub(super) fn run(self) -> Outcome {
        match self {
            Self::Waiting(args) => block_on(waiting(args)),
            Self::Pending(args) => block_on(pending(args)),
            Self::Held(args) => block_on(held(args)),
            Self::Unapproved(args) => block_on(unapproved(args)),
            Self::AboveFee(args) => block_on(above_fee(args)),
            Self::Approve(approve) => block_on(approve.run()),
            Self::Reject(Decide { id, args }) => {
                block_on(async move { decide_withdrawal(&args, id, Decision::Reject).await })
            }
            Self::Cancel(Decide { id, args }) => block_on(cancel(args, id)),
            Self::Release(Release { id, args, .. }) => block_on(async move {
                match id {
                    Some(id) => decide(&args, id, HoldDecision::Release, false).await,
                    None => release_all(&args).await,
                }
            }),
            Self::Sent(Sent { id, transaction, shared, args }) => {
                block_on(async move { decide(&args, id, HoldDecision::Sent(transaction), shared).await })
            }
        }
    }
}

async fn waiting(args: DatabaseArgs) -> Outcome {
    let database = args.open().await?;
    let (mut waiting, mut after) = (Vec::new(), None);
    loop {
        let page = database.open_payouts(None, after).await.map_err(failed)?;
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        for payout in page.into_iter().filter(Payout::is_waiting) {
            let why = match database.charged(payout.id).await.map_err(failed)? {
                Some(charged) => charged.waits_because(),
                None => payout.why,
            };
            waiting.push(Payout { why, ..payout });
        }
    }
    print(&args, &waiting, |payout| {
        let said = payout.why.map_or("It was not tried yet.", Why::sentence);
        (said.to_owned(), json!({"waitingReason": payout.why.map(Why::as_str)}))
    })
}

async fn held(args: DatabaseArgs) -> Outcome {
    let database = args.open().await?;
    let held = database.held_payouts().await.map_err(failed)?;
    print(&args, &held, |payout| match &payout.hold {
        Hold::Held { why } => (why.clone(), json!({"reason": why})),
        _ => ("the chain was not asked yet".to_owned(), json!({"reason": null})),
    })
}

async fn pending(args: DatabaseArgs) -> Outcome {
    let database = args.open().await?;
    let pending = database.pending_payouts().await.map_err(failed)?;
    print(&args, &pending, |payout| {
        let Some(versions) = payout.state.versions() else { return (String::new(), json!({})) };
        let ids: Vec<&str> = versions.all().map(|signed| signed.transaction_id.as_str()).collect();
        let capped = if versions.capped_at.is_some() { ", its fee is at the maximum" } else { "" };
        let said = format!("{}{capped}", ids.join(", replaced by "));
        let fields = json!({
            "transactionIds": ids, "pendingSince": versions.pending_since, "feeAtMaximumSince": versions.capped_at
        });
        (said, fields)
    })
}

async fn unapproved(args: DatabaseArgs) -> Outcome {
    let database = args.open().await?;
    let waiting = database.unapproved().await.map_err(failed)?;
    args.list(&waiting, unapproved_summary, unapproved_row, &[])
}

async fn above_fee(args: DatabaseArgs) -> Outcome {
    let database = args.open().await?;
    let waiting = database.above_fee().await.map_err(failed)?;
    let fees = |withdrawal: &Withdrawal| {
        let text = |fee: Amount| fee.to_text(withdrawal.pair.decimals);
        [text(withdrawal.fee), withdrawal.asked_fee.map(text).unwrap_or_default()]
    };
    let object = |withdrawal: &Withdrawal| {
        let [fee, asked] = fees(withdrawal);
        let mut summary = unapproved_summary(withdrawal);
        summary["fee"] = json!(fee);
        summary["networkAsks"] = json!(asked);
        summary
    };
    let row = |withdrawal: &Withdrawal| {
        let [fee, asked] = fees(withdrawal);
        let said = format!("the network asks {asked} {}, its fee is {fee}", withdrawal.pair.currency);
        [unapproved_row(withdrawal), vec![said]].concat()
    };
    args.list(&waiting, object, row, &[])
}

/// `describe` returns the last column of a row, and the fields of its JSON object.
fn print(args: &DatabaseArgs, rows: &[Payout], describe: impl Fn(&Payout) -> (String, Value)) -> Outcome {
    let object = |payout: &Payout| summary(payout, describe(payout).1);
    args.list(rows, object, |payout| row(payout, describe(payout).0), &[])
}

async fn cancel(args: DatabaseArgs, id: Uuid) -> Outcome {
    if !args.on(async |database, _| withdrawal_rules::cancel(database, id).await).await? {
        return Err(format!("{id}: no such withdrawal waits to be signed."));
    }
    let done = json!({"payoutId": id.to_string(), "cancelled": true});
    args.say(&done, "A running gateway returns its money.")
}

impl Approve {
    async fn run(self) -> Outcome {
        let Self { id, to: address, tag, memo_type, amount, args } = self;
        let seen = Seen { address, tag, memo_type, amount };
        decide_withdrawal(&args, id, Decision::Approve(&seen, &Actor::CommandLine)).await
    }
}

async fn decide_withdrawal(args: &DatabaseArgs, id: Uuid, decision: Decision<'_>) -> Outcome {
    let decide = async |database: &Database, now| {
        withdrawal_rules::decide(database, (new_id(now), now), id, decision).await
    };
    let approval = match (args.on(decide).await?, decision) {
        (Decided::Done, Decision::Approve(..)) => Approval::Approved,
        (Decided::Done, Decision::Reject) => Approval::Rejected,
        (Decided::NotWaiting, _) => return Err(format!("{id}: no such withdrawal waits for an approval.")),
        (Decided::SameInitiator, _) => return Err(format!("{id}: who asked for it does not approve it.")),
        (Decided::Changed, _) => {
            return Err(format!(
                "{id}: its address, tag or amount are others: see `checkout payouts unapproved`. Nothing was approved."
            ));
        }
    };
    let done = json!({"payoutId": id.to_string(), "approval": approval.as_str()});
    args.say(&done, "A running gateway applies this.")
}

fn unapproved_row(withdrawal: &Withdrawal) -> Vec<String> {
    let pair = withdrawal.pair;
    vec![
        withdrawal.id.to_string(),
        format!("{} {} on {}", withdrawal.amount.to_text(pair.decimals), pair.currency, pair.network),
        format!("{} EUR", withdrawal.uniform_amount),
        withdrawal.recipient.clone(),
        format!("business {}", withdrawal.business),
    ]
}

fn unapproved_summary(withdrawal: &Withdrawal) -> Value {
    json!({
        "payoutId": withdrawal.id.to_string(),
        "businessId": withdrawal.business.to_string(),
        "clientWithdrawalId": withdrawal.client_withdrawal_id,
        "currency": withdrawal.pair.currency.code(),
        "network": withdrawal.pair.network.code(),
        "amount": withdrawal.amount.to_text(withdrawal.pair.decimals),
        "uniformAmount": withdrawal.uniform_amount.to_string(),
        "recipientAddress": withdrawal.recipient,
        "memoType": kept_tag::memo_type(withdrawal.pair.network, withdrawal.tag.as_deref()),
        "createdAt": withdrawal.created_at,
    })
}

async fn decide(args: &DatabaseArgs, id: Uuid, decision: HoldDecision, shared: bool) -> Outcome {
    let decide = async |database: &Database, _| decide_hold::decide(database, id, &decision, shared).await;
    match args.on(decide).await? {
        HoldDecided::Done => {}
        HoldDecided::NotHeld => return Err(format!("{id}: no such payout is held.")),
        HoldDecided::Taken(others) => {
            let others: Vec<String> = others.iter().map(Uuid::to_string).collect();
            return Err(format!(
                "{id}: the transaction belongs to the payout {}. Nothing was changed. If it paid both: --shared.",
                others.join(", ")
            ));
        }
    }
    let done = json!({"payoutId": id.to_string(), "decided": true});
    args.say(&done, "It is done as soon as a gateway runs.")
}

async fn release_all(args: &DatabaseArgs) -> Outcome {
    let release = async |database: &Database, _| {
        let mut tx = database.begin().await?;
        let count = decide_hold::release_all(database, tx.as_mut()).await?;
        tx.put_setting(RESTORED_AT, "").await?;
        tx.commit().await?;
        Ok(count)
    };
    let count = args.on(release).await?;
    let sentence = format!("{count} payouts are sent as soon as a gateway runs.");
    args.say(&json!({"released": count}), &sentence)
}

fn amount(payout: &Payout) -> String {
    payout.amount.to_text(payout.pair.decimals)
}

const fn purpose(payout: &Payout) -> &'static str {
    match payout.purpose {
        Purpose::Refund => "REFUND",
        Purpose::Withdrawal => "WITHDRAWAL",
        Purpose::MerchantRefund => "MERCHANT_REFUND",
    }
}

fn row(payout: &Payout, said: String) -> Vec<String> {
    vec![
        payout.id.to_string(),
        purpose(payout).to_owned(),
        format!("{} {} on {}", amount(payout), payout.pair.currency, payout.pair.network),
        payout.to.clone(),
        said,
    ]
}

fn summary(payout: &Payout, more: Value) -> Value {
    let mut summary = json!({
        "payoutId": payout.id.to_string(),
        "businessId": payout.business.to_string(),
        "purpose": purpose(payout),
        "currency": payout.pair.currency.code(),
        "network": payout.pair.network.code(),
        "amount": amount(payout),
        "recipientAddress": payout.to,
        "destinationTag": payout.tag.as_deref().map(kept_tag::shown),
        "memoType": kept_tag::memo_type(payout.pair.network, payout.tag.as_deref()),
        "createdAt": payout.created_at,
    });
    if let (Some(summary), Value::Object(more)) = (summary.as_object_mut(), more) {
        summary.extend(more);
    }
    summary
}
