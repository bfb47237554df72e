//! PostgreSQL closes every pooled connection, or does not respond.

use checkout_domain::ids::PaymentId;
use checkout_test_support::patience;

use checkout_core::Network;
use checkout_domain::access::token::Caller;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::credentials::CredentialStore as _;
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_domain::ports::settings::SettingStore as _;
use checkout_domain::ports::transfers::TransferStore as _;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

use super::stage::{NOW, Stage, at_once};
use super::versions::token;
use crate::fixture::TestDatabase;
use crate::{Transaction, query};

const WRITERS: usize = 12;
const READERS: usize = 8;

async fn number_of(connection: &mut Transaction) -> i64 {
    let row = query("SELECT pg_backend_pid()::BIGINT AS pid").fetch_one(connection).await.unwrap();
    row.number("pid").unwrap()
}

/// Another connection to the same database.
async fn administrator(stage: &Stage) -> PgConnection {
    let TestDatabase::Postgres(url) = &stage.place else { panic!("this is about PostgreSQL") };
    PgConnection::connect(url).await.unwrap()
}

async fn count(administrator: &mut PgConnection, sql: String) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(administrator).await.unwrap()
}

/// Uses all connections of both pools at the same time, then closes them on the server.
async fn end_all(stage: &Stage, administrator: &mut PgConnection) {
    let (mut held, mut numbers) = (Vec::new(), Vec::new());
    for _ in 0..WRITERS {
        held.push(stage.store.change().await.unwrap());
    }
    for _ in 0..READERS {
        held.push(stage.store.readers.snapshot().await.unwrap());
    }
    for connection in &mut held {
        numbers.push(number_of(connection).await);
    }
    for connection in held {
        connection.commit().await.unwrap();
    }
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    let numbers = numbers.join(", ");
    let ended = format!(
        "SELECT COUNT(*) FROM unnest(ARRAY[{numbers}]) AS pid WHERE pg_terminate_backend(pid::INTEGER)"
    );
    assert_eq!(count(administrator, ended).await, 20);
    let left = format!("SELECT COUNT(*) FROM pg_stat_activity WHERE pid IN ({numbers})");
    while count(administrator, left.clone()).await > 0 {}
}

/// No write and no read fails: dropped connections are replaced before use. A connection lost during a transaction
/// fails it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn dropped_connections_are_replaced() {
    let stage = Stage::set(TestDatabase::Postgres(checkout_test_postgres::database())).await;
    let mut administrator = administrator(&stage).await;
    for round in 0..3_usize {
        end_all(&stage, &mut administrator).await;
        let done = at_once(WRITERS + READERS, |number| {
            let store = stage.store.clone();
            async move {
                match number % 3 {
                    0 => {
                        let mut tx = store.begin().await.unwrap();
                        tx.put_setting(&format!("{number}"), &round.to_string()).await.unwrap();
                        tx.commit().await.unwrap();
                    }
                    1 => drop(store.cursor(Network::Btc).await.unwrap()),
                    _ => drop(store.payment(PaymentId(uuid::Uuid::nil())).await.unwrap()),
                }
            }
        });
        done.await;
        assert_eq!(stage.store.setting("18").await.unwrap(), Some(round.to_string()));
    }
    let mut tx = stage.begin().await;
    tx.put_setting("lost", "1").await.unwrap();
    let all = "WITH own AS MATERIALIZED (SELECT pid FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle in transaction')
         SELECT COUNT(*) FROM own WHERE pg_terminate_backend(pid, 10000)";
    assert_eq!(count(&mut administrator, all.to_owned()).await, 1);
    assert!(tx.commit().await.is_err(), "it is not reported as committed");
    assert_eq!(stage.store.setting("lost").await.unwrap(), None);
}

/// No poll fails: one whose connection was lost is repeated on another.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn polls_survive_dropped_connections() {
    let stage = Stage::set(TestDatabase::Postgres(checkout_test_postgres::database())).await;
    let mut administrator = administrator(&stage).await;
    let payment = stage.stored("order").await.id;
    let session = token(&stage, Caller::Session { payment }).await;
    let polls = async || {
        let poll = |_| {
            let (store, session) = (stage.store.clone(), session.clone());
            async move {
                store.caller_and_version(&session, NOW, payment).await.unwrap().unwrap().1.unwrap().number
            }
        };
        let numbers = at_once(16, poll).await;
        assert_eq!(numbers, [1; 16]);
    };
    for _ in 0..10 {
        polls().await;
        let others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
        let ended = format!("SELECT COUNT(pg_terminate_backend(pid)) {others}");
        assert!(count(&mut administrator, ended).await > 0);
        while count(&mut administrator, format!("SELECT COUNT(*) {others}")).await > 0 {}
        polls().await;
    }
}

/// A statement that waits for a lock times out, and its connection works again.
#[tokio::test]
async fn a_blocked_statement_times_out() {
    let stage = Stage::set(TestDatabase::postgres()).await;
    let payment = stage.stored("order").await;
    let mut lock = stage.store.change().await.unwrap();
    query("LOCK TABLE payments IN ACCESS EXCLUSIVE MODE").lock(&mut lock).await.unwrap();
    let read = tokio::time::timeout(patience(), stage.store.payment(payment.id));
    assert!(read.await.expect("it fails in time").is_err());
    drop(lock);
    assert_eq!(stage.store.payment(payment.id).await.unwrap().unwrap().payment.id, payment.id);
}
