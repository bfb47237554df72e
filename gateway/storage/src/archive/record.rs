//! The rows of a payment as JSON: by table a list of objects, in which a column that is NULL is missing. Columns that later
//! migrations add get their defaults when a payment comes back; one that renames or drops a column of these tables has to
//! change the records, too.

use std::collections::BTreeMap;

use checkout_domain::ports::{StoreError, Stored};
use serde_json::{Map, Value};

use crate::statements::row::{Row, bad};
use crate::{Query, query};

pub(crate) type Columns = Map<String, Value>;

#[derive(Debug, Default)]
pub(super) struct Record(BTreeMap<String, Vec<Columns>>);

impl Record {
    pub(super) fn read(text: &str) -> Stored<Self> {
        serde_json::from_str(text).map(Self).map_err(|error| StoreError(error.into()))
    }

    pub(super) fn text(&self) -> Stored<String> {
        serde_json::to_string(&self.0).map_err(|error| StoreError(error.into()))
    }

    pub(super) fn add(&mut self, table: &str, row: Columns) {
        self.0.entry(table.to_owned()).or_default().push(row);
    }

    pub(super) fn of(&self, table: &str) -> Vec<Columns> {
        self.0.get(table).cloned().unwrap_or_default()
    }

    pub(super) fn take(&mut self, table: &str) -> Vec<Columns> {
        self.0.remove(table).unwrap_or_default()
    }
}

/// How the rows of a table are found and written.
pub(super) struct Rows {
    table: &'static str,
    /// The payment that a row belongs to, its own or that of its deposit.
    from: &'static str,
    payment: &'static str,
}

/// The columns of a deposit's refund.
const SHOWN: [&str; 2] = ["refund_", "payout_"];

pub(super) fn rows_of(table: &'static str) -> Rows {
    let (from, payment) = match table {
        "payments" => ("payments AS t", "t.id"),
        "deposits" => (
            "deposits AS t LEFT JOIN refunds ON refunds.deposit = t.id LEFT JOIN payouts ON payouts.id = refunds.payout",
            "t.payment",
        ),
        "settlements" => ("settlements AS t JOIN deposits ON t.deposit = deposits.id", "deposits.payment"),
        "callbacks" => (
            "(SELECT id AS subject, payment FROM deposits UNION ALL SELECT id, id FROM payments) AS about
             JOIN callbacks AS t ON t.subject = about.subject",
            "about.payment",
        ),
        "callback_attempts" => (
            "(SELECT id AS subject, payment FROM deposits UNION ALL SELECT id, id FROM payments) AS about
             JOIN callbacks ON callbacks.subject = about.subject JOIN callback_attempts AS t ON t.callback = callbacks.id",
            "about.payment",
        ),
        _ => ("", "t.payment"),
    };
    Rows { table, from, payment }
}

impl Rows {
    fn from(&self) -> String {
        match self.from {
            "" => format!("{} AS t", self.table),
            from => from.to_owned(),
        }
    }

    /// The rows of some payments, with `payment_of_row`.
    pub(super) fn select(&self, places: &str) -> String {
        let Self { table, payment, .. } = self;
        let (shown, order) = match *table {
            "deposits" => (
                ", refunds.kind AS refund_kind, refunds.reason AS refund_reason, refunds.gross AS refund_gross,
                 refunds.fee AS refund_fee, refunds.waits_for AS refund_waits_for,
                 refunds.waits_reason AS refund_waits_reason, payouts.id AS payout_id, payouts.state AS payout_state,
                 payouts.transaction_id AS payout_transaction, payouts.confirmed_at AS payout_confirmed_at,
                 payouts.created_at AS payout_created_at",
                "ORDER BY t.seen_seq, t.id",
            ),
            "quotes" => ("", "ORDER BY t.place"),
            _ => ("", ""),
        };
        format!(
            "SELECT t.*{shown}, {payment} AS payment_of_row FROM {} WHERE {payment} IN ({places}) {order}",
            self.from()
        )
    }

    pub(super) fn delete(&self, places: &str) -> String {
        let Self { table, payment, .. } = self;
        let key = match *table {
            "settlements" => "deposit",
            "callbacks" => "id",
            "callback_attempts" => "callback",
            "payments" => return format!("DELETE FROM payments WHERE id IN ({places})"),
            _ => return format!("DELETE FROM {table} WHERE payment IN ({places})"),
        };
        format!(
            "DELETE FROM {table} WHERE {key} IN (SELECT t.{key} FROM {} WHERE {payment} IN ({places}))",
            self.from()
        )
    }

    /// Writes a row again.
    pub(super) fn insert(&self, row: Columns) -> Stored<Query> {
        let is_own =
            |name: &str| self.table != "deposits" || !SHOWN.iter().any(|prefix| name.starts_with(prefix));
        let row: Vec<(String, Value)> = row.into_iter().filter(|(name, _)| is_own(name)).collect();
        let names: Vec<&str> = row.iter().map(|(name, _)| name.as_str()).collect();
        let places: Vec<String> = (1..=names.len()).map(|at| format!("${at}")).collect();
        let text =
            format!("INSERT INTO {} ({}) VALUES ({})", self.table, names.join(", "), places.join(", "));
        row.into_iter().try_fold(query(text).once(), |statement, (name, value)| match value {
            Value::String(text) => Ok(statement.bind(text)),
            Value::Number(number) => Ok(statement.bind(number.as_i64().ok_or_else(|| bad(&name))?)),
            _ => Err(bad(&name)),
        })
    }
}

/// The columns of a row that are not NULL, and the payment it belongs to.
pub(super) fn columns(row: &Row) -> Stored<(String, Columns)> {
    let mut columns = row.values()?;
    match columns.remove("payment_of_row") {
        Some(Value::String(payment)) => Ok((payment, columns)),
        _ => Err(bad("payment_of_row")),
    }
}
