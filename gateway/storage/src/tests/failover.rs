//! A standby is promoted while the former primary still runs, as when only its replication is cut off.

use std::time::{Duration, Instant};

use checkout_domain::access::token::Caller;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::credentials::CredentialStore as _;
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_test_postgres::{Server, database, sql};
use checkout_test_support::patience;
use checkout_wire::PaymentStatus;

use super::stage::{NOW, Stage, at_once};
use super::versions::token;
use crate::fixture::TestDatabase;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_former_primary_that_still_runs_is_not_read() {
    let primary = Server::start();
    let standby = primary.start_standby();
    let (first, second) = (primary.folder().display(), standby.folder().display());
    let url = format!("postgres://postgres@localhost/postgres?host={first},{second}");
    let stage = Stage::set(TestDatabase::Postgres(url)).await;
    let payment = stage.stored("order").await.id;
    let session = token(&stage, Caller::Session { payment }).await;
    // Polls and reads at once, on several connections each.
    let seen = async || {
        let reads = at_once(16, |_| {
            let (store, session) = (stage.store.clone(), session.clone());
            async move {
                let (_, polled) = store.caller_and_version(&session, NOW, payment).await?.unwrap();
                let read = store.payment(payment).await?.unwrap().payment.status;
                Ok((polled.unwrap().number, read))
            }
        });
        reads.await.into_iter().collect::<checkout_domain::ports::Stored<Vec<_>>>()
    };
    let before = seen().await.unwrap();
    assert!(before.iter().all(|(_, read)| *read == PaymentStatus::New), "{before:?}");
    standby.promote();
    sql(standby.url(), "UPDATE payments SET status = 'EXPIRED'");
    let expected = vec![(before[0].0 + 1, PaymentStatus::Expired); 16];
    let started = Instant::now();
    while seen().await.ok().as_ref() != Some(&expected) {
        assert!(started.elapsed() < patience(), "{:?}", seen().await);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for _ in 0..10 {
        assert_eq!(seen().await.unwrap(), expected);
    }
}

/// A backup is restored into the database under a running gateway. Its payouts have to be compared with their chains first.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_database_that_was_restored_under_a_running_gateway_is_not_written_to() {
    let url = database();
    let stage = Stage::set(TestDatabase::Postgres(url.clone())).await;
    let write = async |name: &str| {
        let mut tx = stage.store.begin().await?;
        tx.put_setting(name, "1").await?;
        tx.commit().await
    };
    let count = |name: &str| sql(&url, &format!("SELECT COUNT(*) FROM settings WHERE key = '{name}'"));
    let end_sessions = || {
        sql(
            &url,
            "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
    };
    write("before").await.unwrap();
    end_sessions();
    // New sessions of the same database are taken.
    let started = Instant::now();
    while write("again").await.is_err() {
        assert!(started.elapsed() < patience());
    }
    assert_eq!((count("before"), count("again")), ("1".to_owned(), "1".to_owned()));

    // As `pg_restore --clean` does with each table.
    sql(
        &url,
        "CREATE TABLE restored (LIKE settings INCLUDING ALL); INSERT INTO restored SELECT * FROM settings;
         DROP TABLE settings; ALTER TABLE restored RENAME TO settings",
    );
    end_sessions();
    assert!(write("after").await.is_err(), "the gateway writes to a restored database");
    assert_eq!((count("again"), count("after")), ("1".to_owned(), "0".to_owned()));
    let restarted = TestDatabase::Postgres(url.clone()).open().await;
    let mut tx = restarted.begin().await.unwrap();
    tx.put_setting("after", "1").await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(count("after"), "1", "one that starts afterwards has checked it");
}
