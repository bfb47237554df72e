//! A row of `refunds`.

use checkout_domain::chain::payout::Payout;
use checkout_domain::chain::payout::state::Progress;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::payment::refund::{Claim, Decision, Given, Refund, Source};
use checkout_domain::payment::refund_phase::{End, Phase, Transfer};
use checkout_domain::ports::Stored;
use checkout_wire::payment::{RefundReason, RefundType, RefundWait};
use uuid::Uuid;

use crate::statements::columns::columns;
use crate::statements::row::{Row, bad};
use crate::{Transaction, query, rows};

/// Reads the refund of a deposit from a row that joins both.
pub(crate) fn read(row: &Row) -> Stored<Option<Refund>> {
    if row.optional_text("refund_kind")?.is_none() {
        return Ok(None);
    }
    Ok(Some(Refund {
        id: row.parsed("id")?,
        pair: rows::payout::pair(row)?,
        gross: row.atoms("refund_gross")?,
        fee: row.atoms("refund_fee")?,
        source: Source::Deposit {
            kind: row.word("refund_kind", RefundType::known)?,
            reason: row.word("refund_reason", RefundReason::known)?,
        },
        claim: claim(row, "asked")?,
        phase: phase(row)?,
    }))
}

fn phase(row: &Row) -> Stored<Phase> {
    if let Some(word) = row.optional_text("refund_waits_for")? {
        return row.word("refund_waits_reason", |why| Phase::waiting(&word, why));
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
        .bind(phase.status().as_str())
        .run(connection)
        .await
}

/// `prefix`: of its columns.
pub(crate) fn claim(row: &Row, prefix: &str) -> Stored<Option<Claim>> {
    let column = |name: &str| format!("{prefix}_{name}");
    let Some(at) = row.optional_number(&column("at"))? else { return Ok(None) };
    let to = Given { address: row.text(&column("address"))?, tag: row.optional_text(&column("tag"))? };
    Ok(Some(Claim { to, at, refusal: row.optional_text(&column("refusal"))? }))
}

/// Reads the operator's decision from the row of a deposit.
pub(crate) fn decision(row: &Row) -> Stored<Option<Decision>> {
    let Some(at) = row.optional_number("claimed_at")? else { return Ok(None) };
    let tag = row.optional_text("claimed_tag")?;
    let to = row.optional_text("claimed_address")?.map(|address| Given { address, tag });
    Ok(Some(Decision { to, at, gross: row.optional_atoms("claimed_gross")? }))
}

pub(crate) async fn put_decision(
    connection: &mut Transaction,
    deposit: Uuid,
    decision: Option<&Decision>,
) -> Stored<()> {
    let to = decision.and_then(|decision| decision.to.as_ref());
    query(
        "UPDATE deposits SET claimed_at = $2, claimed_address = $3, claimed_tag = $4, claimed_gross = $5 WHERE id = $1",
    )
        .bind(deposit)
        .bind(decision.map(|decision| decision.at))
        .bind(to.map(|to| &to.address))
        .bind(to.and_then(|to| to.tag.as_ref()))
        .bind(decision.and_then(|decision| decision.gross).map(|gross| gross.atoms().to_string()))
        .run(connection)
        .await
}

columns! {
    "refunds": refund: Refund;
    given {
        Once "payment";
        Once "business";
        Changes "kind";
        Changes "reason";
    }
    columns {
        Key "deposit" = refund.id;
        Once "currency" = refund.pair.currency.code();
        Once "network" = refund.pair.network.code();
        Changes "gross" = refund.gross.atoms().to_string();
        Changes "fee" = refund.fee.atoms().to_string();
        Changes "payout" = refund.phase.transfer().map(|transfer| transfer.payout);
        Changes "status" = refund.phase.status().as_str();
        Changes "waits_for" = refund.phase.wait().map(|(word, _)| RefundWait::as_str(word));
        Changes "waits_reason" = refund.phase.wait().map(|(_, why)| why);
        Changes "asked_address" = refund.claim.as_ref().map(|claim| &claim.to.address);
        Changes "asked_tag" = refund.claim.as_ref().and_then(|claim| claim.to.tag.as_ref());
        Changes "asked_at" = refund.claim.as_ref().map(|claim| claim.at);
        Changes "asked_refusal" = refund.claim.as_ref().and_then(|claim| claim.refusal.as_ref());
    }
}

pub(crate) async fn put(
    connection: &mut Transaction,
    (payment, business): (PaymentId, BusinessId),
    refund: &Refund,
) -> Stored<()> {
    let end = || format!("ON CONFLICT (deposit) DO UPDATE SET {}", COLUMNS.excluded());
    let plan = refund.plan().ok_or_else(|| bad("kind"))?;
    let given = [payment.into(), business.into(), plan.kind.as_str().into(), plan.reason.as_str().into()];
    COLUMNS.insert(given, refund, end).run(connection).await
}
