//! One block with many transfers: to one payment and to as many payments, beside others' POSTs.

use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::figures::Row;
use crate::place::{Connection, KINDS, Kind, Place};
use crate::subject::{self, Gateway};
use crate::{TURN, seed};

/// Transfers in the block; each pays the price.
const TRANSFERS: u64 = 10_000;

/// Those of a block before, which is not measured: no table is empty, and PostgreSQL knows how its values are spread, as autovacuum finds
/// out within a minute.
const EARLIER: u64 = 1_000;

/// How long others' POSTs are repeated before it is asked whether the block was read.
const LOOK: Duration = Duration::from_millis(200);

pub(crate) async fn table(binary: &Path, folder: &Path) -> String {
    let mut text = format!(
        "| a block with {TRANSFERS} transfers | read and settled in | p99 of one other's POSTs meanwhile | p99 alone |\n\
         |---|---|---|---|\n"
    );
    for kind in KINDS {
        for payments in [1, TRANSFERS] {
            let (took, beside, alone) = block(binary, folder, kind, payments).await;
            let to = if payments == 1 { "one payment" } else { "as many payments" };
            text += &format!(
                "| {}, to {to} | {:.1} s | {:.1} ms | {:.1} ms |\n",
                kind.name(),
                took.as_secs_f64(),
                p99(beside),
                p99(alone)
            );
        }
    }
    text
}

async fn block(binary: &Path, folder: &Path, kind: Kind, payments: u64) -> (Duration, Vec<u64>, Vec<u64>) {
    let place = Place::new(kind, folder);
    let address = {
        let gateway = Gateway::start(binary, &place.url());
        gateway.call("POST", "/sandbox/business", &json!({"overpaymentPolicy": "PROCESS"})).await;
        let path = gateway.payment("block").await;
        let (payment, _) = gateway.call("GET", &path, &Value::Null).await;
        payment["walletAddress"].as_str().unwrap().to_owned()
    };
    if payments > 1 {
        seed::fill(binary, &place, EARLIER + payments + 1).await;
    }
    let mut connection = place.connect().await;
    {
        let _gateway = Gateway::start(binary, &place.url());
        mine(&mut connection, (&address, payments), 0..EARLIER).await;
        while connection.number(LEFT).await > 0 {
            tokio::time::sleep(LOOK).await;
        }
    }
    connection.rest().await;
    let gateway = Gateway::start(binary, &place.url());
    let loads = subject::loads(&gateway, 1, "block").await;
    let (_, posts) = loads.into_iter().find(|(row, _)| *row == Row::Post).unwrap();
    let alone = posts.run(gateway.address, 0, TURN).await.micros;
    mine(&mut connection, (&address, payments), EARLIER..EARLIER + TRANSFERS).await;
    let started = Instant::now();
    let (mut beside, mut round) = (Vec::new(), 1);
    while connection.number(LEFT).await > 0 {
        beside.extend(posts.run(gateway.address, round, LOOK).await.micros);
        round += 1;
    }
    let took = started.elapsed();
    let deposits = connection.number("SELECT COUNT(*) FROM deposits WHERE state = 'CONFIRMED'").await;
    assert_eq!(deposits, EARLIER + TRANSFERS);
    (took, beside, alone)
}

/// How many transfers are not read yet.
const LEFT: &str = "SELECT (SELECT MAX(revision) FROM sim_transfers)
    - COALESCE((SELECT CAST(cursor AS BIGINT) FROM chain_cursors WHERE network = 'BTC'), 0)";

/// Puts transfers with these numbers into a block of the simulated chain.
async fn mine(connection: &mut Connection, (address, payments): (&str, u64), numbers: Range<u64>) {
    let Range { start, end } = numbers;
    let recipients = if payments == 1 {
        format!(
            "WITH RECURSIVE numbers (i) AS (SELECT {start} + 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < {end})
             SELECT i, '{address}' AS address FROM numbers"
        )
    } else {
        format!(
            "SELECT i, address FROM (SELECT ROW_NUMBER() OVER (ORDER BY payment) AS i, address FROM addresses
                 WHERE address LIKE 'seed%') AS seeds
             WHERE i > {start} AND i <= {end}"
        )
    };
    let sql = format!(
        "INSERT INTO sim_transfers (network, transaction_id, currency, address, amount, from_address, fee, seen_at, height,
             dropped, revision)
         SELECT 'BTC', 'block' || i, 'BTC', address, '166667', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', '0.00001',
             (SELECT MAX(requested_at) FROM quotes), 1, 0, i
         FROM ({recipients}) AS recipients"
    );
    connection.run(&sql).await;
}

/// In milliseconds.
#[expect(clippy::cast_precision_loss, reason = "milliseconds")]
fn p99(mut micros: Vec<u64>) -> f64 {
    micros.sort_unstable();
    micros[(micros.len() - 1) * 99 / 100] as f64 / 1e3
}
