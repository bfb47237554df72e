use uuid::Uuid;

use super::{Query, Transaction, deposit_row, payment_row, query, quote_row};
use crate::domain::payment::PaymentWithDeposits;
use crate::ports::Stored;

/// The deposits of a payment with their refunds.
const DEPOSITS: &str = "SELECT deposits.*, refunds.kind AS refund_kind, refunds.reason AS refund_reason,
        refunds.gross AS refund_gross, refunds.fee AS refund_fee, payouts.id AS payout_id,
        payouts.state AS payout_state, payouts.transaction_id AS payout_transaction,
        payouts.confirmed_at AS payout_confirmed_at
    FROM deposits LEFT JOIN refunds ON refunds.deposit = deposits.id
        LEFT JOIN payouts ON payouts.id = refunds.payout
    WHERE payment = $1 ORDER BY seen_seq, deposits.id";

/// Reads a payment with its deposits, in the order in which they were first seen.
///
/// Transactions that change a deposit or its refund lock the payment's row, so that one lock covers them all.
pub(super) async fn read(
    connection: &mut Transaction,
    payment: Query,
    id: Uuid,
) -> Stored<Option<PaymentWithDeposits>> {
    let row = payment.bind(id.to_string()).fetch_optional(&mut *connection).await?;
    let Some(row) = row else { return Ok(None) };
    let quotes = quote_row::of_payment(connection, id).await?;
    let payment = payment_row::read(&row, quotes.last().cloned())?;
    let version = row.number("version")?;
    let rows = query(DEPOSITS).bind(id.to_string()).fetch_all(connection).await?;
    let deposits = rows.into_iter().map(|row| deposit_row::read(&row)).collect::<Stored<_>>()?;
    Ok(Some(PaymentWithDeposits { payment, version, quotes, deposits }))
}
