use checkout_core::wire::payment::{RefundReason, RefundType};
use uuid::Uuid;

use super::row::Row;
use super::{Transaction, query};
use crate::domain::chain::payout::Progress;
use crate::domain::payment::refund::{Plan, Refund, Transfer};
use crate::ports::Stored;

/// Reads the refund of a deposit from a row that joins both.
pub(super) fn read(row: &Row) -> Stored<Option<Refund>> {
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
        }),
    };
    Ok(Some(Refund { plan, fee: row.atoms("refund_fee")?, payout }))
}

pub(super) async fn put(connection: &mut Transaction, deposit: Uuid, refund: &Refund) -> Stored<()> {
    query(
        "INSERT INTO refunds (deposit, kind, reason, gross, fee, payout) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (deposit) DO UPDATE SET kind = excluded.kind, reason = excluded.reason,
             gross = excluded.gross, fee = excluded.fee, payout = excluded.payout",
    )
    .bind(deposit.to_string())
    .bind(refund.plan.kind.as_str())
    .bind(refund.plan.reason.as_str())
    .bind(refund.plan.gross.atoms().to_string())
    .bind(refund.fee.atoms().to_string())
    .bind(refund.payout.as_ref().map(|payout| payout.id.to_string()))
    .execute(connection)
    .await?;
    Ok(())
}
