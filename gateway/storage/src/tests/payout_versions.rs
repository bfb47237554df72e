//! Transactions of one payout that replace each other.

use checkout_domain::chain::payout::state::{PayoutState, Progress};
use checkout_domain::chain::payout::{Payout, Purpose, Sequence, Signed};
use checkout_domain::ports::Store as _;
use checkout_domain::ports::payouts::PayoutStore as _;

use super::payouts::{change, payout, put};
use super::stage::{NOW, Stage, at_once};

fn version(number: u8) -> Signed {
    let sequence = Some(Sequence { account: "a".to_owned(), number: 7 });
    Signed { transaction_id: format!("version-{number}"), bytes: vec![number, 0, 255], sequence }
}

/// A payout that was sent with version 1.
async fn sent(stage: &Stage) -> Payout {
    let payout = put(stage, &payout(stage, Purpose::Withdrawal)).await;
    assert!(change(stage, payout.id, |payout| payout.signed(version(1), NOW)?.sent(&version(1))).await);
    payout
}

async fn stored(stage: &Stage, payout: &Payout) -> PayoutState {
    stage.store.payout(payout.id).await.unwrap().unwrap().state
}

async fn check(stage: &Stage, payout: &Payout, word: Progress, all: &[u8], pending_since: u64) {
    let stored = stored(stage, payout).await;
    let versions = stored.versions().unwrap();
    let expected: Vec<Signed> = all.iter().copied().map(version).collect();
    assert_eq!((stored.word(), versions.all().cloned().collect::<Vec<_>>()), (word, expected));
    assert_eq!(versions.pending_since, pending_since);
}

/// The newest is replaced, and the payout shows the first until another one confirms.
pub(super) async fn replaced(stage: &Stage) {
    let payout = sent(stage).await;
    check(stage, &payout, Progress::Sent, &[1], NOW).await;
    assert!(change(stage, payout.id, |payout| payout.replaced(version(2), NOW + 60)).await);
    assert!(change(stage, payout.id, |payout| payout.replaced(version(3), NOW + 120)).await);
    check(stage, &payout, Progress::Sent, &[1, 2, 3], NOW + 120).await;
    assert!(matches!(stored(stage, &payout).await, PayoutState::Sent { shown, .. } if shown == version(1)));

    let ids = ["version-1", "version-2", "other"].map(str::to_owned).to_vec();
    assert_eq!(stage.store.unknown_transactions(ids).await.unwrap(), ["other"]);

    assert!(change(stage, payout.id, |payout| payout.confirmed(&version(2), NOW)).await);
    assert!(!change(stage, payout.id, |payout| payout.replaced(version(4), NOW)).await, "it is confirmed");
    let confirmed = stored(stage, &payout).await;
    assert!(matches!(confirmed, PayoutState::Confirmed { by, at: NOW, .. } if by == version(2)));
    assert!(change(stage, payout.id, |payout| payout.unconfirmed(NOW + 500)).await);
    check(stage, &payout, Progress::Sent, &[1, 2, 3], NOW + 500).await;
    assert!(matches!(stored(stage, &payout).await, PayoutState::Sent { shown, .. } if shown == version(2)));
    assert!(change(stage, payout.id, |payout| payout.replaced(version(4), NOW)).await);
    check(stage, &payout, Progress::Sent, &[1, 2, 3, 4], NOW).await;
}

/// The network never took the first.
pub(super) async fn replaced_before_it_is_sent(stage: &Stage) {
    let payout = put(stage, &payout(stage, Purpose::Withdrawal)).await;
    let replaced =
        |payout: Payout| payout.signed(version(1), NOW)?.replaced(version(2), NOW + 60)?.capped(NOW + 70);
    assert!(change(stage, payout.id, replaced).await);
    assert_eq!(stage.store.capped_payouts().await.unwrap(), 1);
    assert!(change(stage, payout.id, |payout| payout.sent(&version(2))).await);
    check(stage, &payout, Progress::Sent, &[1, 2], NOW + 60).await;
    assert!(matches!(stored(stage, &payout).await, PayoutState::Sent { shown, .. } if shown == version(2)));
}

/// Twenty workers replace the same transaction: one replacement is stored.
pub(super) async fn replaced_once(stage: &Stage) {
    let payout = sent(stage).await;
    let read = stage.store.payout(payout.id).await.unwrap().unwrap();
    let kept = at_once(20, |number| {
        let (store, read) = (stage.store.clone(), read.clone());
        async move {
            let replacement = u8::try_from(number).unwrap() + 2;
            let mut tx = store.begin().await.unwrap();
            let is_stored = tx.save_payout(read.replaced(version(replacement), NOW).unwrap()).await.unwrap();
            tx.commit().await.unwrap();
            is_stored.map(|_| replacement)
        }
    });
    let kept: Vec<u8> = kept.await.into_iter().flatten().collect();
    assert_eq!(kept.len(), 1);
    check(stage, &payout, Progress::Sent, &[1, kept[0]], NOW).await;
}

/// A payout that waits for a block is listed, and counted once its fee cannot rise any more.
pub(super) async fn pending(stage: &Stage) {
    let payout = sent(stage).await;
    assert!(change(stage, payout.id, |payout| payout.replaced(version(2), NOW + 60)).await);
    assert_eq!(stage.store.capped_payouts().await.unwrap(), 0);
    for is_news in [true, false] {
        assert_eq!(change(stage, payout.id, |payout| payout.capped(NOW + 70)).await, is_news);
    }
    assert_eq!(stage.store.capped_payouts().await.unwrap(), 1);
    let listed = stage.store.pending_payouts().await.unwrap();
    let [found] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!((found.id, found.state.versions().unwrap().capped_at), (payout.id, Some(NOW + 70)));
    check(stage, &payout, Progress::Sent, &[1, 2], NOW + 60).await;
    assert!(
        change(stage, payout.id, |payout| payout.replaced(version(3), NOW + 80)).await,
        "the maximum was raised"
    );
    assert_eq!(stage.store.capped_payouts().await.unwrap(), 0);
    assert!(change(stage, payout.id, |payout| payout.confirmed(&version(1), NOW)).await);
    assert!(stage.store.pending_payouts().await.unwrap().is_empty());
}

/// An expired transaction leaves a payout that can be signed again, also with the same number.
pub(super) async fn signed_again(stage: &Stage) {
    let payout = put(stage, &payout(stage, Purpose::Withdrawal)).await;
    assert!(
        change(stage, payout.id, |payout| payout.signed(version(1), NOW)?.replaced(version(3), NOW)).await
    );
    let read = stage.store.payout(payout.id).await.unwrap().unwrap();
    assert!(change(stage, payout.id, Payout::unsigned).await);
    assert_eq!(stored(stage, &payout).await, PayoutState::Waiting);
    assert!(change(stage, payout.id, |payout| payout.signed(version(2), NOW + 9)).await);
    check(stage, &payout, Progress::Signed, &[2], NOW + 9).await;
    let mut tx = stage.begin().await;
    let unsigned = read.unsigned().unwrap();
    assert!(tx.save_payout(unsigned).await.unwrap().is_none(), "another process signed it again");
}
