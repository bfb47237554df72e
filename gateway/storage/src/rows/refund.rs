//! A row of `refunds`.

use checkout_domain::chain::payout::Progress;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::refund::{AskedAddress, Claim, Given, Plan, Refund, Transfer, Wait};
use checkout_domain::ports::Stored;
use checkout_wire::payment::{RefundReason, RefundType};
use uuid::Uuid;

use crate::statements::columns::columns;
use crate::statements::row::{Row, bad};
use crate::{Transaction, query};

/// Reads the refund of a deposit from a row that joins both.
pub(crate) fn read(row: &Row) -> Stored<Option<Refund>> {
    if row.optional_text("refund_kind")?.is_none() {
        return Ok(None);
    }
    let plan = Plan {
        kind: row.word("refund_kind", RefundType::known)?,
        reason: row.word("refund_reason", RefundReason::known)?,
        gross: row.atoms("refund_gross")?,
    };
    let payout = match row.optional_parsed("payout_id")? {
        None => None,
        Some(id) => Some(Transfer {
            id,
            progress: row.word("payout_state", Progress::known)?,
            transaction_id: row.optional_text("payout_transaction")?,
            confirmed_at: row.optional_number("payout_confirmed_at")?,
            planned_at: row.number("payout_created_at")?,
        }),
    };
    let waits = match (row.optional_text("refund_waits_for")?, row.optional_text("refund_waits_reason")?) {
        (Some(word), Some(reason)) => Some(Wait::known(&word, &reason).ok_or_else(|| bad("waits_for"))?),
        _ => None,
    };
    Ok(Some(Refund { plan, fee: row.atoms("refund_fee")?, payout, waits, asked: asked(row)? }))
}

fn asked(row: &Row) -> Stored<Option<AskedAddress>> {
    let Some(at) = row.optional_number("asked_at")? else { return Ok(None) };
    let to = Given { address: row.text("asked_address")?, tag: row.optional_text("asked_tag")? };
    Ok(Some(AskedAddress { to, at, refusal: row.optional_text("asked_refusal")? }))
}

/// Reads the operator's decision from the row of a deposit.
pub(crate) fn claim(row: &Row) -> Stored<Option<Claim>> {
    let Some(at) = row.optional_number("claimed_at")? else { return Ok(None) };
    let tag = row.optional_text("claimed_tag")?;
    let to = row.optional_text("claimed_address")?.map(|address| Given { address, tag });
    let gross = row.optional_text("claimed_gross")?.map(|_| row.atoms("claimed_gross")).transpose()?;
    Ok(Some(Claim { to, at, gross }))
}

pub(crate) async fn put_claim(
    connection: &mut Transaction,
    deposit: Uuid,
    claim: Option<&Claim>,
) -> Stored<()> {
    let to = claim.and_then(|claim| claim.to.as_ref());
    query(
        "UPDATE deposits SET claimed_at = $2, claimed_address = $3, claimed_tag = $4, claimed_gross = $5 WHERE id = $1",
    )
        .bind(deposit)
        .bind(claim.map(|claim| claim.at))
        .bind(to.map(|to| &to.address))
        .bind(to.and_then(|to| to.tag.as_ref()))
        .bind(claim.and_then(|claim| claim.gross).map(|gross| gross.atoms().to_string()))
        .run(connection)
        .await
}

columns! {
    "refunds": refund: Refund;
    given {
        Key "deposit";
        Once "payment";
        Once "business";
        Once "currency";
        Once "network";
    }
    columns {
        Changes "kind" = refund.plan.kind.as_str();
        Changes "reason" = refund.plan.reason.as_str();
        Changes "gross" = refund.plan.gross.atoms().to_string();
        Changes "fee" = refund.fee.atoms().to_string();
        Changes "payout" = refund.payout.as_ref().map(|payout| payout.id);
        Changes "waits_for" = refund.waits.map(|wait| wait.word().as_str());
        Changes "waits_reason" = refund.waits.map(Wait::reason);
        Changes "asked_address" = refund.asked.as_ref().map(|asked| &asked.to.address);
        Changes "asked_tag" = refund.asked.as_ref().and_then(|asked| asked.to.tag.as_ref());
        Changes "asked_at" = refund.asked.as_ref().map(|asked| asked.at);
        Changes "asked_refusal" = refund.asked.as_ref().and_then(|asked| asked.refusal.as_ref());
    }
}

pub(crate) async fn put(
    connection: &mut Transaction,
    (payment, business): (PaymentId, BusinessId),
    deposit: &Deposit,
    refund: &Refund,
) -> Stored<()> {
    let end = || format!("ON CONFLICT (deposit) DO UPDATE SET {}", COLUMNS.excluded());
    let given = [
        deposit.id.into(),
        payment.into(),
        business.into(),
        deposit.pair().currency.code().into(),
        deposit.pair().network.code().into(),
    ];
    COLUMNS.insert(given, refund, end).run(connection).await
}
