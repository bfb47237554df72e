//! The refunds for which a balance is charged: withdrawals with a payment.

use checkout_domain::ids::PaymentId;
use std::collections::BTreeMap;

use checkout_domain::chain::payout::state::Progress;
use checkout_domain::payment::refund::Refund;
use checkout_domain::ports::Stored;
use checkout_domain::withdrawal::Withdrawal;
use checkout_wire::refunds::RefundState;
use uuid::Uuid;

use crate::statements::query::ToValue;
use crate::statements::row::{Row, bad};
use crate::{Transaction, parameters, query, query_rows, rows};

/// The columns behind those of a withdrawal; the condition follows.
const JOINED: &str = ", payouts.state AS payout_state, payouts.confirmed_at AS payout_confirmed_at
    FROM withdrawals JOIN payouts ON payouts.id = withdrawals.id WHERE withdrawals.payment IS NOT NULL AND";

/// By payment.
pub(crate) async fn of_payments(
    connection: &mut Transaction,
    payments: &[PaymentId],
) -> Stored<BTreeMap<PaymentId, BTreeMap<Uuid, Refund>>> {
    let mut found: BTreeMap<PaymentId, BTreeMap<Uuid, Refund>> = BTreeMap::new();
    for refund in read_by(connection, "withdrawals.payment", payments).await? {
        if let Some(payment) = refund.charge().and_then(Withdrawal::payment) {
            found.entry(payment).or_default().insert(refund.id, refund);
        }
    }
    Ok(found)
}

pub(crate) async fn by_id(connection: &mut Transaction, ids: &[Uuid]) -> Stored<BTreeMap<Uuid, Refund>> {
    let found = read_by(connection, "withdrawals.id", ids).await?;
    Ok(found.into_iter().map(|refund| (refund.id, refund)).collect())
}

async fn read_by(
    connection: &mut Transaction,
    column: &str,
    ids: &[impl ToValue + Copy],
) -> Stored<Vec<Refund>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let (selected, places) = (rows::withdrawal::SELECTED, parameters(ids.len()));
    let text = format!("{selected}{JOINED} {column} IN ({places}) ORDER BY withdrawals.id");
    let statement = query_rows(text, ids.len(), 1).bind_all(ids.iter().copied());
    statement.read_all(connection, |row| read(row)?.ok_or_else(|| bad("payout_state"))).await
}

/// `None` between two changes of one transaction.
fn read(row: &Row) -> Stored<Option<Refund>> {
    let payout = (row.word("payout_state", Progress::known)?, row.optional_number("payout_confirmed_at")?);
    let claim = (row.optional_number("claimed_at")?, row.optional_text("claim_refusal")?);
    Ok(Refund::charged(rows::withdrawal::read(row)?, payout, claim))
}

/// As it is listed, which follows its payout and its approval. Nothing for a withdrawal.
pub(crate) async fn follow(connection: &mut Transaction, id: Uuid) -> Stored<()> {
    let text = format!("{}{JOINED} withdrawals.id = $1", rows::withdrawal::SELECTED);
    let found = query(text).bind(id).read_first(&mut *connection, read).await?;
    let Some(refund) = found.flatten() else { return Ok(()) };
    query("UPDATE withdrawals SET refund_status = $2, refund_waits = $3 WHERE id = $1")
        .bind(id)
        .bind(refund.phase.status().map(RefundState::as_str))
        .bind(refund.phase.wait().map(|(word, _)| word.as_str()))
        .run(connection)
        .await
}
