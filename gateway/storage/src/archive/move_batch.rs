//! Moves payments that ended into the archive, some in each transaction. It can be killed at any point and run while
//! gateways work: a payment is in the tables or in the archive, never in both and never in neither.

use checkout_domain::ids::PaymentId;
use std::collections::BTreeMap;

use checkout_domain::ports::Stored;

use super::TABLES;
use super::record::{Record, columns, rows_of};
use crate::statements::conditions::first_id_of;
use crate::{Database, Query, Text, Transaction, query};

/// Payments of one transaction.
const BATCH: usize = 50;

/// Which payments are moved: those that ended before `before`, with an id above `after`.
#[derive(Clone, Debug)]
pub struct Ended {
    pub before: u64,
    pub after: String,
}

/// Payments that nothing happens to any more by itself. What was credited to a payment without its tag is found by its deposit
/// alone, so it stays. `$1`: the time; `$2`, `$3`: ids, which are in the order of time.
const ENDED: &str = "SELECT id FROM payments
    WHERE id > $2 AND id < $3 AND kind = 'ONE_TIME' AND window_end < $1
        AND (status = 'EXPIRED' OR (status IN ('DEPOSITED', 'OVERPAID') AND settled_at < $1))
        AND NOT EXISTS (
            SELECT 1 FROM deposits LEFT JOIN refunds ON refunds.deposit = deposits.id
                LEFT JOIN payouts ON payouts.id = refunds.payout
                LEFT JOIN settlements ON settlements.deposit = deposits.id
                LEFT JOIN callbacks ON callbacks.kind = 'DEPOSIT' AND callbacks.subject = deposits.id
            WHERE deposits.payment = payments.id AND (
                deposits.state = 'UNCONFIRMED' OR deposits.screening NOT IN ('PASSED', 'RELEASED') OR deposits.seen_at >= $1
                OR settlements.asked_at_height IS NOT NULL
                OR payouts.state NOT IN ('FINAL', 'FAILED', 'CANCELLED', 'REVERTED') OR refunds.waits_for IS NOT NULL OR callbacks.state IN ('PENDING', 'HELD')
            )
        )
        AND NOT EXISTS (SELECT 1 FROM callbacks WHERE subject = payments.id AND callbacks.state IN ('PENDING', 'HELD'))
        AND NOT EXISTS (
            SELECT 1 FROM withdrawals JOIN payouts ON payouts.id = withdrawals.id
            WHERE withdrawals.payment = payments.id AND payouts.state NOT IN ('FINAL', 'FAILED', 'CANCELLED', 'REVERTED')
        )
        AND NOT EXISTS (SELECT 1 FROM untagged_transfers WHERE untagged_transfers.payment = payments.id)
        AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.payment = payments.id AND kept_until >= $1)
    ORDER BY id LIMIT $4";

impl Database {
    pub async fn is_archived(&self, payment: PaymentId) -> Stored<bool> {
        Ok(super::version(&self.readers, payment).await?.is_some())
    }

    /// Moves the next payments. Returns how many; none when all were moved.
    pub async fn archive(&self, ended: &mut Ended) -> Stored<usize> {
        let mut change = self.change().await?;
        let ids = loop {
            let found = ended.ids(&mut change).await?;
            let Some(last) = found.last() else { return Ok(0) };
            ended.after.clone_from(last);
            let still = ended.still(&found, &mut change).await?;
            if !still.is_empty() {
                break still;
            }
        };
        store(&mut change, &ids).await?;
        for table in TABLES.iter().rev() {
            of(&ids, |places| rows_of(table).delete(places)).execute(&mut change).await?;
        }
        change.commit().await?;
        Ok(ids.len())
    }
}

impl Ended {
    /// The next payments, locked. What others hold is left to a later run.
    async fn ids(&self, change: &mut Transaction) -> Stored<Vec<String>> {
        let text = Text {
            sqlite: ENDED.into(),
            postgres: format!("{ENDED} FOR UPDATE OF payments SKIP LOCKED").into(),
        };
        let rows = query(text).bind(self.before).bind(&self.after).bind(first_id_of(self.before));
        rows.bind(BATCH as u64).read_all(change, |row| row.text("id")).await
    }

    /// Which of them ended, now that they are locked: a deposit may have come between the look and the lock.
    async fn still(&self, ids: &[String], change: &mut Transaction) -> Stored<Vec<String>> {
        let places: Vec<String> = (1..=BATCH).map(|at| format!("${}", at + 4)).collect();
        let text = ENDED.replacen("WHERE", &format!("WHERE id IN ({}) AND", places.join(", ")), 1);
        let rows = query(text).bind(self.before).bind("").bind(first_id_of(self.before));
        padded(rows.bind(BATCH as u64), ids).read_all(change, |row| row.text("id")).await
    }
}

async fn store(change: &mut Transaction, ids: &[String]) -> Stored<()> {
    let mut records: BTreeMap<String, Record> = BTreeMap::new();
    for table in TABLES {
        let rows = of(ids, |places| rows_of(table).select(places)).fetch_all(&mut *change).await?;
        for row in rows {
            let (payment, columns) = columns(&row)?;
            records.entry(payment).or_default().add(table, columns);
        }
    }
    for (id, record) in &records {
        query(
            "INSERT INTO archived_payments (id, business, client_payment_id, request_hash, version, window_end, status,
                 currency, network, record)
             SELECT id, business, client_payment_id, request_hash, version, window_end, status, currency, network, $2
             FROM payments WHERE id = $1",
        )
        .bind(id)
        .bind(record.text()?)
        .execute(&mut *change)
        .await?;
    }
    let addresses = |places: &str| {
        format!(
            "INSERT INTO archived_addresses (network, address, tag, payment, created_at)
             SELECT network, address, tag, payment, created_at FROM addresses WHERE payment IN ({places})"
        )
    };
    of(ids, addresses).execute(&mut *change).await?;
    let deposits = |places: &str| {
        format!(
            "INSERT INTO archived_deposits (id, payment, business, network, transaction_id, currency, state)
             SELECT id, payment, business, network, transaction_id, currency, state FROM deposits
             WHERE payment IN ({places})"
        )
    };
    of(ids, deposits).execute(&mut *change).await?;
    let refunds = |places: &str| {
        format!(
            "INSERT INTO archived_refunds (id, payment, business, currency, network, status)
             SELECT deposit, payment, refunds.business, refunds.currency, refunds.network,
                 CASE WHEN state_of.state IN ('CONFIRMED', 'FINAL') THEN 'CONFIRMED' ELSE 'NON_REFUNDABLE' END
             FROM refunds LEFT JOIN payouts AS state_of ON state_of.id = refunds.payout
             WHERE payment IN ({places})"
        )
    };
    of(ids, refunds).run(change).await
}

/// A statement about some payments. All have as many parameters, so that it is prepared once.
fn of(ids: &[String], text: impl Fn(&str) -> String) -> Query {
    let places: Vec<String> = (1..=BATCH).map(|at| format!("${at}")).collect();
    padded(query(text(&places.join(", "))), ids)
}

/// Binds ids to as many parameters as a batch has.
fn padded(statement: Query, ids: &[String]) -> Query {
    ids.iter().chain(ids.last().into_iter().cycle()).take(BATCH).fold(statement, Query::bind)
}
