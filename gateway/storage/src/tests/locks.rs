//! A row that a transaction has read for a change stays unchanged until its end, and transactions do not deadlock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use checkout_core::Network;
use checkout_domain::chain::screening::AddressOwner;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_domain::ports::settings::SettingStore as _;
use checkout_domain::ports::transfers::TransferStore as _;
use checkout_wire::PaymentStatus;
use checkout_wire::create_withdrawal::WithdrawalStatus;

use super::payouts::withdrawal;
use super::stage::{A_WHILE, NOW, Stage, at_once};

/// A second transaction that reads the same payment waits for the first, and then sees its result.
pub(super) async fn a_row_read_for_a_change_stays(stage: &Stage) {
    let mut payment = stage.stored("order").await;
    let mut first = stage.begin().await;
    first.payment(payment.id).await.unwrap().unwrap();
    let done = Arc::new(AtomicBool::new(false));
    let second = tokio::spawn({
        let (store, done, id) = (stage.store.clone(), Arc::clone(&done), payment.id);
        async move {
            let mut tx = store.begin().await.unwrap();
            let record = tx.payment(id).await.unwrap().unwrap();
            assert!(done.load(Ordering::SeqCst), "it was read while another transaction had it locked");
            record.payment.status
        }
    });
    tokio::time::sleep(A_WHILE).await;
    let read = stage.store.payment(payment.id).await.unwrap().unwrap();
    assert_eq!(read.payment.status, PaymentStatus::New, "plain reads do not wait");
    payment.status = PaymentStatus::Pending;
    first.update_payment(&payment).await.unwrap();
    done.store(true, Ordering::SeqCst);
    first.commit().await.unwrap();
    assert_eq!(second.await.unwrap(), PaymentStatus::Pending);
}

/// A transaction that reads a withdrawal locks it until its end: a slow screening result does not overwrite the
/// COMPLETED of another transaction with NEW.
pub(super) async fn a_withdrawal_stays(stage: &Stage) {
    let (payout, withdrawal) = withdrawal(stage, "order");
    let mut tx = stage.begin().await;
    tx.insert_payout(&payout).await.unwrap();
    assert!(tx.insert_withdrawal(&withdrawal, "hash").await.unwrap());
    tx.commit().await.unwrap();
    let mut first = stage.begin().await;
    let mut known = first.withdrawal(payout.id).await.unwrap().unwrap();
    let second = tokio::spawn({
        let (store, id) = (stage.store.clone(), payout.id);
        async move {
            let mut tx = store.begin().await.unwrap();
            let mut known = tx.withdrawal(id).await.unwrap().unwrap();
            known.status = WithdrawalStatus::Completed;
            tx.update_withdrawal(&known).await.unwrap();
            tx.commit().await.unwrap();
        }
    });
    tokio::time::sleep(A_WHILE).await;
    known.owner = Some(AddressOwner { name: "Bank".to_owned(), category: "EXCHANGE".to_owned() });
    first.update_withdrawal(&known).await.unwrap();
    first.commit().await.unwrap();
    second.await.unwrap();
    let after = stage.begin().await.withdrawal(payout.id).await.unwrap().unwrap();
    assert_eq!((after.status, after.owner), (WithdrawalStatus::Completed, known.owner));
}

/// Forty transactions lock the same payments in different orders.
pub(super) async fn no_deadlock(stage: &Stage) {
    let mut payments = Vec::new();
    for number in 0..4 {
        payments.push(stage.stored(&number.to_string()).await.id);
    }
    let held = at_once(40, |number| {
        let (store, mut payments) = (stage.store.clone(), payments.clone());
        payments.rotate_left(number % 4);
        if number % 2 == 0 {
            payments.reverse();
        }
        async move {
            let mut tx = store.begin().await.unwrap();
            tx.lock(&payments).await.unwrap();
            for id in payments {
                tx.payment(id).await.unwrap().unwrap();
            }
            tx.commit().await.unwrap();
        }
    });
    assert_eq!(held.await.len(), 40);
    let mut tx = stage.begin().await;
    tx.lock(&[]).await.unwrap();
}

/// Fifty transactions increment the same setting, some of them before it exists.
pub(super) async fn settings_are_settled(stage: &Stage) {
    let done = at_once(50, |_| {
        let store = stage.store.clone();
        async move {
            let mut tx = store.begin().await.unwrap();
            let value: u32 = tx.put_setting_if_absent("key", "0").await.unwrap().parse().unwrap();
            tx.put_setting("key", &(value + 1).to_string()).await.unwrap();
            tx.commit().await.unwrap();
        }
    });
    done.await;
    assert_eq!(stage.store.setting("key").await.unwrap().as_deref(), Some("50"));
    assert_eq!(stage.store.setting("other").await.unwrap(), None);
}

/// Twenty readers of one chain advance its cursor one after another, starting before it exists.
pub(super) async fn cursors(stage: &Stage) {
    let done = at_once(20, |_| {
        let store = stage.store.clone();
        async move {
            let mut tx = store.begin().await.unwrap();
            let at: u32 = tx.cursor(Network::Btc).await.unwrap().map_or(0, |text| text.parse().unwrap());
            tx.put_cursor(Network::Btc, &(at + 1).to_string()).await.unwrap();
            tx.commit().await.unwrap();
        }
    });
    done.await;
    assert_eq!(stage.store.cursor(Network::Btc).await.unwrap().as_deref(), Some("20"));
    assert_eq!(stage.store.cursor(Network::Eth).await.unwrap(), None);
}

/// A transaction that is dropped or fails leaves no changes and no locks.
pub(super) async fn rolled_back(stage: &Stage) {
    let payment = stage.stored("order").await;
    let mut tx = stage.begin().await;
    tx.payment(payment.id).await.unwrap();
    tx.insert_address(payment.id, Network::Btc, "a", None, NOW).await.unwrap();
    assert_eq!(tx.next_index(Network::Btc).await.unwrap(), 0);
    tx.put_setting("key", "value").await.unwrap();
    drop(tx);
    let mut tx = stage.begin().await;
    tx.payment(payment.id).await.unwrap();
    assert_eq!(tx.address_of(payment.id, Network::Btc).await.unwrap(), None);
    assert_eq!(
        tx.next_index(Network::Btc).await.unwrap(),
        0,
        "an index of a rolled back transaction is used again"
    );
    tx.commit().await.unwrap();
    assert_eq!(stage.store.setting("key").await.unwrap(), None);
}
