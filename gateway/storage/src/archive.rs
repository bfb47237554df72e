//! The archive: payments that ended long ago, as one JSON text each, so that the tables of the others stay small.
//!
//! Readers find a payment in the archive ([`find`]). A change brings it back ([`recall`]) in the same
//! transaction and goes on as with every other, so that a late transfer, a reorganisation or a PATCH find what they always
//! found. Payouts and the ledger stay where they are.

mod move_batch;
mod record;

use checkout_domain::ids::PaymentId;

pub use self::move_batch::Ended;
use checkout_domain::payment::{PaymentWithDeposits, Version};
use checkout_domain::ports::Stored;

use self::record::{Record, rows_of};
use crate::statements::row::Row;
use crate::{Query, Transaction, locked, query, rows};

/// The tables of a payment, in the order in which their rows are written; they are deleted in the other.
const TABLES: [&str; 10] = [
    "payments",
    "sessions",
    "addresses",
    "quotes",
    "dust",
    "deposits",
    "settlements",
    "refunds",
    "callbacks",
    "callback_attempts",
];

/// A payment in the archive.
pub(super) async fn find(connection: &mut Transaction, id: PaymentId) -> Stored<Option<PaymentWithDeposits>> {
    let found = query("SELECT record FROM archived_payments WHERE id = $1").bind(id);
    let Some(row) = found.fetch_optional(&mut *connection).await? else { return Ok(None) };
    let mut record = Record::read(&row.text("record")?)?;
    let mut rows = |table| -> Vec<Row> { record.take(table).into_iter().map(Row::Archived).collect() };
    let (payments, quotes, deposits) = (rows("payments"), rows("quotes"), rows("deposits"));
    let Some(payment) = payments.first() else { return Ok(None) };
    let quotes = quotes.iter().map(rows::quote::read).collect::<Stored<Vec<_>>>()?;
    Ok(Some(PaymentWithDeposits {
        payment: rows::payment::read(payment, quotes.last().cloned())?,
        version: payment.number("version")?,
        quotes,
        deposits: deposits.iter().map(rows::deposit::read).collect::<Stored<_>>()?,
        merchant_refunds: rows::merchant_refund::of_payments(connection, &[id])
            .await?
            .remove(&id)
            .unwrap_or_default(),
    }))
}

/// Whether there is such a payment, in the tables or in the archive.
pub(super) async fn is_payment(connection: &mut Transaction, id: PaymentId) -> Stored<bool> {
    query("SELECT id FROM payments WHERE id = $1 UNION ALL SELECT id FROM archived_payments WHERE id = $1")
        .bind(id)
        .fetch_optional(connection)
        .await
        .map(|row| row.is_some())
}

/// The facts that a poll compares, of a payment in the archive.
pub(super) async fn version<'a>(on: impl Into<super::On<'a>>, id: PaymentId) -> Stored<Option<Version>> {
    let row = query("SELECT business, version, window_end FROM archived_payments WHERE id = $1")
        .bind(id)
        .fetch_optional(on)
        .await?;
    row.map(|row| {
        Ok(Version {
            business: row.parsed("business")?,
            number: row.number("version")?,
            window_end: row.optional_number("window_end")?,
        })
    })
    .transpose()
}

/// Brings payments back that are in the archive. Another change may do the same: one of them does it, the other waits.
pub(super) async fn recall(connection: &mut Transaction, ids: &[PaymentId]) -> Stored<()> {
    for id in ids {
        let found = query(locked!("SELECT record FROM archived_payments WHERE id = $1", "FOR UPDATE"));
        let found = found.bind(*id).fetch_optional(&mut *connection).await?;
        let Some(row) = found else { continue };
        let mut record = Record::read(&row.text("record")?)?;
        for address in record.of("addresses") {
            delete_address(&address).execute(&mut *connection).await?;
        }
        for table in ["archived_deposits", "archived_refunds"] {
            let of_payment = query(format!("DELETE FROM {table} WHERE payment = $1")).bind(*id);
            of_payment.execute(&mut *connection).await?;
        }
        let gone = query("DELETE FROM archived_payments WHERE id = $1").bind(*id);
        gone.execute(&mut *connection).await?;
        for table in TABLES {
            for row in record.take(table) {
                rows_of(table).insert(row)?.execute(&mut *connection).await?;
            }
        }
    }
    Ok(())
}

fn delete_address(row: &record::Columns) -> Query {
    ["address", "tag", "network"].into_iter().fold(
        query("DELETE FROM archived_addresses WHERE address = $1 AND tag = $2 AND network = $3"),
        |statement, column| statement.bind(row.get(column).and_then(|value| value.as_str())),
    )
}
