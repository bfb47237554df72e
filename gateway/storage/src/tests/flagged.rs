//! Flagged and unscreened deposits.

use checkout_core::Network;
use checkout_domain::chain::OutputState;
use checkout_domain::chain::screening::AddressOwner;
use checkout_domain::chain::screening::{Decision, Screening};
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_domain::ports::screening::{FlaggedStore as _, HeldCounts, Waiting};
use uuid::Uuid;

use super::stage::{Stage, at_once, deposit};
use crate::Database;

/// Stores one deposit for each screening state and returns them in the order of their ids.
async fn one_of_each(stage: &Stage, payment: PaymentId) -> Vec<Deposit> {
    let mut tx = stage.begin().await;
    let mut all = Vec::new();
    for (number, screening) in (1..).zip(Screening::ALL) {
        let owner = AddressOwner { name: "Somebody".to_owned(), category: "MIXER".to_owned() };
        let sender = screening.is_held().then_some(owner);
        let one = Deposit { screening, sender, ..deposit(screening.as_str(), number) };
        tx.insert_deposit(payment, stage.business.id, &one).await.unwrap();
        all.push(one);
    }
    tx.commit().await.unwrap();
    all
}

pub(super) async fn lists(stage: &Stage) {
    let payment = stage.stored("order").await;
    let all = one_of_each(stage, payment.id).await;
    assert_eq!(stage.store.payment(payment.id).await.unwrap().unwrap().deposits, all);
    let waiting = all.iter().filter(|one| {
        matches!(one.screening, Screening::Pending | Screening::Releasing | Screening::Refusing)
    });
    let mut waiting: Vec<Waiting> = waiting
        .map(|one| Waiting {
            deposit: one.id,
            payment: payment.id,
            network: Network::Btc,
            senders: vec!["from".to_owned(), "other".to_owned(), String::new()],
            screening: one.screening,
        })
        .collect();
    waiting.sort_by_key(|one| one.deposit);
    assert_eq!(stage.store.waiting_deposits(None).await.unwrap(), waiting);
    assert_eq!(stage.store.waiting_deposits(Some(waiting[0].deposit)).await.unwrap(), waiting[1..]);
    let list = async |business, screening, limit| -> Vec<Uuid> {
        let found = stage.store.flagged_deposits(business, screening, limit).await.unwrap();
        found.iter().map(|one| one.deposit).collect()
    };
    let cleared = |one: &&Deposit| matches!(one.screening, Screening::Pending | Screening::Passed);
    let mut flagged: Vec<Uuid> = all.iter().filter(|one| !cleared(one)).map(|one| one.id).collect();
    flagged.sort_by(|a, b| b.cmp(a));
    assert_eq!(list(None, None, 10).await, flagged, "the newest first");
    assert_eq!(list(Some(stage.business.id), None, 2).await, flagged[..2]);
    assert!(list(Some(stage.other.id), None, 10).await.is_empty());
    for one in &all {
        let expected: &[Uuid] = if cleared(&one) { &[] } else { &[one.id] };
        assert_eq!(list(None, Some(one.screening), 10).await, expected);
    }
}

/// Flagged and unscreened deposits are counted while they are on the chain.
pub(super) async fn counts(stage: &Stage) {
    assert_eq!(stage.store.held_deposits().await.unwrap(), HeldCounts::default());
    let payment = stage.stored("order").await;
    let all = one_of_each(stage, payment.id).await;
    assert_eq!(stage.store.held_deposits().await.unwrap(), HeldCounts { flagged: 1, unscreened: 1 });
    let mut tx = stage.begin().await;
    for one in all {
        tx.update_deposit(&Deposit { state: OutputState::Vanished, ..one }).await.unwrap();
    }
    tx.commit().await.unwrap();
    assert_eq!(stage.store.held_deposits().await.unwrap(), HeldCounts::default());
}

/// Releases a flagged deposit, as it is under the lock of its payment.
async fn release(store: &Database, payment: PaymentId, id: Uuid) -> Result<(), Screening> {
    let mut tx = store.begin().await.unwrap();
    let deposits = tx.payment(payment).await.unwrap().unwrap().deposits;
    let deposit = deposits.into_iter().find(|one| one.id == id).unwrap();
    let screening = deposit.screening.decided(Decision::Release).ok_or(deposit.screening)?;
    tx.update_deposit(&Deposit { screening, ..deposit }).await.unwrap();
    tx.commit().await.unwrap();
    Ok(())
}

/// A decision waits for the transaction that has locked the payment, and is not overwritten by it.
pub(super) async fn decisions(stage: &Stage) {
    let payment = stage.stored("order").await;
    let all = one_of_each(stage, payment.id).await;
    let flagged = all.iter().find(|one| one.screening == Screening::Flagged).unwrap();
    let mut tx = stage.begin().await;
    let mut seen = tx.payment(payment.id).await.unwrap().unwrap().deposits;
    let (store, id) = (stage.store.clone(), flagged.id);
    let decided = tokio::spawn(async move { release(&store, payment.id, id).await });
    let mine = seen.iter_mut().find(|one| one.id == flagged.id).unwrap();
    mine.state = OutputState::Confirmed;
    tx.update_deposit(mine).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(decided.await.unwrap(), Ok(()));
    let read = stage.store.payment(payment.id).await.unwrap().unwrap().deposits.clone();
    let known = read.iter().find(|one| one.id == flagged.id).unwrap();
    assert_eq!((known.state, known.screening), (OutputState::Confirmed, Screening::Releasing));
    let again = at_once(8, |_| {
        let store = stage.store.clone();
        async move { release(&store, payment.id, id).await }
    });
    assert!(again.await.iter().all(|one| *one == Err(Screening::Releasing)));
}
