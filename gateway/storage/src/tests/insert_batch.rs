use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use checkout_domain::access::token::{Caller, TokenHash};
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ports::NewPayment;
use checkout_domain::ports::credentials::CredentialStore as _;
use checkout_domain::ports::payments::PaymentStore as _;
use uuid::Uuid;

use super::stage::{A_WHILE, NOW, Stage, at_once};
use crate::Database;
use crate::fixture::TestDatabase;

fn session(client_id: &str) -> TokenHash {
    TokenHash::of(&format!("session of {client_id}"))
}

fn new(stage: &Stage, client_id: &str) -> NewPayment {
    NewPayment {
        payment: stage.payment(client_id),
        request_hash: format!("hash of {client_id}"),
        session: session(client_id),
    }
}

/// Adds all payments while SQLite's writer is in use, so that they form batches.
async fn add(stage: &Stage, all: Vec<NewPayment>) -> Vec<Result<bool, String>> {
    let lock = stage.store.change().await.unwrap();
    let adding = at_once(all.len(), |number| {
        let (store, new) = (stage.store.clone(), all[number].clone());
        async move { store.add_payment(new).await.map_err(|error| error.to_string()) }
    });
    let free = async {
        tokio::task::yield_now().await;
        drop(lock);
    };
    tokio::join!(adding, free).0
}

async fn is_whole(store: &Database, payment: PaymentId, client_id: &str) -> bool {
    let stored = store.payment(payment).await.unwrap();
    let caller = store.caller(&session(client_id), NOW).await.unwrap();
    let known = caller.is_some_and(|known| known.caller == Caller::Session { payment });
    assert_eq!(stored.is_some(), known, "{client_id}: a payment and its session, or neither");
    known
}

/// Requests that wait during a commit join the next batch. PostgreSQL tells which transaction wrote each row.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn few_commits_for_many() {
    const WRITERS: usize = 12;
    let stage = Stage::set(TestDatabase::postgres()).await;
    let mut held = Vec::new();
    for _ in 0..WRITERS {
        held.push(stage.store.change().await.unwrap());
    }
    let all: Vec<_> = (0..65).map(|number| new(&stage, &format!("order-{number}"))).collect();
    let begun = Arc::new(AtomicUsize::new(0));
    let adding = at_once(all.len(), |number| {
        let (store, new, begun) = (stage.store.clone(), all[number].clone(), Arc::clone(&begun));
        async move {
            begun.fetch_add(1, Ordering::SeqCst);
            store.add_payment(new).await.unwrap()
        }
    });
    let free = async {
        while begun.load(Ordering::SeqCst) < all.len() {
            tokio::task::yield_now().await;
        }
        tokio::time::sleep(A_WHILE).await;
        drop(held);
    };
    assert!(tokio::join!(adding, free).0.into_iter().all(|added| added));
    for table in ["payments", "sessions"] {
        let rows =
            stage.store.texts(format!("SELECT xmin::text, COUNT(*)::text FROM {table} GROUP BY xmin")).await;
        assert!((3..=5).contains(&rows.len()), "{table}: {rows:?}");
    }
}

/// Adds more payments than one transaction takes.
pub(super) async fn batched(stage: &Stage) {
    let ids: Vec<String> = (0..100).map(|number| format!("order-{number}")).collect();
    let all: Vec<_> = ids.iter().map(|id| new(stage, id)).collect();
    assert!(add(stage, all.clone()).await.iter().all(|added| *added == Ok(true)));
    for (new, id) in all.iter().zip(&ids) {
        assert!(is_whole(&stage.store, new.payment.id, id).await, "{id}");
        let mut tx = stage.begin().await;
        let stored = tx.payment_by_client_id(stage.business.id, id).await.unwrap();
        assert_eq!(stored, Some((new.payment.id, new.request_hash.clone())));
    }
}

/// A `clientPaymentId` is inserted once, also within one transaction.
pub(super) async fn one_per_client_id(stage: &Stage) {
    let all: Vec<_> =
        (0..50).map(|number| new(stage, if number % 2 == 0 { "even" } else { "odd" })).collect();
    let all: Vec<_> = all
        .into_iter()
        .enumerate()
        .map(|(number, new)| NewPayment { session: session(&number.to_string()), ..new })
        .collect();
    let added = add(stage, all.clone()).await;
    assert_eq!(added.iter().filter(|added| **added == Ok(true)).count(), 2, "{added:?}");
    assert_eq!(added.iter().filter(|added| **added == Ok(false)).count(), 48, "{added:?}");
    for (number, (new, added)) in all.iter().zip(added).enumerate() {
        assert_eq!(is_whole(&stage.store, new.payment.id, &number.to_string()).await, added == Ok(true));
    }
    assert_eq!(add(stage, vec![new(stage, "even")]).await, [Ok(false)]);
}

/// A payment that the database rejects fails alone.
pub(super) async fn faults(stage: &Stage) {
    let ids: Vec<String> = (0..40).map(|number| format!("order-{number}")).collect();
    let mut all: Vec<_> = ids.iter().map(|id| new(stage, id)).collect();
    for wrong in [7, 8, 39] {
        all[wrong].payment.business = BusinessId(Uuid::now_v7());
    }
    let added = add(stage, all.clone()).await;
    for (number, (new, added)) in all.iter().zip(added).enumerate() {
        assert_eq!(added.is_err(), [7, 8, 39].contains(&number), "{number}: {added:?}");
        assert_eq!(is_whole(&stage.store, new.payment.id, &ids[number]).await, added == Ok(true));
    }
}

/// Cancelled requests do not delay others.
pub(super) async fn cancelled(stage: &Stage) {
    for round in 0..20 {
        let given_up = new(stage, &format!("left-{round}"));
        let left = stage.store.add_payment(given_up.clone());
        let _ = tokio::time::timeout(std::time::Duration::from_micros(round * 100), left).await;
        let id = format!("order-{round}");
        let next = new(stage, &id);
        assert!(stage.store.add_payment(next.clone()).await.unwrap());
        assert!(is_whole(&stage.store, next.payment.id, &id).await);
        is_whole(&stage.store, given_up.payment.id, &format!("left-{round}")).await;
    }
}
