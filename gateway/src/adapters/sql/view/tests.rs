use std::sync::Arc;
use std::time::Duration;

use checkout_core::wire::PaymentStatus;
use uuid::Uuid;

use super::{Look, Touched, View};
use crate::adapters::sql::connection::Memory;
use crate::adapters::sql::fixture::Place;
use crate::adapters::sql::tests::payouts::{payment_of, refunded};
use crate::adapters::sql::tests::stage::{NOW, Stage, paid};
use crate::adapters::sql::{Database, query};
use crate::domain::access::token::{Caller, TokenHash};
use crate::domain::business::Business;
use crate::domain::payment::Payment;
use crate::ports::Store as _;
use crate::service::credentials;

fn view_of(store: &Database) -> &Arc<View> {
    match store.writer.memory() {
        Memory::View(view) => view,
        Memory::Remembered(_) => panic!("this is about SQLite"),
    }
}

/// As after another process wrote, once somebody asked: the view believes in its mark.
async fn settled(store: &Database) {
    let view = view_of(store);
    let lock = store.change().await.unwrap();
    view.settle().unwrap();
    drop(lock);
}

async fn staged() -> (Stage, Payment) {
    let stage = Stage::set(Place::sqlite()).await;
    let payment = stage.stored("order").await;
    settled(&stage.store).await;
    (stage, payment)
}

fn is_known(store: &Database, payment: Uuid) -> bool {
    matches!(view_of(store).record(payment), Look::Known(_))
}

async fn seen(store: &Database, payment: Uuid) -> PaymentStatus {
    store.payment(payment).await.unwrap().unwrap().payment.status.clone()
}

#[tokio::test]
async fn what_was_asked_for_is_known_until_it_changes() {
    let (stage, payment) = staged().await;
    let other = stage.stored("other").await;
    for id in [payment.id, other.id] {
        assert!(!is_known(&stage.store, id));
        assert_eq!(seen(&stage.store, id).await, PaymentStatus::New);
        assert!(is_known(&stage.store, id));
    }
    drop(paid(&stage.store, &payment, PaymentStatus::Expired).await);
    assert!(is_known(&stage.store, payment.id), "what is not committed changes nothing");
    paid(&stage.store, &payment, PaymentStatus::Expired).await.commit().await.unwrap();
    assert!(!is_known(&stage.store, payment.id));
    assert_eq!(seen(&stage.store, payment.id).await, PaymentStatus::Expired);
    // Ids of the same gate are forgotten by none but their own changes.
    assert!(is_known(&stage.store, other.id), "another payment's change");
}

/// Whatever statement writes what a payment shows: it and no other payment is asked for again.
#[tokio::test]
async fn every_statement_is_seen() {
    let (stage, payment) = staged().await;
    let other = stage.stored("other").await;
    for (payment, seq) in [(&payment, 1), (&other, 2)] {
        refunded(&stage, payment.id, seq).await;
    }
    let check = async |table: &str, statement: &str, sees_other: bool| {
        for id in [payment.id, other.id] {
            seen(&stage.store, id).await;
            assert!(is_known(&stage.store, id), "{statement}");
        }
        let statement = format!("{statement} WHERE {} = $1", payment_of(table));
        let done = stage.store.apply(query(statement.clone()).bind(payment.id.to_string())).await.unwrap();
        assert_eq!(done, 1, "{statement}");
        let known = (is_known(&stage.store, payment.id), is_known(&stage.store, other.id));
        assert_eq!(known, (false, !sees_other), "{statement}");
    };
    check("payments", "UPDATE payments SET status = 'EXPIRED'", false).await;
    check("payments", "UPDATE payments SET request_hash = ''", false).await;
    check("deposits", "UPDATE deposits SET screening = 'FLAGGED'", false).await;
    check("refunds", "UPDATE refunds SET gross = '8'", false).await;
    for state in ["SIGNED", "SENT", "CONFIRMED", "SENT"] {
        check("payouts", &format!("UPDATE payouts SET state = '{state}', confirmed_at = 7"), false).await;
    }
    // Whose a row was that is gone cannot be told.
    check("refunds", "DELETE FROM refunds", true).await;
    check("deposits", "DELETE FROM deposits", true).await;
    // Nothing that a payment shows.
    seen(&stage.store, payment.id).await;
    for statement in ["UPDATE businesses SET name = ''", "UPDATE payouts SET state = 'FAILED'"] {
        stage
            .store
            .apply(query(format!("{statement} WHERE id NOT IN (SELECT payout FROM refunds)")))
            .await
            .unwrap();
        assert!(is_known(&stage.store, payment.id), "{statement}");
    }
    // A table that nobody said anything about.
    stage.store.apply(query("CREATE TABLE news (word TEXT)")).await.unwrap();
    assert!(is_known(&stage.store, payment.id));
    stage.store.apply(query("INSERT INTO news VALUES ('new')")).await.unwrap();
    assert!(!is_known(&stage.store, payment.id));
}

/// Who read before a commit came back keeps nothing, whenever it writes down what it read.
#[tokio::test]
async fn who_read_before_a_change_keeps_nothing() {
    let (stage, payment) = staged().await;
    let view = view_of(&stage.store);
    let old = Arc::new(stage.store.stored_payment(payment.id).await.unwrap().unwrap());
    let asked = || match view.record(payment.id) {
        Look::Ask(ticket) => ticket,
        Look::Known(_) => panic!("it is known"),
    };
    let touched = || Touched { tokens: true, payments: [payment.id].into(), ..Touched::default() };

    let before = asked();
    let lock = stage.store.change().await.unwrap();
    let change = view.begin(touched()).unwrap();
    view.keep_record(&old, before);
    assert!(!is_known(&stage.store, payment.id), "asked before, answered while it is committed");
    let within = asked();
    view.keep_record(&old, within);
    assert!(!is_known(&stage.store, payment.id), "asked and answered while it is committed");
    drop(change);
    drop(lock);
    view.keep_record(&old, before);
    assert!(!is_known(&stage.store, payment.id), "asked before, answered after");
    view.keep_record(&old, within);
    assert!(!is_known(&stage.store, payment.id), "asked while it was committed, answered after");
    view.keep_record(&old, asked());
    assert!(is_known(&stage.store, payment.id), "asked and answered after");
}

/// Another process, which shares nothing but the file, changes a payment.
#[tokio::test]
async fn a_change_of_another_process_is_seen_at_once() {
    let stage = Stage::set(Place::sqlite()).await;
    let payment = stage.stored("order").await;
    let other = stage.place.open().await;
    settled(&stage.store).await;
    for status in [PaymentStatus::Expired, PaymentStatus::New, PaymentStatus::Expired] {
        seen(&stage.store, payment.id).await;
        assert!(is_known(&stage.store, payment.id));
        paid(&other, &payment, status.clone()).await.commit().await.unwrap();
        assert!(!is_known(&stage.store, payment.id));
        assert_eq!(seen(&stage.store, payment.id).await, status);
        // By itself, once somebody asked.
        let known = async {
            while !is_known(&stage.store, payment.id) {
                seen(&stage.store, payment.id).await;
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), known).await.expect("the view comes back");
    }
}

/// A change of one's own after another process's says nothing about the other's.
#[tokio::test]
async fn a_change_of_ones_own_does_not_hide_anothers() {
    let stage = Stage::set(Place::sqlite()).await;
    let (payment, own) = (stage.stored("order").await, stage.stored("own").await);
    let other = stage.place.open().await;
    settled(&stage.store).await;
    seen(&stage.store, payment.id).await;
    paid(&other, &payment, PaymentStatus::Expired).await.commit().await.unwrap();
    paid(&stage.store, &own, PaymentStatus::Expired).await.commit().await.unwrap();
    assert!(!is_known(&stage.store, payment.id));
    assert_eq!(seen(&stage.store, payment.id).await, PaymentStatus::Expired);
    assert!(is_known(&stage.store, payment.id), "after a change of one's own the mark is known");
}

/// By this process and by another one.
#[tokio::test]
async fn a_business_is_known_until_it_changes() {
    let (stage, _) = staged().await;
    let other = stage.place.open().await;
    let id = stage.business.id;
    let name = async || stage.store.business(id).await.unwrap().unwrap().name;
    let is_known = || matches!(view_of(&stage.store).business(id), Look::Known(_));
    for (store, new) in [(&stage.store, "own"), (&other, "another's"), (&stage.store, "own again")] {
        settled(&stage.store).await;
        name().await;
        assert!(is_known(), "before {new}");
        let mut tx = store.begin().await.unwrap();
        tx.put_business(&Business { name: new.to_owned(), ..stage.business.clone() }).await.unwrap();
        tx.commit().await.unwrap();
        assert!(!is_known(), "{new}");
        assert_eq!(name().await, new);
    }
}

#[tokio::test]
async fn a_token_is_known_until_it_ends() {
    let (stage, payment) = staged().await;
    let mut hashes = Vec::new();
    for caller in
        [Caller::Organisation, Caller::Business(stage.business.id), Caller::Session { payment: payment.id }]
    {
        let made = credentials::create(&stage.store, caller, NOW, &crate::adapters::os_random::OsRandom);
        let hash = TokenHash::of(&made.await.unwrap().unwrap());
        hashes.push((caller, hash));
    }
    let view = view_of(&stage.store);
    let is_known = |hash: &TokenHash, now| matches!(view.token(hash, now), Look::Known(_));
    seen(&stage.store, payment.id).await;
    for (caller, hash) in &hashes {
        assert!(stage.store.caller(hash, NOW).await.unwrap().is_some(), "{caller:?}");
        assert!(is_known(hash, NOW), "{caller:?}");
        let mut tx = stage.begin().await;
        assert_eq!(tx.end_tokens(hash.as_str(), NOW + 10).await.unwrap(), 1);
        tx.commit().await.unwrap();
        assert!(!is_known(hash, NOW), "{caller:?}");
        assert!(stage.store.caller(hash, NOW + 9).await.unwrap().is_some(), "{caller:?}");
        assert!(is_known(hash, NOW + 9) && !is_known(hash, NOW + 10), "{caller:?}: it ends by the time");
        assert_eq!(stage.store.caller(hash, NOW + 10).await.unwrap(), None, "{caller:?}");
    }
}

/// The end of a session follows from the payment, and so from its changes.
#[tokio::test]
async fn a_session_is_that_of_the_payment_as_it_is() {
    let (stage, payment) = staged().await;
    let caller = Caller::Session { payment: payment.id };
    let made = credentials::create(&stage.store, caller, NOW, &crate::adapters::os_random::OsRandom);
    let hash = TokenHash::of(&made.await.unwrap().unwrap());
    for settled_at in [None, Some(NOW + 5)] {
        let mut tx = stage.begin().await;
        tx.update_payment(&Payment { settled_at, ..payment.clone() }).await.unwrap();
        tx.commit().await.unwrap();
        for asked in ["the store", "the view"] {
            let (_, session) = stage.store.caller(&hash, NOW).await.unwrap().unwrap();
            assert_eq!(session.unwrap().settled_at, settled_at, "{asked}");
            seen(&stage.store, payment.id).await;
        }
    }
}

/// A request that is given up while its commit is on its way: whatever becomes of it, nothing old is kept.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_commit_that_nobody_waits_for() {
    let (stage, payment) = staged().await;
    for round in 0..50 {
        let status = if round % 2 == 0 { PaymentStatus::Expired } else { PaymentStatus::New };
        let tx = paid(&stage.store, &payment, status.clone()).await;
        seen(&stage.store, payment.id).await;
        let mut commit = tx.commit();
        // Once: far enough to be on its way.
        let _ = tokio::time::timeout(Duration::ZERO, &mut commit).await;
        drop(commit);
        let until = async {
            while seen(&stage.store, payment.id).await != status {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), until).await.expect("it is committed, and seen");
    }
}

/// Readers beside a writer: nobody reads an older state than was read or answered before.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nobody_goes_back_in_time() {
    use std::sync::atomic::{AtomicU64, Ordering};

    let (stage, payment) = staged().await;
    let newest = Arc::new(AtomicU64::new(0));
    let mut readers = Vec::new();
    for _ in 0..4 {
        let (store, newest) = (stage.store.clone(), Arc::clone(&newest));
        readers.push(tokio::spawn(async move {
            while newest.load(Ordering::SeqCst) < 200 {
                let least = newest.load(Ordering::SeqCst);
                let read = store.payment(payment.id).await.unwrap().unwrap().payment.settled_at.unwrap_or(0);
                assert!(read >= least, "{read} was read after {least}");
                newest.fetch_max(read, Ordering::SeqCst);
            }
        }));
    }
    for settled_at in 1..=200 {
        let mut tx = stage.begin().await;
        tx.update_payment(&Payment { settled_at: Some(settled_at), ..payment.clone() }).await.unwrap();
        tx.commit().await.unwrap();
        newest.fetch_max(settled_at, Ordering::SeqCst);
    }
    for reader in readers {
        reader.await.unwrap();
    }
}
