//! A standby is promoted while the former primary still runs, as when only its replication is cut off.

use std::time::{Duration, Instant};

use checkout_core::wire::PaymentStatus;
use checkout_domain::access::token::Caller;
use checkout_domain::ports::credentials::CredentialStore as _;
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_test_postgres::{Server, sql};

use super::stage::{NOW, Stage, at_once};
use super::versions::token;
use crate::fixture::Place;

const TIMEOUT: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_former_primary_that_still_runs_is_not_read() {
    let primary = Server::start();
    let standby = primary.start_standby();
    let (first, second) = (primary.folder().display(), standby.folder().display());
    let url = format!("postgres://postgres@localhost/postgres?host={first},{second}");
    let stage = Stage::set(Place::Postgres(url)).await;
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
        assert!(started.elapsed() < TIMEOUT, "{:?}", seen().await);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for _ in 0..10 {
        assert_eq!(seen().await.unwrap(), expected);
    }
}
