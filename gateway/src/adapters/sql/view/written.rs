//! What a change writes, as SQLite itself tells it row by row: no statement has to say so, and none can forget to.
//!
//! SQLite tells neither of rows that `OR REPLACE` pushes out nor of a `DELETE` without `WHERE`: on the tables of
//! [`FACTS`] there is none of either.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::sqlite::SqliteOperation;

use super::{Touched, View};
use crate::adapters::sql::{Transaction, query};
use crate::ports::Stored;

/// Tables of which a payment is made, and the payments that show some of their rows.
const FACTS: [(&str, &str); 4] = [
    ("payments", "SELECT id AS payment FROM payments WHERE rowid IN (SELECT value FROM json_each($1))"),
    ("deposits", "SELECT payment FROM deposits WHERE rowid IN (SELECT value FROM json_each($1))"),
    (
        "refunds",
        "SELECT payment FROM refunds JOIN deposits ON deposits.id = refunds.deposit
         WHERE refunds.rowid IN (SELECT value FROM json_each($1))",
    ),
    (
        "payouts",
        "SELECT payment FROM payouts JOIN refunds ON refunds.payout = payouts.id
             JOIN deposits ON deposits.id = refunds.deposit
         WHERE payouts.rowid IN (SELECT value FROM json_each($1))",
    ),
];

/// Tables of tokens. A payment shows none of it.
const TOKENS: [&str; 2] = ["credentials", "sessions"];

const BUSINESSES: &str = "businesses";

/// Tables of which nothing is kept. One that stands nowhere touches everything.
const OTHERS: [&str; 20] = [
    "_sqlx_migrations",
    "address_indexes",
    "addresses",
    "callback_attempts",
    "callbacks",
    "chain_cursors",
    "console_deeds",
    "console_deliveries",
    "ledger_balances",
    "ledger_entries",
    "ledger_lines",
    "retired_secrets",
    "settings",
    "settlements",
    "sim_chains",
    "sim_flags",
    "sim_rates",
    "sim_transfers",
    "whitelisted_addresses",
    "withdrawals",
];

/// What the change in progress wrote.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Written {
    touched: Touched,
    /// By the place of their table in [`FACTS`].
    rows: BTreeMap<usize, BTreeSet<i64>>,
}

impl Written {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn note(&mut self, table: &str, operation: &SqliteOperation, row: i64) {
        let is_new = matches!(operation, SqliteOperation::Insert);
        if let Some(place) = FACTS.iter().position(|(known, _)| *known == table) {
            match operation {
                // Nobody knows it: that there is none is never kept.
                SqliteOperation::Insert if table == "payments" => {}
                SqliteOperation::Insert | SqliteOperation::Update => {
                    self.rows.entry(place).or_default().insert(row);
                }
                // Whose it was cannot be asked any more.
                SqliteOperation::Delete | SqliteOperation::Unknown(_) => self.touched.all_payments = true,
            }
        } else if TOKENS.contains(&table) {
            self.touched.tokens |= !is_new;
        } else if table == BUSINESSES {
            self.touched.businesses |= !is_new;
        } else if !OTHERS.contains(&table) {
            self.touched.tokens = true;
            self.touched.businesses = true;
            self.touched.all_payments = true;
        }
    }
}

/// What the change in progress touches.
pub(in crate::adapters::sql) async fn touched(view: &View, change: &mut Transaction) -> Stored<Touched> {
    let Written { mut touched, rows } = std::mem::take(&mut *view.written());
    if touched.all_payments {
        return Ok(touched);
    }
    for (place, rows) in rows {
        let rows: Vec<i64> = rows.into_iter().collect();
        let rows = serde_json::to_string(&rows).expect("numbers are JSON");
        for row in query(FACTS[place].1).bind(rows).fetch_all(&mut *change).await? {
            touched.payments.insert(row.parsed("payment")?);
        }
    }
    Ok(touched)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::sql::fixture::Place;

    #[tokio::test]
    async fn every_table_has_its_place() {
        let store = Place::sqlite().open().await;
        let tables = store.texts("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").await;
        let tables: Vec<String> = tables.into_iter().flatten().flatten().collect();
        let mut known: Vec<&str> = FACTS.iter().map(|(table, _)| *table).collect();
        known.extend(TOKENS.iter().chain([&BUSINESSES]).chain(&OTHERS));
        known.sort_unstable();
        assert_eq!(tables, known);
    }
}
