//! The database alone: reads of one row, and inserts of rows of a payment's size, as durable as the
//! gateway's.

use std::time::{Duration, Instant};

use futures::future::join_all;

use crate::client::Turn;
use crate::place::{Connection, Place};

/// About the size of a payment with its session.
const BODY: usize = 700;

/// The key of a row that always exists.
const KNOWN: &str = "known";

pub(crate) async fn prepare(place: &Place) {
    let table = "CREATE TABLE bare (id TEXT NOT NULL PRIMARY KEY, body TEXT NOT NULL)";
    let mut connection = place.connect_beside().await;
    connection.run(table).await;
    connection.run(&format!("INSERT INTO bare (id, body) VALUES ('{KNOWN}', '')")).await;
}

/// Reads one row by its key, on each of `connections`.
pub(crate) async fn selects(place: &Place, connections: usize, time: Duration) -> Turn {
    let select = async |connection: &mut Connection| {
        connection.select(KNOWN).await;
        1
    };
    turn(place, connections, time, select).await
}

/// Inserts on each of `connections`, `rows` in each transaction.
pub(crate) async fn inserts(place: &Place, connections: usize, rows: usize, time: Duration) -> Turn {
    let body = "x".repeat(BODY);
    let insert = async |connection: &mut Connection| {
        connection.insert(rows, &body).await;
        rows
    };
    turn(place, connections, time, insert).await
}

/// Repeats `step` on each connection; it returns its number of rows.
async fn turn(
    place: &Place,
    connections: usize,
    time: Duration,
    step: impl AsyncFn(&mut Connection) -> usize,
) -> Turn {
    let open = join_all((0..connections).map(|_| place.connect_beside())).await;
    let started = Instant::now();
    let all = join_all(open.into_iter().map(async |mut connection| {
        let mut micros = Vec::new();
        while started.elapsed() < time {
            let asked = Instant::now();
            let rows = step(&mut connection).await;
            let took = u64::try_from(asked.elapsed().as_micros()).unwrap();
            micros.extend(std::iter::repeat_n(took, rows));
        }
        micros
    }))
    .await;
    let micros = all.concat();
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    let count = micros.len() as f64;
    Turn { per_second: count / started.elapsed().as_secs_f64(), micros, processor: None }
}
