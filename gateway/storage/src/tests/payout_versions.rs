//! Transactions of one payout that replace each other.

use checkout_domain::chain::payout::{Payout, Progress, Purpose, Sequence, Signed};
use checkout_domain::ports::Store as _;
use checkout_domain::ports::payout_holds::PayoutHoldStore as _;
use checkout_domain::ports::payouts::PayoutStore as _;

use super::payouts::payout;
use super::stage::{NOW, Stage, at_once};

fn version(number: u8) -> Signed {
    let sequence = Some(Sequence { account: "a".to_owned(), number: 7 });
    Signed { transaction_id: format!("version {number}"), bytes: vec![number, 0, 255], sequence }
}

/// A payout that was sent with version 1.
async fn sent(stage: &Stage) -> Payout {
    let payout = payout(stage, Purpose::Withdrawal);
    let mut tx = stage.begin().await;
    tx.insert_payout(&payout).await.unwrap();
    assert!(tx.store_signed(payout.id, &version(1), NOW).await.unwrap());
    assert!(tx.send_payout(payout.id, &version(1)).await.unwrap());
    assert!(!tx.send_payout(payout.id, &version(1)).await.unwrap(), "it was sent");
    tx.commit().await.unwrap();
    payout
}

async fn replace(stage: &Stage, payout: &Payout, newest: u8, replacement: u8, now: u64) -> bool {
    let mut tx = stage.begin().await;
    let is_stored = tx.store_replacement(payout.id, &version(newest), &version(replacement), now).await;
    tx.commit().await.unwrap();
    is_stored.unwrap()
}

/// The newest is replaced, and the payout shows the first until another one confirms.
pub(super) async fn replaced(stage: &Stage) {
    let payout = sent(stage).await;
    let shown = async || stage.store.open_payouts(None).await.unwrap().remove(0).signed.unwrap();
    let known = async || stage.store.versions(payout.id).await.unwrap();
    assert_eq!((known().await.all, known().await.pending_since), (vec![version(1)], NOW));
    assert!(replace(stage, &payout, 1, 2, NOW + 60).await);
    assert!(!replace(stage, &payout, 1, 3, NOW + 61).await, "it has a newer one");
    assert!(replace(stage, &payout, 2, 3, NOW + 120).await);
    assert_eq!(known().await.all, [1, 2, 3].map(version));
    assert_eq!((known().await.pending_since, shown().await), (NOW + 120, version(1)));

    let ids = ["version 1", "version 2", "other"].map(str::to_owned).to_vec();
    assert_eq!(stage.store.unknown_transactions(ids).await.unwrap(), ["other"]);

    let mut tx = stage.begin().await;
    assert!(tx.confirm_payout(payout.id, &version(2), NOW).await.unwrap());
    assert!(
        !tx.store_replacement(payout.id, &version(3), &version(4), NOW).await.unwrap(),
        "it is confirmed"
    );
    tx.commit().await.unwrap();
    assert_eq!((shown().await, known().await.all.len()), (version(2), 3));
    let mut tx = stage.begin().await;
    assert!(tx.mark_unconfirmed(payout.id, NOW + 500).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!((shown().await, known().await.pending_since), (version(2), NOW + 500));
    assert!(!replace(stage, &payout, 2, 4, NOW).await && replace(stage, &payout, 3, 4, NOW).await);
}

/// The network never took the first.
pub(super) async fn replaced_before_it_is_sent(stage: &Stage) {
    let payout = payout(stage, Purpose::Withdrawal);
    let mut tx = stage.begin().await;
    tx.insert_payout(&payout).await.unwrap();
    assert!(!tx.store_replacement(payout.id, &version(1), &version(2), NOW).await.unwrap(), "it waits");
    assert!(!tx.send_payout(payout.id, &version(1)).await.unwrap(), "it waits");
    tx.commit().await.unwrap();
    assert_eq!(stage.store.versions(payout.id).await.unwrap().all, []);
    let mut tx = stage.begin().await;
    assert!(tx.store_signed(payout.id, &version(1), NOW).await.unwrap());
    assert!(tx.store_replacement(payout.id, &version(1), &version(2), NOW + 60).await.unwrap());
    assert!(tx.cap_payout(payout.id, NOW + 70).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(stage.store.capped_payouts().await.unwrap(), 1);
    let mut tx = stage.begin().await;
    assert!(tx.send_payout(payout.id, &version(2)).await.unwrap());
    tx.commit().await.unwrap();
    let open = stage.store.open_payouts(None).await.unwrap().remove(0);
    assert_eq!((open.progress, open.signed), (Progress::Sent, Some(version(2))));
    assert_eq!(stage.store.versions(payout.id).await.unwrap().all, [1, 2].map(version));
}

/// Twenty workers replace the same transaction: one replacement is stored.
pub(super) async fn replaced_once(stage: &Stage) {
    let payout = sent(stage).await;
    let stored = at_once(20, |number| {
        let (store, id) = (stage.store.clone(), payout.id);
        async move {
            let mut tx = store.begin().await.unwrap();
            let replacement = version(u8::try_from(number).unwrap() + 2);
            let is_stored = tx.store_replacement(id, &version(1), &replacement, NOW).await.unwrap();
            tx.commit().await.unwrap();
            is_stored.then_some(replacement)
        }
    });
    let stored: Vec<Signed> = stored.await.into_iter().flatten().collect();
    assert_eq!(stored.len(), 1);
    let all = stage.store.versions(payout.id).await.unwrap().all;
    assert_eq!(all, [&[version(1)], stored.as_slice()].concat());
}

/// A payout that waits for a block is listed, and counted once its fee cannot rise any more.
pub(super) async fn pending(stage: &Stage) {
    let payout = sent(stage).await;
    assert!(replace(stage, &payout, 1, 2, NOW + 60).await);
    assert_eq!(stage.store.capped_payouts().await.unwrap(), 0);
    for is_news in [true, false] {
        let mut tx = stage.begin().await;
        assert_eq!(tx.cap_payout(payout.id, NOW + 70).await.unwrap(), is_news);
        tx.commit().await.unwrap();
    }
    assert_eq!(stage.store.capped_payouts().await.unwrap(), 1);
    let listed = stage.store.pending_payouts().await.unwrap();
    let [(found, versions)] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!((found.id, versions.capped_at), (payout.id, Some(NOW + 70)));
    assert_eq!(versions.all, [1, 2].map(version));
    assert!(replace(stage, &payout, 2, 3, NOW + 80).await, "the maximum was raised");
    assert_eq!(stage.store.capped_payouts().await.unwrap(), 0);
    let mut tx = stage.begin().await;
    assert!(tx.confirm_payout(payout.id, &version(1), NOW).await.unwrap());
    tx.commit().await.unwrap();
    assert!(stage.store.pending_payouts().await.unwrap().is_empty());
}

/// An expired transaction leaves a payout that can be signed again, also with the same number.
pub(super) async fn signed_again(stage: &Stage) {
    let payout = payout(stage, Purpose::Withdrawal);
    let mut tx = stage.begin().await;
    tx.insert_payout(&payout).await.unwrap();
    assert!(!tx.unsign_payout(payout.id, &version(1)).await.unwrap());
    assert!(tx.store_signed(payout.id, &version(1), NOW).await.unwrap());
    assert!(tx.store_replacement(payout.id, &version(1), &version(3), NOW).await.unwrap());
    assert!(tx.unsign_payout(payout.id, &version(1)).await.unwrap());
    assert!(tx.store_signed(payout.id, &version(2), NOW + 9).await.unwrap());
    assert!(!tx.unsign_payout(payout.id, &version(1)).await.unwrap(), "another process signed it again");
    assert!(tx.move_payout(payout.id, Progress::Signed, Progress::Sent).await.unwrap());
    assert!(!tx.unsign_payout(payout.id, &version(2)).await.unwrap(), "it was sent");
    tx.commit().await.unwrap();
    let known = stage.store.versions(payout.id).await.unwrap();
    assert_eq!((known.all, known.pending_since), (vec![version(2)], NOW + 9));
}
