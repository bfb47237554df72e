use std::sync::Arc;
use std::time::Duration;

use checkout_core::wire::PaymentStatus;
use uuid::Uuid;

use super::{Kind as _, Remembered};
use crate::adapters::sql::connection::Memory;
use crate::adapters::sql::fixture::Place;
use crate::adapters::sql::tests::payouts::{payment_of, refunded};
use crate::adapters::sql::tests::stage::{NOW, Stage, at_once, deposit, paid};
use crate::adapters::sql::{Database, query};
use crate::domain::access::token::{Caller, TokenHash};
use crate::domain::business::Business;
use crate::domain::payment::{Payment, Record};
use crate::ports::Store as _;
use crate::service::credentials;

const PATIENCE: Duration = Duration::from_secs(30);

/// Connections that read.
const READERS: usize = 8;

fn memory_of(store: &Database) -> &Arc<Remembered> {
    match store.writer.memory() {
        Memory::Remembered(memory) => memory,
        Memory::View(_) => panic!("this is about PostgreSQL"),
    }
}

async fn staged() -> (Stage, Payment) {
    let stage = Stage::set(Place::postgres()).await;
    let payment = stage.stored("order").await;
    (stage, payment)
}

async fn seen(store: &Database, payment: Uuid) -> Arc<Record> {
    store.payment(payment).await.unwrap().unwrap()
}

#[tokio::test]
async fn what_was_asked_for_is_remembered_until_it_changes() {
    let (stage, payment) = staged().await;
    let first = seen(&stage.store, payment.id).await;
    assert!(Arc::ptr_eq(&first, &seen(&stage.store, payment.id).await), "from memory");
    let change = paid(&stage.store, &payment, PaymentStatus::Expired).await;
    assert!(Arc::ptr_eq(&first, &seen(&stage.store, payment.id).await), "while it is not committed");
    drop(change);
    assert!(Arc::ptr_eq(&first, &seen(&stage.store, payment.id).await), "after it was given up");
    paid(&stage.store, &payment, PaymentStatus::Expired).await.commit().await.unwrap();
    assert_eq!(seen(&stage.store, payment.id).await.payment.status, PaymentStatus::Expired);
    assert_eq!(stage.store.payment(Uuid::now_v7()).await.unwrap(), None);
}

/// Whatever statement writes what a payment shows: it and no other payment is read again.
#[tokio::test]
async fn every_statement_is_seen() {
    let (stage, payment) = staged().await;
    let other = stage.stored("other").await;
    for (payment, seq) in [(&payment, 1), (&other, 2)] {
        refunded(&stage, payment.id, seq).await;
    }
    for (table, statement) in [
        ("payments", "UPDATE payments SET status = 'EXPIRED'"),
        ("payments", "UPDATE payments SET request_hash = ''"),
        ("deposits", "UPDATE deposits SET screening = 'FLAGGED'"),
        ("refunds", "UPDATE refunds SET gross = '8'"),
        ("payouts", "UPDATE payouts SET state = 'SENT', confirmed_at = 7"),
        ("payouts", "UPDATE payouts SET state = 'CONFIRMED'"),
        ("refunds", "DELETE FROM refunds"),
        ("deposits", "DELETE FROM deposits"),
    ] {
        let [before, unconcerned] =
            [seen(&stage.store, payment.id).await, seen(&stage.store, other.id).await];
        let text = format!("{statement} WHERE {} = $1", payment_of(table));
        let done = stage.store.apply(query(text).bind(payment.id.to_string())).await.unwrap();
        assert_eq!(done, 1, "{statement}");
        let now = seen(&stage.store, payment.id).await;
        assert!(!Arc::ptr_eq(&now, &before), "{statement}");
        assert_eq!(*now, stage.store.stored_payment(payment.id).await.unwrap().unwrap(), "{statement}");
        assert!(Arc::ptr_eq(&unconcerned, &seen(&stage.store, other.id).await), "{statement}");
    }
    let before = seen(&stage.store, other.id).await;
    stage.store.apply(query("UPDATE businesses SET name = ''")).await.unwrap();
    assert!(Arc::ptr_eq(&before, &seen(&stage.store, other.id).await), "nothing that a payment shows");
}

/// Of a process that shares nothing but the database; and when both change it in turns.
#[tokio::test]
async fn a_change_of_another_process_is_seen_at_once() {
    let (stage, payment) = staged().await;
    let other = stage.place.open().await;
    let stores = [&stage.store, &other];
    for round in 0..20 {
        let status = if round % 2 == 0 { PaymentStatus::Expired } else { PaymentStatus::New };
        for store in stores {
            seen(store, payment.id).await;
        }
        paid(stores[round / 2 % 2], &payment, status.clone()).await.commit().await.unwrap();
        for store in stores {
            assert_eq!(seen(store, payment.id).await.payment.status, status, "round {round}");
        }
    }
}

#[tokio::test]
async fn a_business_is_remembered_until_it_changes() {
    let (stage, _) = staged().await;
    let other = stage.place.open().await;
    let id = stage.business.id;
    for (store, new) in [(&stage.store, "own"), (&other, "another's"), (&stage.store, "own again")] {
        stage.store.business(id).await.unwrap();
        assert!(Arc::<Business>::kept(memory_of(&stage.store), &id).is_some());
        let mut tx = store.begin().await.unwrap();
        tx.put_business(&Business { name: new.to_owned(), ..stage.business.clone() }).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(stage.store.business(id).await.unwrap().unwrap().name, new);
    }
    assert!(stage.store.business(Uuid::now_v7()).await.unwrap().is_none());
}

/// A payment is asked for together with the token, and the end of a session follows from the payment as it is.
#[tokio::test]
async fn a_token_is_remembered_until_it_ends() {
    let (stage, payment) = staged().await;
    let other = stage.stored("other").await;
    let of = |id| Caller::Session { payment: id };
    for caller in [Caller::Organisation, Caller::Business(stage.business.id), of(payment.id)] {
        let made = credentials::create(&stage.store, caller, NOW, &crate::adapters::os_random::OsRandom);
        let hash = TokenHash::of(&made.await.unwrap().unwrap());
        let call = async |now, asked| {
            let (called, record) = stage.store.caller_and_payment(&hash, now, asked).await.unwrap();
            assert_eq!(called, stage.store.caller(&hash, now).await.unwrap());
            (called.map(|(caller, _)| caller), record.map(|record| record.payment.id))
        };
        for asked in [payment.id, other.id, payment.id] {
            assert_eq!(call(NOW, asked).await, (Some(caller), Some(asked)));
        }
        assert_eq!(call(NOW, Uuid::now_v7()).await, (Some(caller), None));
        let mut tx = stage.begin().await;
        assert_eq!(tx.end_tokens(hash.as_str(), NOW + 10).await.unwrap(), 1);
        tx.commit().await.unwrap();
        assert_eq!(call(NOW + 9, payment.id).await, (Some(caller), Some(payment.id)));
        assert_eq!(call(NOW + 10, payment.id).await, (None, None), "{caller:?}: it ends by the time");
    }
    let made = credentials::create(&stage.store, of(payment.id), NOW, &crate::adapters::os_random::OsRandom);
    let hash = TokenHash::of(&made.await.unwrap().unwrap());
    for settled_at in [None, Some(NOW + 5), None] {
        let mut tx = stage.begin().await;
        tx.update_payment(&Payment { settled_at, ..payment.clone() }).await.unwrap();
        tx.commit().await.unwrap();
        for asked in [payment.id, other.id] {
            let (called, _) = stage.store.caller_and_payment(&hash, NOW, asked).await.unwrap();
            assert_eq!(called.unwrap().1.unwrap().settled_at, settled_at);
        }
    }
    assert_eq!(stage.store.caller(&TokenHash::of("nobody"), NOW).await.unwrap(), None);
}

/// Who asks while a statement is on its way waits for the next one, which asks for all; and some are given up meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn questions_of_the_same_moment_are_one_statement() {
    let (stage, payment) = staged().await;
    seen(&stage.store, payment.id).await;
    let mut held = Vec::new();
    for _ in 0..READERS {
        held.push(stage.store.readers.snapshot().await.unwrap());
    }
    let ask = |store: Database, id| tokio::spawn(async move { store.payment(id).await.unwrap() });
    let stands = async |expected| {
        let reached = async {
            while memory_of(&stage.store).questions.0.standing() != expected {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, reached).await.expect("it comes to this");
    };
    let first = ask(stage.store.clone(), payment.id);
    stands((true, 0)).await;
    paid(&stage.store, &payment, PaymentStatus::Expired).await.commit().await.unwrap();
    let given_up = ask(stage.store.clone(), payment.id);
    let all: Vec<_> = (0..30)
        .map(|number| ask(stage.store.clone(), if number % 3 == 0 { Uuid::now_v7() } else { payment.id }))
        .collect();
    // What nobody has seen yet is read by itself.
    stands((true, 21)).await;
    given_up.abort();
    drop(held);
    assert!(first.await.unwrap().is_some());
    for (number, one) in all.into_iter().enumerate() {
        let status = one.await.unwrap().map(|record| record.payment.status.clone());
        assert_eq!(status, (number % 3 > 0).then_some(PaymentStatus::Expired), "{number}");
    }
    stands((false, 0)).await;
}

/// A payment of very many deposits is read by itself, every time: nobody else waits for it.
#[tokio::test]
async fn a_long_payment_is_not_kept() {
    let (stage, payment) = staged().await;
    for count in [64, 65] {
        let stored = stage.store.count("SELECT COUNT(*) AS count FROM deposits").await;
        let mut tx = stage.begin().await;
        for number in u32::try_from(stored).unwrap()..count {
            tx.insert_deposit(payment.id, &deposit(&format!("tx{number}"), number)).await.unwrap();
        }
        tx.commit().await.unwrap();
        for _ in 0..2 {
            let record = seen(&stage.store, payment.id).await;
            assert_eq!(record.deposits.len(), usize::try_from(count).unwrap());
            let is_kept = Arc::<Record>::kept(memory_of(&stage.store), &payment.id).is_some();
            assert_eq!(is_kept, count == 64);
        }
    }
}

/// Answers are never older than what was committed before the question, whoever committed it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_answer_is_old() {
    let (stage, payment) = staged().await;
    let other = stage.place.open().await;
    let stores = [stage.store.clone(), other];
    let latest = Arc::new(std::sync::atomic::AtomicU64::new(0));
    let order = std::sync::atomic::Ordering::SeqCst;
    let writes = {
        let (store, latest, payment) = (stores[0].clone(), Arc::clone(&latest), payment.clone());
        tokio::spawn(async move {
            for number in 1..=200 {
                let mut tx = store.begin().await.unwrap();
                let changed = Payment { settled_at: Some(number), ..payment.clone() };
                tx.update_payment(&changed).await.unwrap();
                tx.commit().await.unwrap();
                latest.store(number, order);
            }
        })
    };
    let reads = at_once(16, |reader| {
        let (store, latest, id) = (stores[reader % 2].clone(), Arc::clone(&latest), payment.id);
        async move {
            let mut answers = 0;
            while latest.load(order) < 200 {
                let before = latest.load(order);
                let number = seen(&store, id).await.payment.settled_at.unwrap_or(0);
                assert!(number >= before, "{number} after {before}");
                answers += 1;
            }
            answers
        }
    });
    let answers: Vec<u32> = reads.await;
    writes.await.unwrap();
    assert!(answers.iter().all(|count| *count > 0), "{answers:?}");
}

/// A database that takes a question and says nothing: an error after a while, and then it goes on.
#[tokio::test]
async fn silence_has_an_end() {
    let (stage, payment) = staged().await;
    seen(&stage.store, payment.id).await;
    let mut lock = stage.store.change().await.unwrap();
    query("LOCK TABLE payments IN ACCESS EXCLUSIVE MODE").lock(&mut lock).await.unwrap();
    let asked = tokio::time::timeout(PATIENCE, stage.store.payment(payment.id));
    assert!(asked.await.expect("it is given up").is_err());
    drop(lock);
    assert_eq!(seen(&stage.store, payment.id).await.payment.id, payment.id);
}
