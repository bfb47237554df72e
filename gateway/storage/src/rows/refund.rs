//! A row of `refunds`. One of a deposit is read with it; one for which a balance is charged is read with the charge, whose approval and
//! payout say how far it is.

use std::collections::BTreeMap;

use checkout_domain::chain::payout::state::Progress;
use checkout_domain::chain::payout::{Payout, Purpose};
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::refund::{Refund, Source};
use checkout_domain::payment::refund_phase::{Phase, Transfer};
use checkout_domain::payment::refund_said::{Claim, Decision, Given, Said};
use checkout_domain::ports::Stored;
use checkout_domain::withdrawal::Withdrawal;
use checkout_wire::payment::{RefundReason, RefundType, RefundWait};
use checkout_wire::refunds::RefundState;
use uuid::Uuid;

use crate::statements::columns::columns;
use crate::statements::query::ToValue;
use crate::statements::row::{Row, bad};
use crate::{Transaction, query, query_list, rows};

/// The columns behind those of a charge; the condition follows.
const CHARGED: &str = ", payouts.state AS payout_state, payouts.confirmed_at AS payout_confirmed_at
    FROM refunds JOIN withdrawals ON withdrawals.id = refunds.id JOIN payouts ON payouts.id = refunds.id WHERE";

/// Reads a deposit and its refund from a row that joins both.
pub(crate) fn with_deposit(row: &Row) -> Stored<(Deposit, Option<Refund>)> {
    let is_refunded = row.optional_text("refund_source")?.is_some();
    let refund = is_refunded.then(|| of_deposit(row)).transpose()?;
    Ok((rows::deposit::read(row)?, refund))
}

fn of_deposit(row: &Row) -> Stored<Refund> {
    Ok(Refund {
        id: row.parsed("id")?,
        pair: rows::payout::pair(row)?,
        gross: row.atoms("refund_gross")?,
        fee: row.atoms("refund_fee")?,
        source: Source::Deposit {
            kind: row.word("refund_kind", RefundType::known)?,
            reason: row.word("refund_source", reason)?,
        },
        phase: phase(row)?,
    })
}

fn source(refund: &Refund) -> &'static str {
    match refund.source {
        Source::Deposit { reason: RefundReason::Overpayment, .. } => "EXCESS",
        Source::Deposit { reason: RefundReason::FollowUpDeposit, .. } => "FOLLOW_UP",
        Source::Merchant(_) => "MERCHANT",
        Source::Payer(..) => "PAYER",
    }
}

fn reason(source: &str) -> Option<RefundReason> {
    match source {
        "EXCESS" => Some(RefundReason::Overpayment),
        "FOLLOW_UP" => Some(RefundReason::FollowUpDeposit),
        _ => None,
    }
}

fn deposit(refund: &Refund) -> Option<Uuid> {
    match refund.source {
        Source::Deposit { .. } => Some(refund.id),
        Source::Payer(deposit, _) => Some(deposit),
        Source::Merchant(_) => None,
    }
}

fn phase(row: &Row) -> Stored<Phase> {
    let said = Said { claim: claim(row)?, decision: decision(row)? };
    let is_listed = row.optional_text("refund_status")?.is_some();
    let payout = row.optional_parsed("payout_id")?.map(|payout| transfer(row, payout, said.clone()));
    let (word, why) = (row.optional_text("refund_waits_for")?, row.optional_text("refund_waits_reason")?);
    let wait = match (word.as_deref(), why.as_deref()) {
        (Some(_), None) => return Err(bad("waits_reason")),
        (word, why) => word.zip(why),
    };
    Phase::of_row(wait, is_listed, said, payout.transpose()?).ok_or_else(|| bad("payout_state"))
}

fn transfer(row: &Row, payout: Uuid, said: Said) -> Stored<(Progress, Transfer)> {
    let transfer = Transfer {
        payout,
        transaction_id: row.optional_text("payout_transaction")?,
        confirmed_at: row.optional_number("payout_confirmed_at")?,
        planned_at: row.number("payout_created_at")?,
        said,
    };
    Ok((row.word("payout_state", Progress::known)?, transfer))
}

pub(crate) fn claim(row: &Row) -> Stored<Option<Claim>> {
    let Some(at) = row.optional_number("asked_at")? else { return Ok(None) };
    let to = Given { address: row.text("asked_address")?, tag: row.optional_text("asked_tag")? };
    let (is_own_wallet, refusal) = (row.flag("asked_own_wallet")?, row.optional_text("asked_refusal")?);
    Ok(Some(Claim { to, at, is_own_wallet, refusal }))
}

fn decision(row: &Row) -> Stored<Option<Decision>> {
    let Some(at) = row.optional_number("decided_at")? else { return Ok(None) };
    let tag = row.optional_text("decided_tag")?;
    let to = row.optional_text("decided_address")?.map(|address| Given { address, tag });
    Ok(Some(Decision { to, at, gross: row.optional_atoms("decided_gross")? }))
}

/// `None` between two changes of one transaction.
fn charged(row: &Row) -> Stored<Option<Refund>> {
    let payout = (row.word("payout_state", Progress::known)?, row.optional_number("payout_confirmed_at")?);
    let claim = (row.optional_number("asked_at")?, row.optional_text("asked_refusal")?);
    Ok(Refund::charged(rows::withdrawal::read(row)?, payout, claim))
}

/// Those for which a balance is charged, by payment.
pub(crate) async fn charged_of(
    connection: &mut Transaction,
    payments: &[PaymentId],
) -> Stored<BTreeMap<PaymentId, BTreeMap<Uuid, Refund>>> {
    let mut found: BTreeMap<PaymentId, BTreeMap<Uuid, Refund>> = BTreeMap::new();
    for refund in read_charged(connection, "refunds.payment", payments).await? {
        if let Some(payment) = refund.charge().and_then(Withdrawal::payment) {
            found.entry(payment).or_default().insert(refund.id, refund);
        }
    }
    Ok(found)
}

pub(crate) async fn charged_by_id(
    connection: &mut Transaction,
    ids: &[Uuid],
) -> Stored<BTreeMap<Uuid, Refund>> {
    let found = read_charged(connection, "refunds.id", ids).await?;
    Ok(found.into_iter().map(|refund| (refund.id, refund)).collect())
}

async fn read_charged(
    connection: &mut Transaction,
    column: &str,
    ids: &[impl ToValue + Copy],
) -> Stored<Vec<Refund>> {
    let text = |listed: &str| format!("{}{CHARGED} {column} {listed}", rows::withdrawal::SELECTED);
    let statement = query_list(Vec::new(), ids.iter().copied(), text);
    statement.read_all(connection, |row| charged(row)?.ok_or_else(|| bad("payout_state"))).await
}

columns! {
    "refunds": refund: Refund;
    given {
        Once "payment";
        Once "business";
    }
    columns {
        Key "id" = refund.id;
        Once "deposit" = deposit(refund);
        Once "client_id" = refund.charge().map(|charge| &charge.client_withdrawal_id);
        Once "currency" = refund.pair.currency.code();
        Once "network" = refund.pair.network.code();
        Once "of_unpaid" = refund.charge().is_some_and(Withdrawal::is_of_unpaid);
        Once "after_seq" = refund.charge().and_then(|charge| charge.refunds?.after);
        Changes "source" = source(refund);
        Changes "kind" = refund.kind().map(RefundType::as_str);
        Changes "gross" = refund.charge().is_none().then(|| refund.gross.atoms().to_string());
        Changes "fee" = refund.charge().is_none().then(|| refund.fee.atoms().to_string());
        Changes "payout" = refund.payout_id();
        Changes "status" = refund.phase.status().map(RefundState::as_str);
        Changes "waits_for" = refund.phase.wait().map(|(word, _)| RefundWait::as_str(word));
        Changes "waits_reason" = refund.phase.wait().map(|(_, why)| why);
        Changes "asked_address" = refund.phase.claim().map(|claim| &claim.to.address);
        Changes "asked_tag" = refund.phase.claim().and_then(|claim| claim.to.tag.as_ref());
        Changes "asked_at" = refund.phase.claim().map(|claim| claim.at);
        Changes "asked_own_wallet" = refund.phase.claim().is_some_and(|claim| claim.is_own_wallet);
        Changes "asked_refusal" = refund.phase.claim().and_then(|claim| claim.refusal.as_ref());
        Changes "decided_address" = refund.given().map(|to| &to.address);
        Changes "decided_tag" = refund.given().and_then(|to| to.tag.as_ref());
        Changes "decided_at" = refund.phase.decision().map(|decision| decision.at);
        Changes "decided_gross" =
            refund.phase.decision().and_then(|decision| decision.gross).map(|gross| gross.atoms().to_string());
    }
}

/// Inserts or replaces it.
pub(crate) async fn put(
    connection: &mut Transaction,
    (payment, business): (PaymentId, BusinessId),
    refund: &Refund,
) -> Stored<()> {
    let end = || format!("ON CONFLICT (id) DO UPDATE SET {}", COLUMNS.excluded());
    COLUMNS.insert([payment.into(), business.into()], refund, end).run(connection).await
}

/// That of a new charge.
pub(crate) async fn insert_charged(
    connection: &mut Transaction,
    payment: PaymentId,
    charge: &Withdrawal,
) -> Stored<()> {
    let claimed_at = charge.claim_of().map(|_| charge.created_at);
    let refund = Refund::charged(charge.clone(), (Progress::Waiting, None), (claimed_at, None));
    put(connection, (payment, charge.business), &refund.ok_or_else(|| bad("payout_state"))?).await?;
    follow_charge(connection, charge.id).await
}

/// How far it is follows its payout.
pub(crate) async fn follow(connection: &mut Transaction, payout: &Payout) -> Stored<()> {
    match payout.purpose {
        Purpose::Refund => {
            let phase = Phase::of_payout(payout.state.word(), Transfer::of(payout, Said::default()));
            write(connection, payout.id, phase).await
        }
        Purpose::MerchantRefund => follow_charge(connection, payout.id).await,
        Purpose::Withdrawal => Ok(()),
    }
}

/// The same of what is charged, and of its approval.
pub(crate) async fn follow_charge(connection: &mut Transaction, id: Uuid) -> Stored<()> {
    let text = format!("{}{CHARGED} refunds.id = $1", rows::withdrawal::SELECTED);
    let found = query(text).bind(id).read_first(&mut *connection, charged).await?;
    write(connection, id, found.flatten().map(|refund| refund.phase)).await
}

async fn write(connection: &mut Transaction, payout: Uuid, phase: Option<Phase>) -> Stored<()> {
    let Some(phase) = phase else { return Ok(()) };
    query("UPDATE refunds SET status = $2, waits_for = $3, waits_reason = $4 WHERE payout = $1")
        .bind(payout)
        .bind(phase.status().map(RefundState::as_str))
        .bind(phase.wait().map(|(word, _)| word.as_str()))
        .bind(phase.wait().map(|(_, why)| why))
        .run(connection)
        .await
}
