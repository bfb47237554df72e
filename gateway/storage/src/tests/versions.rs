//! Reads are not cached: the next read sees a change, whichever process or statement made it.

use checkout_domain::ids::PaymentId;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use checkout_domain::access::scope::Scopes;
use checkout_domain::access::session::Session;
use checkout_domain::access::token::{Caller, TokenHash};
use checkout_domain::business::Business;
use checkout_domain::payment::{Payment, Version};
use checkout_domain::ports::Store as _;
use checkout_domain::ports::businesses::BusinessStore as _;
use checkout_domain::ports::credentials::CredentialStore as _;
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_wire::PaymentStatus;
use uuid::Uuid;

use super::payouts::{payment_of, refunded};
use super::stage::{NOW, Stage, at_once, paid};
use crate::{Database, query};

/// Creates a token of a caller.
pub(super) async fn token(stage: &Stage, caller: Caller) -> TokenHash {
    let hash = TokenHash::of(&Uuid::now_v7().to_string());
    let mut tx = stage.begin().await;
    let made = match caller {
        Caller::Session { payment } => tx.put_session(&hash, payment, NOW).await,
        Caller::Organisation | Caller::Business(_) => {
            tx.put_credential(&hash, caller, Scopes::EVERYTHING, NOW).await
        }
    };
    made.unwrap();
    tx.commit().await.unwrap();
    hash
}

/// Returns the version that a poll with this token finds, which must match a read of the payment.
async fn version(store: &Database, token: &TokenHash, payment: PaymentId) -> Version {
    let (_, version) = store.caller_and_version(token, NOW, payment).await.unwrap().unwrap();
    let (version, record) = (version.unwrap(), store.payment(payment).await.unwrap().unwrap());
    assert_eq!(version.number, record.version);
    assert_eq!(version.business, record.payment.business);
    assert_eq!(version.window_end, record.payment.window_end());
    version
}

/// Every statement that changes a payment's representation increases the version of this payment only.
pub(super) async fn every_statement(stage: &Stage) {
    let (payment, other) = (stage.stored("order").await.id, stage.stored("other").await.id);
    for (payment, seq) in [(payment, 1), (other, 2)] {
        refunded(stage, payment, seq).await;
    }
    let key = token(stage, Caller::Organisation).await;
    let numbers = async || {
        let [own, other] =
            [version(&stage.store, &key, payment).await, version(&stage.store, &key, other).await];
        (own.number, other.number)
    };
    for (table, statement) in [
        ("payments", "UPDATE payments SET status = 'EXPIRED'"),
        ("payments", "UPDATE payments SET redirect_url = 'https://shop.example'"),
        ("deposits", "UPDATE deposits SET state = 'CONFIRMED'"),
        ("deposits", "UPDATE deposits SET confirmations = 3"),
        ("deposits", "UPDATE deposits SET screening = 'FLAGGED'"),
        ("refunds", "UPDATE refunds SET gross = '8'"),
        ("payouts", "UPDATE payouts SET state = 'SIGNED', transaction_id = 'id'"),
        ("payouts", "UPDATE payouts SET state = 'CONFIRMED', confirmed_at = 7"),
        ("refunds", "DELETE FROM refunds"),
        ("deposits", "DELETE FROM deposits"),
    ] {
        let before = numbers().await;
        let text = format!("{statement} WHERE {} = $1", payment_of(table));
        let done = stage.store.apply(query(text).bind(payment.to_string())).await.unwrap();
        assert_eq!(done, 1, "{statement}");
        let after = numbers().await;
        assert!(after.0 > before.0, "{statement}: {before:?}, {after:?}");
        assert_eq!(after.1, before.1, "{statement}: another payment");
    }
    let before = numbers().await;
    for statement in ["UPDATE businesses SET name = ''", "UPDATE settings SET value = ''"] {
        stage.store.apply(query(statement)).await.unwrap();
    }
    refunded(stage, other, 3).await;
    let after = numbers().await;
    assert_eq!(after.0, before.0, "not part of the payment's representation");
    assert!(after.1 > before.1, "a new deposit and a new refund");
}

/// Changes of a process that shares only the database are seen, also when both change a payment in turn.
pub(super) async fn other_processes(stage: &Stage) {
    let payment = stage.stored("order").await;
    let session = token(stage, Caller::Session { payment: payment.id }).await;
    let another = stage.place.open().await;
    let stores = [&stage.store, &another];
    for round in 0..20 {
        let status = if round % 2 == 0 { PaymentStatus::Expired } else { PaymentStatus::New };
        let before = version(stores[0], &session, payment.id).await.number;
        assert_eq!(version(stores[1], &session, payment.id).await.number, before);
        let change = paid(stores[round / 2 % 2], &payment, status).await;
        assert_eq!(version(stores[0], &session, payment.id).await.number, before, "not committed yet");
        change.commit().await.unwrap();
        for store in stores {
            assert!(version(store, &session, payment.id).await.number > before, "round {round}");
            assert_eq!(store.payment(payment.id).await.unwrap().unwrap().payment.status, status);
        }
    }
    for (store, new) in stores.into_iter().zip(["own", "another's"]) {
        let mut tx = store.begin().await.unwrap();
        tx.put_business(&Business { name: new.to_owned(), ..stage.business.clone() }).await.unwrap();
        tx.commit().await.unwrap();
        for store in stores {
            assert_eq!(store.business(stage.business.id).await.unwrap().unwrap().name, new);
        }
    }
}

/// Reads are never older than what was committed before them, by this process or by another.
pub(super) async fn never_stale(stage: &Stage) {
    const CHANGES: u64 = 200;
    let payment = stage.stored("order").await;
    let session = token(stage, Caller::Session { payment: payment.id }).await;
    let first = version(&stage.store, &session, payment.id).await.number;
    let stores = [stage.store.clone(), stage.place.open().await];
    let committed = Arc::new(AtomicU64::new(0));
    let writes = {
        let (store, committed, payment) = (stores[0].clone(), Arc::clone(&committed), payment.clone());
        tokio::spawn(async move {
            for number in 1..=CHANGES {
                let mut tx = store.begin().await.unwrap();
                let changed = Payment { settled_at: Some(number), ..payment.clone() };
                tx.update_payment(&changed).await.unwrap();
                tx.commit().await.unwrap();
                committed.store(number, Ordering::SeqCst);
            }
        })
    };
    let reads = at_once(16, |reader| {
        let (store, committed) = (stores[reader % 2].clone(), Arc::clone(&committed));
        let (session, id) = (session.clone(), payment.id);
        async move {
            let mut answers = 0;
            while committed.load(Ordering::SeqCst) < CHANGES {
                let before = committed.load(Ordering::SeqCst);
                let found = store.caller_and_version(&session, NOW, id).await.unwrap().unwrap();
                let (settled_at, version) = (found.0.session.unwrap().settled_at, found.1.unwrap().number);
                assert!(version - first >= before, "{version} after {before} changes");
                assert_eq!(settled_at.unwrap_or(0), version - first, "of the same moment");
                answers += 1;
                // On SQLite a poll never waits, and the change needs a thread, too.
                tokio::task::yield_now().await;
            }
            answers
        }
    });
    let answers: Vec<u32> = reads.await;
    writes.await.unwrap();
    assert!(answers.iter().all(|count| *count > 0), "{answers:?}");
}

/// One query returns the caller and the version, for every kind of token. A session sees only its own payment.
pub(super) async fn callers(stage: &Stage) {
    let (payment, other) = (stage.stored("order").await, stage.stored("other").await);
    let own = Caller::Session { payment: payment.id };
    for caller in [Caller::Organisation, Caller::Business(stage.business.id), own] {
        let hash = token(stage, caller).await;
        let find = async |now, asked| {
            let found = stage.store.caller_and_version(&hash, now, asked).await.unwrap();
            let known = found.map(|(known, _)| known);
            assert_eq!(known, stage.store.caller(&hash, now).await.unwrap());
            found.map(|(known, version)| (known.caller, version.map(|version| version.business)))
        };
        let business = Some(stage.business.id);
        assert_eq!(find(NOW, payment.id).await, Some((caller, business)));
        let others = business.filter(|_| caller != own);
        assert_eq!(find(NOW, other.id).await, Some((caller, others)));
        assert_eq!(find(NOW, PaymentId(Uuid::now_v7())).await, Some((caller, None)));
        let mut tx = stage.begin().await;
        assert_eq!(tx.end_tokens(hash.as_str(), NOW + 10).await.unwrap(), 1);
        tx.commit().await.unwrap();
        assert_eq!(find(NOW + 9, payment.id).await, Some((caller, business)));
        assert_eq!(find(NOW + 10, payment.id).await, None, "{caller:?} has ended");
    }
    let unknown = TokenHash::of("unknown");
    assert_eq!(stage.store.caller_and_version(&unknown, NOW, payment.id).await.unwrap(), None);
}

/// The end of a session follows from the current state of its own payment, whichever payment is requested.
pub(super) async fn session_ends(stage: &Stage) {
    let (payment, other) = (stage.stored("order").await, stage.stored("other").await);
    let hash = token(stage, Caller::Session { payment: payment.id }).await;
    for settled_at in [None, Some(NOW + 5), None] {
        let mut tx = stage.begin().await;
        tx.update_payment(&Payment { settled_at, ..payment.clone() }).await.unwrap();
        tx.commit().await.unwrap();
        for asked in [payment.id, other.id, PaymentId(Uuid::nil())] {
            let (known, _) = stage.store.caller_and_version(&hash, NOW, asked).await.unwrap().unwrap();
            assert_eq!(
                known.session,
                Some(Session { window_end: payment.window_end(), settled_at, kept_until: None })
            );
        }
    }
}
