//! One more deposit to a payment that has many: processor time on both stores.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cost::{Cost, Counters};
use crate::place::{Connection, KINDS, Kind, Place};
use crate::subject::Gateway;

const STORED: [u64; 2] = [100, 3_000];

/// Deposits that are measured, each in a block of its own.
const MORE: u64 = 20;

/// How often it is asked whether a deposit is stored, and how long the work after it may take.
const LOOK: Duration = Duration::from_millis(50);
const REST: Duration = Duration::from_secs(2);

/// Kind and price of the payment; each deposit is worth 12 EUR.
const PAYMENTS: [(&str, &str, &str); 3] = [
    ("REUSABLE", "REUSABLE", "100.00"),
    ("ONE_TIME, not paid yet", "ONE_TIME", "1000000.00"),
    ("ONE_TIME, paid", "ONE_TIME", "100.00"),
];

pub(crate) async fn table(binary: &Path, folder: &Path) -> String {
    let mut text =
        String::from("| one more deposit | to a payment with | gateway | database |\n|---|---|---|---|\n");
    for kind in KINDS {
        for (name, word, price) in PAYMENTS {
            for stored in STORED {
                let cost = cost(binary, folder, kind, (word, price), stored).await;
                let database = match kind {
                    Kind::Sqlite => "in the gateway".to_owned(),
                    Kind::Postgres => format!("{:.1} ms", cost.database / 1e3),
                };
                text += &format!(
                    "| {}, {name} | {stored} deposits | {:.1} ms | {database} |\n",
                    kind.name(),
                    cost.gateway / 1e3
                );
            }
        }
    }
    text
}

async fn cost(binary: &Path, folder: &Path, kind: Kind, (word, price): (&str, &str), stored: u64) -> Cost {
    let place = Place::new(kind, folder);
    let gateway = Gateway::start(binary, &place.url());
    gateway.call("POST", "/sandbox/business", &json!({"overpaymentPolicy": "PROCESS"})).await;
    let body = json!({"clientPaymentId": "many", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": price,
        "type": word, "rateType": "FLOATING"});
    let (created, _) = gateway.call("POST", "/api/v1/payments", &body).await;
    let path = format!("/api/v1/payments/{}", created["paymentInfo"]["paymentId"].as_str().unwrap());
    gateway.call("PATCH", &path, &json!({"depositCurrency": "BTC"})).await;
    let address =
        gateway.call("GET", &path, &Value::Null).await.0["walletAddress"].as_str().unwrap().to_owned();
    let mut connection = place.connect().await;
    send(&mut connection, &address, 1, stored).await;
    let open = "SELECT COUNT(*) FROM callbacks WHERE state = 'PENDING'";
    while connection.number(open).await > 0 {
        tokio::time::sleep(LOOK).await;
    }
    tokio::time::sleep(REST).await;
    let before = Counters::read(&place, &mut connection, &[gateway.id()]).await;
    let started = Instant::now();
    for number in 1..=MORE {
        send(&mut connection, &address, stored + number, 1).await;
    }
    tokio::time::sleep(REST).await;
    let took = started.elapsed();
    let after = Counters::read(&place, &mut connection, &[gateway.id()]).await;
    tokio::time::sleep(took).await;
    let rest = Counters::read(&place, &mut connection, &[gateway.id()]).await;
    let each = usize::try_from(MORE).unwrap();
    after.each(before, each).less(rest.each(after, each))
}

/// Puts transfers into a block of the simulated chain, and waits until they are deposits.
async fn send(connection: &mut Connection, address: &str, first: u64, count: u64) {
    let last = first + count - 1;
    connection
        .run(&format!(
            "WITH RECURSIVE numbers (i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM numbers WHERE i < {last})
             INSERT INTO sim_transfers (network, transaction_id, currency, address, amount, from_address, fee, seen_at,
                 height, dropped, revision)
             SELECT 'BTC', 'deposit' || i, 'BTC', '{address}', '20000', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', '0.00001',
                 (SELECT MAX(requested_at) FROM quotes), 1, 0, i
             FROM numbers"
        ))
        .await;
    while connection.number("SELECT COUNT(*) FROM deposits").await < last {
        tokio::time::sleep(LOOK).await;
    }
}
