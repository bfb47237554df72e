//! The port of transfers without the tag of a payment.

use async_trait::async_trait;
use checkout_domain::chain::untagged::{UntaggedReport, UntaggedState, UntaggedTransfer};
use checkout_domain::chain::{OutputId, Transfer};
use checkout_domain::ids::PaymentId;
use checkout_domain::ports::Stored;
use checkout_domain::ports::untagged::{REPORTS, UntaggedStore, UntaggedTx};

use crate::changes::tx::SqlTx;
use crate::statements::locks;
use crate::statements::row::{Row, bad};
use crate::{Database, On, Query, Transaction, query, query_list, rows};

#[async_trait]
impl UntaggedStore for Database {
    async fn report_untagged(&self, transfer: &Transfer, payment: PaymentId, now: u64) -> Stored<bool> {
        // Most look-ups are repeated, and write nothing.
        if let Some(known) = reported(&self.readers, transfer, payment).await? {
            return Ok(known);
        }
        let mut change = self.change().await?;
        locks::lock(&mut change, "untagged", &payment.to_string()).await?;
        if let Some(known) = reported(&mut change, transfer, payment).await? {
            return Ok(known);
        }
        insert(&mut change, transfer, payment, now).await?;
        change.commit().await?;
        Ok(true)
    }

    async fn untagged(&self, state: Option<&str>, limit: u32) -> Stored<Vec<UntaggedTransfer>> {
        let rows = match state {
            None => query("SELECT * FROM untagged_transfers ORDER BY reported_at DESC, transaction_id, output_index LIMIT $1"),
            Some(state) => {
                query("SELECT * FROM untagged_transfers WHERE state = $1 ORDER BY reported_at DESC, transaction_id, output_index LIMIT $2")
                    .bind(state)
            }
        };
        let mut snapshot = self.readers.snapshot().await?;
        let rows = rows.bind(limit).fetch_all(&mut snapshot).await?;
        with_reports(&mut snapshot, &rows).await
    }

    async fn untagged_of(&self, transactions: &[String]) -> Stored<Vec<UntaggedTransfer>> {
        if transactions.is_empty() {
            return Ok(Vec::new());
        }
        let text = |listed: &str| {
            format!(
                "SELECT * FROM untagged_transfers WHERE transaction_id {listed}
                 ORDER BY transaction_id, network, output_index"
            )
        };
        let mut snapshot = self.readers.snapshot().await?;
        let rows = query_list(Vec::new(), transactions, text).fetch_all(&mut snapshot).await?;
        with_reports(&mut snapshot, &rows).await
    }

    async fn open_untagged(&self) -> Stored<u64> {
        let row = query("SELECT COUNT(*) AS waiting FROM untagged_transfers WHERE state = 'OPEN'")
            .fetch_one(&self.readers)
            .await?;
        row.number("waiting")
    }
}

#[async_trait]
impl UntaggedTx for SqlTx {
    async fn move_untagged(
        &mut self,
        output: &OutputId,
        from: &UntaggedState,
        to: &UntaggedState,
        now: u64,
    ) -> Stored<bool> {
        let text = |payment: Option<PaymentId>| payment.map(|payment| payment.to_string());
        query(
            "UPDATE untagged_transfers SET state = $1, payment = $2, failure = $3, decided_at = $4
             WHERE network = $5 AND transaction_id = $6 AND output_index = $7 AND state = $8
                 AND COALESCE(payment, '') = $9",
        )
        .bind(to.word())
        .bind(text(to.payment()))
        .bind(to.failure())
        .bind(now)
        .bind(output.network.code())
        .bind(&output.transaction)
        .bind(output.index)
        .bind(from.word())
        .bind(text(from.payment()).unwrap_or_default())
        .changed(self.now().await?)
        .await
    }
}

/// Whether the payment reported this transfer. `None` if it did not, and can: what was decided takes no place.
async fn reported<'a>(
    on: impl Into<On<'a>>,
    transfer: &Transfer,
    payment: PaymentId,
) -> Stored<Option<bool>> {
    let rows = query(
        "SELECT network, transaction_id, output_index
         FROM untagged_reports JOIN untagged_transfers USING (transaction_id, network, output_index)
         WHERE untagged_reports.payment = $1
             AND (state = 'OPEN' OR (transaction_id = $2 AND network = $3 AND output_index = $4))",
    )
    .bind(payment)
    .bind(&transfer.output.transaction)
    .bind(transfer.output.network.code())
    .bind(transfer.output.index)
    .fetch_all(on)
    .await?;
    let reports = rows.iter().map(rows::deposit::output).collect::<Stored<Vec<_>>>()?;
    if reports.contains(&transfer.output) {
        return Ok(Some(true));
    }
    Ok(usize::try_from(REPORTS).is_ok_and(|most| reports.len() >= most).then_some(false))
}

async fn insert(change: &mut Transaction, transfer: &Transfer, payment: PaymentId, now: u64) -> Stored<()> {
    let Transfer { output, currency, amount, to, tag, from, seen_at, .. } = transfer;
    let of_output =
        |statement: Query| statement.bind(output.network.code()).bind(&output.transaction).bind(output.index);
    of_output(query(
        "INSERT INTO untagged_transfers (network, transaction_id, output_index, currency, amount, to_address, tag,
             from_address, seen_at, reported_at, state)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'OPEN')
         ON CONFLICT (network, transaction_id, output_index) DO UPDATE
             SET state = 'OPEN', failure = $11, reported_at = excluded.reported_at, decided_at = NULL
             WHERE untagged_transfers.state = 'REFUSED'",
    ))
    .bind(currency.code())
    .bind(amount.atoms().to_string())
    .bind(to)
    .bind(tag.as_deref())
    .bind(from)
    .bind(*seen_at)
    .bind(now)
    .bind("it was refused before another payment reported it; it may have been sent back by hand")
    .execute(&mut *change)
    .await?;
    of_output(query(
        "INSERT INTO untagged_reports (network, transaction_id, output_index, payment, reported_at)
         VALUES ($1, $2, $3, $4, $5)",
    ))
    .bind(payment)
    .bind(now)
    .run(change)
    .await
}

async fn with_reports(snapshot: &mut Transaction, rows: &[Row]) -> Stored<Vec<UntaggedTransfer>> {
    let mut transfers = Vec::with_capacity(rows.len());
    for row in rows {
        let output = rows::deposit::output(row)?;
        let reports = query(
            "SELECT payment, reported_at FROM untagged_reports
             WHERE network = $1 AND transaction_id = $2 AND output_index = $3 ORDER BY reported_at, payment",
        )
        .bind(output.network.code())
        .bind(&output.transaction)
        .bind(output.index)
        .fetch_all(&mut *snapshot)
        .await?;
        let report = |row: &Row| {
            Ok(UntaggedReport { payment: row.parsed("payment")?, reported_at: row.number("reported_at")? })
        };
        transfers.push(UntaggedTransfer {
            output,
            currency: row.parsed("currency")?,
            amount: row.atoms("amount")?,
            to: row.text("to_address")?,
            tag: row.optional_text("tag")?,
            from: row.text("from_address")?,
            seen_at: row.number("seen_at")?,
            state: state(row)?,
            decided_at: row.optional_number("decided_at")?,
            reports: reports.iter().map(report).collect::<Stored<_>>()?,
        });
    }
    Ok(transfers)
}

fn state(row: &Row) -> Stored<UntaggedState> {
    Ok(match row.text("state")?.as_str() {
        "OPEN" => UntaggedState::Open { failure: row.optional_text("failure")? },
        "CREDITING" => UntaggedState::Crediting(row.parsed("payment")?),
        "CREDITED" => UntaggedState::Credited(row.parsed("payment")?),
        "REFUSED" => UntaggedState::Refused,
        _ => return Err(bad("state")),
    })
}
