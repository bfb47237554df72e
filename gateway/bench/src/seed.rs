//! A database with many payments: copies of one that the gateway created, with distinct keys.

use std::path::Path;
use std::time::Duration;

use crate::place::{Connection, Kind, Place};
use crate::subject::Gateway;

/// Nothing is measured for so long after a database was filled.
pub(crate) const REST: Duration = Duration::from_secs(2);

/// Rows of one transaction.
const CHUNK: u64 = 50_000;

/// Columns that differ between copies, and their SQL for each database; `i` is the number of the copy.
const KEYS: [(&str, &str, &str); 6] = [
    ("id", ID_SQLITE, ID_POSTGRES),
    ("payment", ID_SQLITE, ID_POSTGRES),
    ("client_payment_id", SEED, SEED),
    ("session_nonce", ID_SQLITE, ID_POSTGRES),
    ("token_hash", HASH_SQLITE, HASH_POSTGRES),
    ("address", SEED, SEED),
];

const SEED: &str = "'seed' || i";
const ID_SQLITE: &str = "printf('%08x-0000-7000-8000-%012x', i, i)";
const ID_POSTGRES: &str = "lpad(to_hex(i), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(i), 12, '0')";

// As `TokenHash` has them: the time of the payment's id, then a hash.
const HASH_SQLITE: &str = "printf('%08x0000', i) || lower(hex(randomblob(32)))";
const HASH_POSTGRES: &str = "lpad(to_hex(i), 8, '0') || '0000' || encode(sha256(i::text::bytea), 'hex')";

pub(crate) async fn fill(binary: &Path, place: &Place, payments: u64) {
    {
        let gateway = Gateway::start(binary, &place.url());
        gateway.payment("template").await;
    }
    let mut connection = place.connect().await;
    copies(&mut connection, &["payments", "sessions", "addresses", "quotes"], payments).await;
}

async fn copies(connection: &mut Connection, tables: &[&str], payments: u64) {
    let mut from = 1;
    while from < payments {
        let to = payments.min(from + CHUNK);
        connection.run("BEGIN").await;
        for table in tables {
            let sql = copy(connection, table, from, to).await;
            connection.run(&sql).await;
        }
        connection.run("COMMIT").await;
        from = to;
    }
    connection.rest().await;
}

async fn copy(connection: &mut Connection, table: &str, from: u64, to: u64) -> String {
    let columns = connection.columns(table).await;
    let (numbers, first) = match connection.kind() {
        Kind::Sqlite => {
            (format!("SELECT {from} UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < {to}"), "rowid")
        }
        Kind::Postgres => (format!("SELECT i FROM generate_series({from}, {to} - 1) AS i"), "ctid"),
    };
    let value = |column: &String| {
        let key = KEYS.iter().find(|(name, ..)| name == column);
        key.map_or_else(
            || format!("template.{column}"),
            |(_, sqlite, postgres)| {
                let expression = if connection.kind() == Kind::Sqlite { sqlite } else { postgres };
                (*expression).to_owned()
            },
        )
    };
    let values: Vec<String> = columns.iter().map(value).collect();
    format!(
        "WITH RECURSIVE numbers (i) AS ({numbers}),
             template AS (SELECT * FROM {table} ORDER BY {first} LIMIT 1)
         INSERT INTO {table} ({}) SELECT {} FROM numbers, template",
        columns.join(", "),
        values.join(", ")
    )
}

/// Of so many payments one is refunded.
pub(crate) const REFUNDED: u64 = 10;

/// The id of a copy.
pub(crate) fn id(number: u64, is_withdrawal: bool) -> String {
    let variant = if is_withdrawal { "a000" } else { "8000" };
    format!("{number:08x}-0000-7000-{variant}-{number:012x}")
}

/// A column and its value.
type Cell = (&'static str, &'static str);

/// Tables of the lists, which of their rows are copied, for one of how many payments, and the columns that differ: their SQL has `{id}` for the
/// id of a copy.
const LISTED: [(&str, &str, u64, &[Cell]); 14] = [
    ("payments", "", 1, &[("id", "{id}"), ("client_payment_id", SEED), ("session_nonce", "{id}")]),
    ("payment_texts", "", 1, &[("payment", "{id}")]),
    ("addresses", "", 1, &[("payment", "{id}"), ("address", SEED)]),
    ("quotes", "", 1, &[("payment", "{id}"), ("address", SEED)]),
    (
        "deposits",
        "",
        1,
        &[("id", "{id}"), ("payment", "{id}"), ("transaction_id", SEED), ("to_address", SEED)],
    ),
    ("settlements", "", 1, &[("deposit", "{id}")]),
    ("ledger_lines", "WHERE cause LIKE 'deposit/%'", 1, &[("cause", "'deposit/' || {id} || '/1'")]),
    (
        "ledger_entries",
        "WHERE cause LIKE 'deposit/%'",
        1,
        &[("cause", "'deposit/' || {id} || '/1'"), ("id", "{id}"), ("payment", "{id}")],
    ),
    ("callbacks", "WHERE kind = 'DEPOSIT'", 1, &[("id", "{id}"), ("subject", "{id}")]),
    ("payouts", "WHERE kind = 'MERCHANT_REFUND'", REFUNDED, &[("id", "{id}"), ("transaction_id", SEED)]),
    (
        "withdrawals",
        "WHERE payment IS NOT NULL",
        REFUNDED,
        &[("id", "{id}"), ("payment", "{id}"), ("client_withdrawal_id", SEED)],
    ),
    (
        "refunds",
        "",
        REFUNDED,
        &[("id", "{id}"), ("payment", "{id}"), ("payout", "{id}"), ("client_id", SEED)],
    ),
    ("payouts", "WHERE kind = 'WITHDRAWAL'", REFUNDED, &[("id", "{own}"), ("transaction_id", "'own' || i")]),
    ("withdrawals", "WHERE payment IS NULL", REFUNDED, &[("id", "{own}"), ("client_withdrawal_id", SEED)]),
];

/// Fills all tables of the lists with copies of what the gateway wrote for a payment, its refund and a withdrawal. Triggers, which
/// would follow each row, are off meanwhile.
pub(crate) async fn fill_lists(place: &Place, payments: u64) {
    let mut connection = place.connect().await;
    let id = if connection.kind() == Kind::Sqlite { ID_SQLITE } else { ID_POSTGRES };
    let triggers = connection.without_triggers().await;
    for (table, _, _, _) in LISTED {
        connection.run(&format!("CREATE TABLE IF NOT EXISTS seed_{table} AS SELECT * FROM {table}")).await;
    }
    let mut from = 1;
    while from < payments {
        let to = payments.min(from + CHUNK);
        connection.run("BEGIN").await;
        for (table, matching, one_of, keys) in LISTED {
            let columns = connection.columns(table).await;
            let values = columns.iter().map(|column| {
                let key = keys.iter().find(|(name, _)| name == column);
                let own = id.replace("7000-8000", "7000-a000");
                key.map_or_else(
                    || format!("template.{column}"),
                    |(_, sql)| sql.replace("{id}", id).replace("{own}", &own),
                )
            });
            let values: Vec<String> = values.collect();
            let (from, to) = (from.div_ceil(one_of), to.div_ceil(one_of));
            let numbers = match connection.kind() {
                Kind::Sqlite => format!(
                    "SELECT {from} WHERE {from} < {to} UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < {to}"
                ),
                Kind::Postgres => format!("SELECT i FROM generate_series({from}, {to} - 1) AS i"),
            };
            let sql = format!(
                "WITH RECURSIVE numbers (i) AS ({numbers}), template AS (SELECT * FROM seed_{table} {matching})
                 INSERT INTO {table} ({}) SELECT {} FROM numbers CROSS JOIN template",
                columns.join(", "),
                values.join(", ")
            );
            connection.run(&sql).await;
        }
        connection.run("COMMIT").await;
        from = to;
    }
    for (table, ..) in LISTED {
        connection.run(&format!("DROP TABLE IF EXISTS seed_{table}")).await;
    }
    connection.with_triggers(&triggers).await;
    connection.rest().await;
    tokio::time::sleep(REST).await;
}
