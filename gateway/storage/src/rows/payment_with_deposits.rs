//! Reads payments with their quotes, deposits and refunds.

use checkout_domain::ids::PaymentId;
use std::collections::{BTreeMap, BTreeSet};

use checkout_domain::chain::OutputId;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::refund::Refund;
use checkout_domain::payment::{PaymentWithDeposits, Quote};
use checkout_domain::ports::Stored;
use checkout_domain::rates::fiat::Fiat;
use uuid::Uuid;

use crate::{Query, Row, Transaction, query, query_list, rows};

/// Deposits with their refunds; the condition follows.
pub(crate) const DEPOSITS: &str =
    "SELECT deposits.*, refunds.source AS refund_source, refunds.kind AS refund_kind, refunds.gross AS refund_gross,
        refunds.fee AS refund_fee, refunds.status AS refund_status, refunds.waits_for AS refund_waits_for,
        refunds.waits_reason AS refund_waits_reason, asked_address, asked_tag, asked_at,
        asked_own_wallet, asked_refusal,
        decided_address, decided_tag, decided_at, decided_gross, payouts.id AS payout_id,
        payouts.state AS payout_state, payouts.transaction_id AS payout_transaction,
        payouts.confirmed_at AS payout_confirmed_at, payouts.created_at AS payout_created_at
    FROM deposits LEFT JOIN refunds ON refunds.id = deposits.id
        LEFT JOIN payouts ON payouts.id = refunds.payout
    WHERE";

/// Reads a payment with its deposits, in the order in which they were first seen.
///
/// Transactions that change a deposit or its refund lock the payment's row, so that one lock covers them all.
pub(crate) async fn read(
    connection: &mut Transaction,
    payment: Query,
    id: PaymentId,
) -> Stored<Option<PaymentWithDeposits>> {
    let row = payment.bind(id).fetch_optional(&mut *connection).await?;
    let Some(row) = row else { return Ok(None) };
    Ok(with_parts(connection, &[id], vec![row], None).await?.pop())
}

/// A payment with its last quote alone, and how many it has; `None` if it has deposits.
pub(crate) async fn read_last(
    connection: &mut Transaction,
    payment: &Row,
    id: PaymentId,
) -> Stored<Option<(PaymentWithDeposits, usize)>> {
    let deposit = query("SELECT id FROM deposits WHERE payment = $1 LIMIT 1").bind(id);
    if deposit.finds(&mut *connection).await? {
        return Ok(None);
    }
    let last = query("SELECT * FROM quotes WHERE payment = $1 ORDER BY place DESC LIMIT 1");
    let last = last.bind(id).fetch_optional(connection).await?;
    let count =
        last.as_ref().map_or(Ok(0), |row| row.number::<u32>("place").map(|place| place as usize + 1))?;
    let quotes: Vec<Quote> = last.iter().map(rows::quote::read).collect::<Stored<_>>()?;
    let version = payment.number("version")?;
    let payment = rows::payment::read(payment, quotes.last().cloned())?;
    Ok(Some((
        PaymentWithDeposits { payment, version, quotes, deposits: Vec::new(), refunds: BTreeMap::new() },
        count,
    )))
}

/// Reads and locks these payments with few statements: with all their deposits, or with
/// those of the transactions of some outputs.
pub(crate) async fn read_all(
    connection: &mut Transaction,
    ids: &[PaymentId],
    outputs: Option<&[&OutputId]>,
) -> Stored<Vec<PaymentWithDeposits>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let text = |listed: &str| format!("SELECT * FROM payments WHERE id {listed} ORDER BY id");
    let statement = query_list(Vec::new(), ids.iter().copied(), text).locking();
    let rows = statement.fetch_all(&mut *connection).await?;
    with_parts(connection, ids, rows, outputs).await
}

/// These payments, without order and without locks.
pub(crate) async fn read_some(
    connection: &mut Transaction,
    ids: &[PaymentId],
) -> Stored<Vec<PaymentWithDeposits>> {
    let text = |listed: &str| format!("SELECT * FROM payments WHERE id {listed}");
    let rows = query_list(Vec::new(), ids.iter().copied(), text).fetch_all(&mut *connection).await?;
    with_parts(connection, ids, rows, None).await
}

/// The payments of these rows with their quotes and deposits.
async fn with_parts(
    connection: &mut Transaction,
    ids: &[PaymentId],
    payments: Vec<Row>,
    outputs: Option<&[&OutputId]>,
) -> Stored<Vec<PaymentWithDeposits>> {
    let text = |listed: &str| format!("SELECT * FROM quotes WHERE payment {listed} ORDER BY payment, place");
    let mut quotes: BTreeMap<String, Vec<Quote>> = BTreeMap::new();
    for row in query_list(Vec::new(), ids.iter().copied(), text).fetch_all(&mut *connection).await? {
        quotes.entry(row.text("payment")?).or_default().push(rows::quote::read(&row)?);
    }
    let mut deposits: BTreeMap<String, Vec<Deposit>> = BTreeMap::new();
    let rows = match outputs {
        None => {
            let text = |listed: &str| {
                format!(
                    "{DEPOSITS} deposits.payment {listed} ORDER BY deposits.payment, seen_seq, deposits.id"
                )
            };
            query_list(Vec::new(), ids.iter().copied(), text).fetch_all(&mut *connection).await?
        }
        Some(outputs) => of_transactions(connection, outputs).await?,
    };
    let mut refunds = rows::refund::charged_of(connection, ids).await?;
    for row in rows {
        let (deposit, refund) = rows::refund::with_deposit(&row)?;
        if let Some(refund) = refund {
            refunds.entry(row.parsed("payment")?).or_default().insert(refund.id, refund);
        }
        deposits.entry(row.text("payment")?).or_default().push(deposit);
    }
    let whole = |row: Row| {
        let id = row.text("id")?;
        let quotes = quotes.remove(&id).unwrap_or_default();
        let deposits = deposits.remove(&id).unwrap_or_default();
        let payment = rows::payment::read(&row, quotes.last().cloned())?;
        let refunds = refunds.remove(&payment.id).unwrap_or_default();
        Ok(PaymentWithDeposits { payment, version: row.number("version")?, quotes, deposits, refunds })
    };
    payments.into_iter().map(whole).collect()
}

/// The deposits of the transactions of outputs, which are of one network. They may be of other payments.
async fn of_transactions(connection: &mut Transaction, outputs: &[&OutputId]) -> Stored<Vec<Row>> {
    let transactions: BTreeSet<&str> = outputs.iter().map(|output| output.transaction.as_str()).collect();
    let Some(OutputId { network, .. }) = outputs.first() else { return Ok(Vec::new()) };
    let text = |listed: &str| {
        format!(
            "{DEPOSITS} deposits.network = $1 AND deposits.transaction_id {listed}
             ORDER BY deposits.payment, seen_seq, deposits.id"
        )
    };
    query_list(vec![network.code().into()], transactions, text).fetch_all(connection).await
}

pub(crate) async fn deposits_by_id(
    connection: &mut Transaction,
    ids: &[Uuid],
) -> Stored<BTreeMap<Uuid, (Deposit, Option<Refund>)>> {
    query_list(Vec::new(), ids.iter().copied(), |listed| format!("{DEPOSITS} deposits.id {listed}"))
        .read_all(connection, |row| rows::refund::with_deposit(row).map(|found| (found.0.id, found)))
        .await
}

/// The merchant's id and the display currency of these payments.
pub(crate) async fn names(
    connection: &mut Transaction,
    payments: &[PaymentId],
) -> Stored<BTreeMap<PaymentId, (String, Fiat)>> {
    let text = |listed: &str| {
        format!("SELECT id, client_payment_id, display_currency FROM payments WHERE id {listed}")
    };
    let rows = query_list(Vec::new(), payments.iter().copied(), text).fetch_all(connection).await?;
    let read =
        |row: &Row| Ok((row.parsed("id")?, (row.text("client_payment_id")?, rows::payment::fiat(row)?)));
    rows.iter().map(read).collect()
}
