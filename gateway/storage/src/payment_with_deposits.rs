//! Reads payments with their quotes, deposits and refunds.

use std::collections::BTreeMap;

use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::{PaymentWithDeposits, Quote};
use checkout_domain::ports::Stored;
use uuid::Uuid;

use super::{
    Query, Row, Text, Transaction, by_statement, deposit_row, parameters, payment_row, query_rows, quote_row,
};

/// The deposits of payments with their refunds; the parameters follow.
const DEPOSITS: &str = "SELECT deposits.*, refunds.kind AS refund_kind, refunds.reason AS refund_reason,
        refunds.gross AS refund_gross, refunds.fee AS refund_fee, refunds.waits_for AS refund_waits_for,
        refunds.waits_reason AS refund_waits_reason, payouts.id AS payout_id,
        payouts.state AS payout_state, payouts.transaction_id AS payout_transaction,
        payouts.confirmed_at AS payout_confirmed_at, payouts.created_at AS payout_created_at
    FROM deposits LEFT JOIN refunds ON refunds.deposit = deposits.id
        LEFT JOIN payouts ON payouts.id = refunds.payout
    WHERE payment IN";

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
    Ok(with_parts(connection, &[id], vec![row]).await?.pop())
}

/// Reads and locks the payments among these that are in the tables, with few statements.
pub(super) async fn read_all(connection: &mut Transaction, ids: &[Uuid]) -> Stored<Vec<PaymentWithDeposits>> {
    let mut payments = Vec::with_capacity(ids.len());
    for some in by_statement(ids, 1) {
        let text = format!("SELECT * FROM payments WHERE id IN ({}) ORDER BY id", parameters(some.len()));
        let text = Text { postgres: format!("{text} FOR NO KEY UPDATE").into(), sqlite: text.into() };
        let rows = bound(query_rows(text, some.len(), 1), some).fetch_all(&mut *connection).await?;
        payments.extend(with_parts(connection, some, rows).await?);
    }
    Ok(payments)
}

/// The payments of these rows with their quotes and deposits.
async fn with_parts(
    connection: &mut Transaction,
    ids: &[Uuid],
    payments: Vec<Row>,
) -> Stored<Vec<PaymentWithDeposits>> {
    let (count, places) = (ids.len(), parameters(ids.len()));
    let text = format!("SELECT * FROM quotes WHERE payment IN ({places}) ORDER BY payment, place");
    let mut quotes: BTreeMap<String, Vec<Quote>> = BTreeMap::new();
    for row in bound(query_rows(text, count, 1), ids).fetch_all(&mut *connection).await? {
        quotes.entry(row.text("payment")?).or_default().push(quote_row::read(&row)?);
    }
    let text = format!("{DEPOSITS} ({places}) ORDER BY payment, seen_seq, deposits.id");
    let mut deposits: BTreeMap<String, Vec<Deposit>> = BTreeMap::new();
    for row in bound(query_rows(text, count, 1), ids).fetch_all(&mut *connection).await? {
        deposits.entry(row.text("payment")?).or_default().push(deposit_row::read(&row)?);
    }
    let whole = |row: Row| {
        let id = row.text("id")?;
        let quotes = quotes.remove(&id).unwrap_or_default();
        let deposits = deposits.remove(&id).unwrap_or_default();
        let payment = payment_row::read(&row, quotes.last().cloned())?;
        Ok(PaymentWithDeposits { payment, version: row.number("version")?, quotes, deposits })
    };
    payments.into_iter().map(whole).collect()
}

fn bound(statement: Query, ids: &[Uuid]) -> Query {
    ids.iter().fold(statement, |statement, id| statement.bind(id.to_string()))
}
