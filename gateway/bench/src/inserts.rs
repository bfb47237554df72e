//! What the store itself can do: rows of the size of a payment, durable like the gateway's.

use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{Connection as _, Executor as _};

use crate::client::Turn;

/// About what a payment with its session takes.
const BODY: usize = 700;

/// Inserts from one connection, `rows` in each transaction.
pub(crate) async fn run(file: &Path, rows: usize, time: Duration) -> Turn {
    let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
    let options = options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full);
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    connection
        .execute("CREATE TABLE IF NOT EXISTS bare (id TEXT NOT NULL PRIMARY KEY, body TEXT NOT NULL)")
        .await
        .unwrap();
    let body = "x".repeat(BODY);
    let (started, mut micros) = (Instant::now(), Vec::new());
    while started.elapsed() < time {
        let asked = Instant::now();
        let mut tx = connection.begin_with("BEGIN IMMEDIATE").await.unwrap();
        for _ in 0..rows {
            sqlx::query("INSERT INTO bare (id, body) VALUES (lower(hex(randomblob(16))), $1)")
                .bind(&body)
                .execute(&mut *tx)
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        let took = u64::try_from(asked.elapsed().as_micros()).unwrap();
        micros.extend(std::iter::repeat_n(took, rows));
    }
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    let count = micros.len() as f64;
    Turn { per_second: count / started.elapsed().as_secs_f64(), micros }
}
