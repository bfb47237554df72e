//! The refunds that merchants asked for: withdrawals with a payment.

use checkout_domain::ids::PaymentId;
use std::collections::BTreeMap;

use checkout_domain::chain::payout::Progress;
use checkout_domain::payment::merchant_refund::MerchantRefund;
use checkout_domain::ports::Stored;
use checkout_domain::withdrawal::rules::Approval;
use uuid::Uuid;

use crate::statements::query::ToValue;
use crate::statements::row::Row;
use crate::{Transaction, parameters, query_rows, rows};

/// The columns behind those of a withdrawal; the condition follows.
const JOINED: &str = ", payouts.state AS payout_state, payouts.confirmed_at AS payout_confirmed_at
    FROM withdrawals JOIN payouts ON payouts.id = withdrawals.id WHERE withdrawals.payment IS NOT NULL AND";

/// By payment, in the order of their ids.
pub(crate) async fn of_payments(
    connection: &mut Transaction,
    payments: &[PaymentId],
) -> Stored<BTreeMap<PaymentId, Vec<MerchantRefund>>> {
    let mut found: BTreeMap<PaymentId, Vec<MerchantRefund>> = BTreeMap::new();
    for (payment, refund) in read_by(connection, "withdrawals.payment", payments).await? {
        found.entry(payment).or_default().push(refund);
    }
    Ok(found)
}

/// Those with these ids, each with its payment.
pub(crate) async fn of_ids(
    connection: &mut Transaction,
    ids: &[Uuid],
) -> Stored<Vec<(PaymentId, MerchantRefund)>> {
    read_by(connection, "withdrawals.id", ids).await
}

async fn read_by(
    connection: &mut Transaction,
    column: &str,
    ids: &[impl ToValue + Copy],
) -> Stored<Vec<(PaymentId, MerchantRefund)>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let (selected, places) = (rows::withdrawal::SELECTED, parameters(ids.len()));
    let text = format!("{selected}{JOINED} {column} IN ({places}) ORDER BY withdrawals.id");
    let statement = query_rows(text, ids.len(), 1).bind_all(ids.iter().copied());
    statement.read_all(connection, |row| Ok((row.parsed("payment")?, read(row)?))).await
}

fn read(row: &Row) -> Stored<MerchantRefund> {
    Ok(MerchantRefund {
        withdrawal: rows::withdrawal::read(row)?,
        progress: row.word("payout_state", Progress::known)?,
        confirmed_at: row.optional_number("payout_confirmed_at")?,
        approval: row.optional_text("approval")?.as_deref().and_then(Approval::known),
    })
}
