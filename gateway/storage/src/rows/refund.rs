//! A row of `refunds`.

use checkout_domain::chain::payout::Payout;
use checkout_domain::chain::payout::state::Progress;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::refund::{Claim, Decision, Given, Refund, Source};
use checkout_domain::payment::refund_phase::{End, Phase, Transfer};
use checkout_domain::ports::Stored;
use checkout_wire::payment::{RefundReason, RefundType, RefundWait};
use checkout_wire::refunds::RefundState;

use crate::statements::columns::columns;
use crate::statements::row::{Row, bad};
use crate::{Transaction, query, rows};

/// Reads the refund of a deposit from a row that joins both.
pub(crate) fn read(row: &Row) -> Stored<Option<Refund>> {
    if row.optional_text("refund_source")?.is_none() {
        return Ok(None);
    }
    Ok(Some(Refund {
        id: row.parsed("id")?,
        pair: rows::payout::pair(row)?,
        gross: row.atoms("refund_gross")?,
        fee: row.atoms("refund_fee")?,
        source: Source::Deposit {
            kind: row.word("refund_kind", RefundType::known)?,
            reason: row.word("refund_source", reason)?,
        },
        claim: claim(row)?,
        decision: decision(row)?,
        phase: phase(row)?,
    }))
}

/// A deposit and its refund.
pub(crate) fn with_deposit(row: &Row) -> Stored<(Deposit, Option<Refund>)> {
    Ok((rows::deposit::read(row)?, read(row)?))
}

fn source(refund: &Refund) -> Option<&'static str> {
    Some(match refund.source {
        Source::Deposit { reason: RefundReason::Overpayment, .. } => "EXCESS",
        Source::Deposit { reason: RefundReason::FollowUpDeposit, .. } => "FOLLOW_UP",
        Source::Merchant(_) | Source::Payer(..) => return None,
    })
}

fn reason(source: &str) -> Option<RefundReason> {
    match source {
        "EXCESS" => Some(RefundReason::Overpayment),
        "FOLLOW_UP" => Some(RefundReason::FollowUpDeposit),
        _ => None,
    }
}

fn kind(refund: &Refund) -> Option<&'static str> {
    match refund.source {
        Source::Deposit { kind, .. } => Some(kind.as_str()),
        Source::Merchant(_) | Source::Payer(..) => None,
    }
}

fn phase(row: &Row) -> Stored<Phase> {
    if let Some(word) = row.optional_text("refund_waits_for")? {
        return row.word("refund_waits_reason", |why| Phase::waiting(&word, why));
    }
    if row.optional_text("refund_status")?.is_none() {
        return Ok(Phase::Dropped);
    }
    let Some(payout) = row.optional_parsed("payout_id")? else {
        return Ok(Phase::Ended(End::NotWorthItsFee));
    };
    let transfer = Transfer {
        payout,
        transaction_id: row.optional_text("payout_transaction")?,
        confirmed_at: row.optional_number("payout_confirmed_at")?,
        planned_at: row.number("payout_created_at")?,
    };
    let progress = row.word("payout_state", Progress::known)?;
    Phase::of_deposit(progress, transfer).ok_or_else(|| bad("payout_state"))
}

/// As it is listed, which follows its payout.
pub(crate) async fn follow(connection: &mut Transaction, payout: &Payout) -> Stored<()> {
    let Some(phase) = Phase::of_deposit(payout.state.word(), Transfer::of(payout)) else { return Ok(()) };
    query("UPDATE refunds SET status = $2 WHERE payout = $1 AND status <> $2")
        .bind(payout.id)
        .bind(phase.status().map(RefundState::as_str))
        .run(connection)
        .await
}

fn claim(row: &Row) -> Stored<Option<Claim>> {
    let Some(at) = row.optional_number("asked_at")? else { return Ok(None) };
    let to = Given { address: row.text("asked_address")?, tag: row.optional_text("asked_tag")? };
    Ok(Some(Claim { to, at, refusal: row.optional_text("asked_refusal")? }))
}

fn decision(row: &Row) -> Stored<Option<Decision>> {
    let Some(at) = row.optional_number("decided_at")? else { return Ok(None) };
    let tag = row.optional_text("decided_tag")?;
    let to = row.optional_text("decided_address")?.map(|address| Given { address, tag });
    Ok(Some(Decision { to, at, gross: row.optional_atoms("decided_gross")? }))
}

columns! {
    "refunds": refund: Refund;
    given {
        Once "payment";
        Once "business";
    }
    columns {
        Key "id" = refund.id;
        Once "currency" = refund.pair.currency.code();
        Once "network" = refund.pair.network.code();
        Changes "source" = source(refund);
        Changes "kind" = kind(refund);
        Changes "gross" = refund.gross.atoms().to_string();
        Changes "fee" = refund.fee.atoms().to_string();
        Changes "payout" = refund.phase.transfer().map(|transfer| transfer.payout);
        Changes "status" = refund.phase.status().map(RefundState::as_str);
        Changes "waits_for" = refund.phase.wait().map(|(word, _)| RefundWait::as_str(word));
        Changes "waits_reason" = refund.phase.wait().map(|(_, why)| why);
        Changes "asked_address" = refund.claim.as_ref().map(|claim| &claim.to.address);
        Changes "asked_tag" = refund.claim.as_ref().and_then(|claim| claim.to.tag.as_ref());
        Changes "asked_at" = refund.claim.as_ref().map(|claim| claim.at);
        Changes "asked_refusal" = refund.claim.as_ref().and_then(|claim| claim.refusal.as_ref());
        Changes "decided_address" = refund.given().map(|to| &to.address);
        Changes "decided_tag" = refund.given().and_then(|to| to.tag.as_ref());
        Changes "decided_at" = refund.decision.as_ref().map(|decision| decision.at);
        Changes "decided_gross" =
            refund.decision.as_ref().and_then(|decision| decision.gross).map(|gross| gross.atoms().to_string());
    }
}

/// Inserts or replaces an automatic refund.
pub(crate) async fn put(
    connection: &mut Transaction,
    (payment, business): (PaymentId, BusinessId),
    refund: &Refund,
) -> Stored<()> {
    let end = || format!("ON CONFLICT (id) DO UPDATE SET {}", COLUMNS.excluded());
    COLUMNS.insert([payment.into(), business.into()], refund, end).run(connection).await
}
