//! A database with many payments: copies of one that the gateway made, each with keys of its own.

use std::path::Path;

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, Row as _, SqliteConnection};

use crate::subject::Gateway;

/// Rows of one transaction.
const CHUNK: u64 = 50_000;

/// Columns that have to differ, and what stands in them; `i` is the number of the copy.
const KEYS: [(&str, &str); 7] = [
    ("id", "printf('%08x-0000-7000-8000-%012x', i, i)"),
    ("payment", "printf('%08x-0000-7000-8000-%012x', i, i)"),
    ("client_payment_id", "'seed-' || i"),
    ("session_nonce", "printf('%08x-0000-4000-8000-%012x', i, i)"),
    ("token_hash", "lower(hex(randomblob(32)))"),
    ("address", "'seed' || i"),
    ("quote_address", "'seed' || i"),
];

pub(crate) async fn fill(binary: &Path, database: &str, payments: u64) {
    {
        let gateway = Gateway::start(binary, database);
        gateway.payment("template").await;
    }
    let mut connection = SqliteConnection::connect(database).await.unwrap();
    let mut from = 1;
    while from < payments {
        let to = payments.min(from + CHUNK);
        connection.execute("BEGIN").await.unwrap();
        for table in ["payments", "sessions", "addresses"] {
            let sql = copy(&mut connection, table, from, to).await;
            connection.execute(AssertSqlSafe(sql)).await.unwrap();
        }
        connection.execute("COMMIT").await.unwrap();
        from = to;
    }
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").await.unwrap();
    connection.close().await.unwrap();
}

async fn copy(connection: &mut SqliteConnection, table: &str, from: u64, to: u64) -> String {
    let info = format!("SELECT name FROM pragma_table_info('{table}')");
    let rows = sqlx::query(AssertSqlSafe(info)).fetch_all(connection).await.unwrap();
    let columns: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    let value = |column: &String| {
        let key = KEYS.iter().find(|(name, _)| name == column);
        key.map_or_else(|| format!("template.{column}"), |(_, expression)| (*expression).to_owned())
    };
    let values: Vec<String> = columns.iter().map(value).collect();
    format!(
        "WITH RECURSIVE numbers (i) AS (SELECT {from} UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < {to}),
             template AS (SELECT * FROM {table} ORDER BY rowid LIMIT 1)
         INSERT INTO {table} ({}) SELECT {} FROM numbers, template",
        columns.join(", "),
        values.join(", ")
    )
}
