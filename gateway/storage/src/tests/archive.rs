use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use checkout_domain::access::scope::Scopes;
use checkout_domain::access::token::{Caller, TokenHash};
use checkout_domain::callback::{Callback, Kind, State};
use checkout_domain::chain::OutputState;
use checkout_domain::chain::payout::{Progress, Purpose};
use checkout_domain::payment::Payment;
use checkout_domain::ports::credentials::CredentialStore as _;
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_domain::ports::transfers::TransferStore as _;
use checkout_domain::ports::{NewPayment, Store as _};
use checkout_wire::PaymentStatus;
use uuid::Uuid;

use super::payouts::payout;
use super::stage::{NOW, Stage, at_once, deposit, quote, transfer_of};
use crate::{Ended, query};

/// The contents of the tables of payments.
async fn rows(stage: &Stage) -> BTreeMap<&'static str, Vec<String>> {
    let mut all = BTreeMap::new();
    for table in [
        "payments",
        "sessions",
        "addresses",
        "quotes",
        "dust",
        "deposits",
        "settlements",
        "refunds",
        "callbacks",
    ] {
        let found = query(format!("SELECT * FROM {table}")).fetch_all(stage.store.readers()).await.unwrap();
        let text = |row: &crate::Row| {
            let mut values = row.values().unwrap();
            values.remove("version");
            serde_json::to_string(&values).unwrap()
        };
        let mut found: Vec<String> = found.iter().map(text).collect();
        found.sort();
        all.insert(table, found);
    }
    all
}

async fn change(stage: &Stage, sql: &'static str) {
    stage.store.apply(query(sql).once()).await.unwrap();
}

/// A payment that was paid and partly refunded, and that nothing happens to any more.
async fn ended(stage: &Stage, client_id: &str) -> Payment {
    let mut payment = stage.payment(client_id);
    let new = NewPayment {
        payment: payment.clone(),
        request_hash: "hash".to_owned(),
        session: TokenHash::of(client_id),
    };
    assert!(stage.store.add_payment(new).await.unwrap());
    let address = format!("address of {client_id}");
    payment.quote = Some(quote(&address));
    payment.status = PaymentStatus::Deposited;
    payment.settled_at = Some(NOW + 9);
    let mut deposit = deposit(&format!("transaction of {client_id}"), 1);
    (deposit.to, deposit.state, deposit.confirmed_seq) = (address.clone(), OutputState::Confirmed, Some(2));
    let payout = payout(stage, Purpose::Refund);
    let callback = Callback {
        id: Uuid::now_v7(),
        business: payment.business,
        kind: Kind::new("DEPOSIT"),
        subject: deposit.id,
        sequence: 0,
        body: "{\"a\": 1.000000000000000000001}".to_owned(),
        created_at: NOW,
        state: State::Delivered,
        attempts: 0,
        failures: 0,
        due_at: None,
    };
    let mut tx = stage.begin().await;
    let network = deposit.output.network;
    assert!(tx.insert_address(payment.id, network, &address, None, NOW).await.unwrap());
    tx.update_payment(&payment).await.unwrap();
    tx.insert_quote(payment.id, 0, payment.quote.as_ref().unwrap()).await.unwrap();
    tx.insert_deposit(payment.id, stage.business.id, &deposit).await.unwrap();
    tx.insert_payout(&payout).await.unwrap();
    assert!(tx.move_payout(payout.id, Progress::Waiting, Progress::Failed).await.unwrap());
    let event = Callback {
        id: Uuid::now_v7(),
        kind: Kind::new("payment.status"),
        subject: payment.id.0,
        sequence: 1,
        ..callback.clone()
    };
    tx.put_callbacks(&[callback, event]).await.unwrap();
    tx.commit().await.unwrap();
    for sql in [
        "INSERT INTO refunds (deposit, payment, business, currency, network, kind, reason, gross, fee, payout)
         SELECT deposits.id, deposits.payment, payouts.business, deposits.currency, deposits.network, 'PARTIAL', 'OVERPAYMENT', '7', '1', payouts.id
         FROM deposits, payouts WHERE deposits.id NOT IN (SELECT deposit FROM refunds)
             AND payouts.id NOT IN (SELECT payout FROM refunds)",
        "INSERT INTO settlements (deposit, ratio, crypto, fee, deposit_price, crypto_price, generation, kept, returned)
         SELECT id, '0.5', 'BTC', '0', '1', '1', 3, NULL, '7' FROM deposits WHERE id NOT IN (SELECT deposit FROM settlements)",
        "INSERT INTO dust (payment, network, currency, transfers, amount, last_seen_at)
         SELECT id, 'BTC', 'BTC', 2, '3', 4 FROM payments WHERE id NOT IN (SELECT payment FROM dust)",
        "UPDATE callbacks SET state = 'DELIVERED', due_at = NULL",
    ] {
        change(stage, sql).await;
    }
    payment
}

async fn archive(stage: &Stage, before: u64) -> usize {
    let mut ended = Ended { before, after: String::new() };
    let mut count = 0;
    loop {
        match stage.store.archive(&mut ended).await.unwrap() {
            0 => return count,
            moved => count += moved,
        }
    }
}

/// Every row leaves the tables and comes back as it was; in between the payment is read as before.
pub(super) async fn there_and_back(stage: &Stage) {
    let payment = ended(stage, "order").await;
    let (before, shown) = (rows(stage).await, stage.store.payment(payment.id).await.unwrap().unwrap());
    let expected = |table: &str| if table == "callbacks" { 2 } else { 1 };
    assert!(before.iter().all(|(table, rows)| rows.len() == expected(table)), "{before:?}");
    assert_eq!(archive(stage, NOW + 10_000).await, 1);
    assert!(rows(stage).await.values().all(Vec::is_empty));
    assert_eq!(stage.store.payment(payment.id).await.unwrap(), Some(shown.clone()));
    assert!(stage.store.is_archived(payment.id).await.unwrap());

    let owners = stage.store.owners(&[transfer_of(&shown.deposits[0])]).await.unwrap();
    assert_eq!(owners[0].map(|owner| owner.payment), Some(payment.id), "its address is watched");
    let mut tx = stage.begin().await;
    assert!(
        !tx.insert_address(payment.id, shown.deposits[0].output.network, "address of order", None, NOW)
            .await
            .unwrap()
    );
    let known = tx.payment_by_client_id(payment.business, "order").await.unwrap();
    assert_eq!(known, Some((payment.id, "hash".to_owned())));
    drop(tx);
    let again = NewPayment {
        payment: stage.payment("order"),
        request_hash: "hash".to_owned(),
        session: TokenHash::of("another"),
    };
    assert!(!stage.store.add_payment(again).await.unwrap(), "its clientPaymentId stays taken");

    let mut tx = stage.begin().await;
    let mut back = tx.payment(payment.id).await.unwrap().unwrap();
    assert!(back.version > shown.version, "a poll sees that it changed");
    back.version = shown.version;
    assert_eq!(back, shown);
    tx.commit().await.unwrap();
    assert_eq!(rows(stage).await, before);
    assert!(!stage.store.is_archived(payment.id).await.unwrap());
    assert_eq!(archive(stage, NOW + 10_000).await, 1, "it can be archived again");
}

/// A payment that can still change is not archived.
pub(super) async fn only_what_ended(stage: &Stage) {
    ended(stage, "order").await;
    assert_eq!(archive(stage, NOW).await, 0, "too young");
    for (open, closed) in [
        ("UPDATE payments SET status = 'AWAITING'", "UPDATE payments SET status = 'DEPOSITED'"),
        ("UPDATE payments SET kind = 'REUSABLE'", "UPDATE payments SET kind = 'ONE_TIME'"),
        ("UPDATE deposits SET state = 'UNCONFIRMED'", "UPDATE deposits SET state = 'CONFIRMED'"),
        ("UPDATE deposits SET screening = 'FLAGGED'", "UPDATE deposits SET screening = 'RELEASED'"),
        ("UPDATE deposits SET screening = 'REFUSED'", "UPDATE deposits SET screening = 'PASSED'"),
        ("UPDATE deposits SET seen_at = seen_at + 20000", "UPDATE deposits SET seen_at = seen_at - 20000"),
        ("UPDATE payouts SET state = 'SENT'", "UPDATE payouts SET state = 'FINAL'"),
        ("UPDATE callbacks SET state = 'PENDING'", "UPDATE callbacks SET state = 'FAILED'"),
        (
            "UPDATE callbacks SET state = 'PENDING' WHERE sequence = 1",
            "UPDATE callbacks SET state = 'FAILED' WHERE sequence = 1",
        ),
        ("UPDATE callbacks SET state = 'HELD'", "UPDATE callbacks SET state = 'DELIVERED'"),
    ] {
        change(stage, open).await;
        assert_eq!(archive(stage, NOW + 10_000).await, 0, "{open}");
        change(stage, closed).await;
    }
    assert_eq!(archive(stage, NOW + 10_000).await, 1);
}

/// Archived by some while others bring payments back: each is in one place, and polls find all of them.
pub(super) async fn at_the_same_time(stage: &Stage) {
    let mut payments = Vec::new();
    for number in 0..20 {
        payments.push(ended(stage, &number.to_string()).await.id);
    }
    let token = TokenHash::of("token");
    let mut tx = stage.begin().await;
    tx.put_credential(&token, Caller::Business(stage.business.id), Scopes::EVERYTHING, NOW).await.unwrap();
    tx.commit().await.unwrap();
    let working = Arc::new(AtomicUsize::new(8));
    let done = at_once(12, |task| {
        let (store, payments) = (stage.store.clone(), payments.clone());
        let (token, working) = (token.clone(), Arc::clone(&working));
        async move {
            if task >= 8 {
                let mut polled = 0;
                while working.load(Ordering::SeqCst) > 0 {
                    let id = payments[polled % payments.len()];
                    let (_, version) = store.caller_and_version(&token, NOW, id).await.unwrap().unwrap();
                    assert!(version.is_some(), "a poll does not find {id}");
                    polled += 1;
                    // On SQLite a poll never waits, and the changes need a thread, too.
                    tokio::task::yield_now().await;
                }
                return;
            }
            for round in 0..10 {
                if task % 2 == 0 {
                    let mut ended = Ended { before: NOW + 10_000, after: String::new() };
                    store.archive(&mut ended).await.unwrap();
                } else {
                    let id = payments[(task * 7 + round * 3) % payments.len()];
                    let mut tx = store.begin().await.unwrap();
                    assert!(tx.payment(id).await.unwrap().is_some(), "{id} is nowhere");
                    tx.commit().await.unwrap();
                }
            }
            working.fetch_sub(1, Ordering::SeqCst);
        }
    });
    assert_eq!(done.await.len(), 12);
    archive(stage, NOW + 10_000).await;
    assert!(rows(stage).await.values().all(Vec::is_empty));
    for id in payments {
        assert_eq!(stage.store.payment(id).await.unwrap().unwrap().deposits.len(), 1);
    }
}
