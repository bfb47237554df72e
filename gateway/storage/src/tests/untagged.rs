//! Transfers without the tag of a payment.

use checkout_core::{Currency, Network};
use checkout_domain::chain::untagged::{UntaggedReport, UntaggedState, UntaggedTransfer};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::Store as _;
use checkout_domain::ports::untagged::{REPORTS, UntaggedStore as _};

use super::stage::{NOW, Stage, at_once, deposit, transfer_of};

fn transfer(transaction: &str, index: u32, tag: Option<&str>) -> Transfer {
    Transfer {
        output: OutputId { network: Network::Xrp, transaction: transaction.to_owned(), index },
        currency: Currency::Xrp,
        tag: tag.map(str::to_owned),
        state: OutputState::Confirmed,
        ..transfer_of(&deposit(transaction, 1))
    }
}

fn reported(transfer: &Transfer, state: UntaggedState, reports: Vec<UntaggedReport>) -> UntaggedTransfer {
    let Transfer { output, currency, amount, to, tag, from, seen_at, .. } = transfer.clone();
    UntaggedTransfer { output, currency, amount, to, tag, from, seen_at, state, decided_at: None, reports }
}

pub(super) async fn reports(stage: &Stage) {
    let (store, open) = (&stage.store, || UntaggedState::Open { failure: None });
    let (one, other) = (stage.stored("one").await.id, stage.stored("other").await.id);
    let (first, second) = (transfer("A", 0, None), transfer("A", 1, Some("7")));
    let at = |payment, reported_at| UntaggedReport { payment, reported_at };
    // Fifty times at once, stored once.
    let told = at_once(50, |_| {
        let (store, first) = (store.clone(), first.clone());
        async move { store.report_untagged(&first, one, NOW).await.unwrap() }
    });
    assert!(told.await.into_iter().all(|told| told));
    assert!(store.report_untagged(&second, one, NOW + 1).await.unwrap());
    assert!(store.report_untagged(&first, other, NOW + 2).await.unwrap());
    let first = reported(&first, open(), vec![at(one, NOW), at(other, NOW + 2)]);
    let second = reported(&second, open(), vec![at(one, NOW + 1)]);
    let newest_first = [second.clone(), first.clone()];
    assert_eq!(store.untagged(None, 10).await.unwrap(), newest_first);
    assert_eq!(store.untagged(Some("OPEN"), 1).await.unwrap(), newest_first[..1]);
    assert_eq!(store.untagged(Some("REFUSED"), 10).await.unwrap(), []);
    let asked = ["A".to_owned(), "B".to_owned()];
    assert_eq!(store.untagged_of(&asked).await.unwrap(), [first.clone(), second]);
    assert_eq!((store.untagged_of(&[]).await.unwrap(), store.open_untagged().await.unwrap()), (vec![], 2));
    // Also at once, a payment reports no more than a few.
    let told = at_once(20, |number| {
        let store = store.clone();
        async move {
            let transfer = transfer(&format!("C{number}"), 0, None);
            store.report_untagged(&transfer, other, NOW).await.unwrap()
        }
    });
    let told = told.await.into_iter().filter(|told| *told).count();
    assert_eq!(told + 1, usize::try_from(REPORTS).unwrap());
    assert_eq!(store.open_untagged().await.unwrap(), u64::from(REPORTS) + 1);
    // What was decided makes room for one more.
    let mut tx = stage.begin().await;
    assert!(tx.move_untagged(&first.output, &open(), &UntaggedState::Refused, NOW).await.unwrap());
    tx.commit().await.unwrap();
    for (transaction, told) in [("A", true), ("D", true), ("E", false)] {
        let transfer = transfer(transaction, 0, None);
        assert_eq!(store.report_untagged(&transfer, other, NOW).await.unwrap(), told, "{transaction}");
    }
}

pub(super) async fn states(stage: &Stage) {
    let (store, transfer) = (&stage.store, transfer("A", 0, None));
    let payment = stage.stored("one").await.id;
    let open = |failure: Option<&str>| UntaggedState::Open { failure: failure.map(str::to_owned) };
    assert!(store.report_untagged(&transfer, payment, NOW).await.unwrap());
    let other = stage.stored("other").await.id;
    let moved = async |from: &UntaggedState, to: &UntaggedState| {
        let was_decided = store.untagged(None, 10).await.unwrap()[0].decided_at.is_some();
        let mut tx = stage.begin().await;
        let moved = tx.move_untagged(&transfer.output, from, to, NOW + 1).await.unwrap();
        tx.commit().await.unwrap();
        let [now] = store.untagged(None, 10).await.unwrap().try_into().unwrap();
        assert_eq!((now.state == *to, now.decided_at.is_some()), (moved, moved || was_decided), "{now:?}");
        moved
    };
    let crediting = UntaggedState::Crediting(payment);
    assert!(!moved(&crediting, &UntaggedState::Credited(payment)).await);
    assert!(moved(&open(None), &crediting).await);
    assert!(!moved(&UntaggedState::Crediting(other), &UntaggedState::Credited(other)).await);
    assert!(moved(&crediting, &open(Some("why"))).await);
    assert!(moved(&open(None), &UntaggedState::Refused).await, "whatever the failure was");
    assert!(moved(&UntaggedState::Refused, &crediting).await);
    // One of twenty carries it out.
    let done = at_once(20, |_| {
        let (store, output) = (store.clone(), transfer.output.clone());
        async move {
            let mut tx = store.begin().await.unwrap();
            let (from, to) = (UntaggedState::Crediting(payment), UntaggedState::Credited(payment));
            let done = tx.move_untagged(&output, &from, &to, NOW + 2).await.unwrap();
            tx.commit().await.unwrap();
            done
        }
    });
    assert_eq!(done.await.into_iter().filter(|done| *done).count(), 1);
    assert!(!moved(&open(None), &UntaggedState::Refused).await);
    assert_eq!(store.open_untagged().await.unwrap(), 0);
}
