//! A database with many payments: copies of one that the gateway created, with distinct keys.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

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

/// Fills the archive with copies of a payment that the gateway made and `checkout archive` moved.
pub(crate) async fn archive(binary: &Path, place: &Place, payments: u64) {
    {
        let gateway = Gateway::start(binary, &place.url());
        let path = gateway.payment("archived-template").await;
        gateway.call("POST", "/sandbox/clock", &json!({"advanceSeconds": 100 * 86_400})).await;
        while gateway.call("GET", &path, &Value::Null).await.0["status"] != "EXPIRED" {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    let moved = Command::new(binary).args(["archive", "--database", &place.url()]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&moved.stdout), "1 payments are archived.\n");
    let mut connection = place.connect().await;
    copies(&mut connection, &["archived_payments", "archived_addresses"], payments).await;
    tokio::time::sleep(REST).await;
}

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
    let rest: &[&str] = match connection.kind() {
        Kind::Sqlite => &["PRAGMA wal_checkpoint(TRUNCATE)"],
        Kind::Postgres => &["VACUUM ANALYZE", "CHECKPOINT"],
    };
    for sql in rest {
        connection.run(sql).await;
    }
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
                if table.starts_with("archived") {
                    expression.replace("'seed'", "'old'").replace("7000-8000", "7000-9000")
                } else {
                    (*expression).to_owned()
                }
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
