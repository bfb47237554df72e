//! Payouts of which an operator decides whether they were sent.

use checkout_domain::chain::payout::{Payout, Progress, Purpose, Signed};
use checkout_domain::chain::payout_hold::HoldDecision;
use checkout_domain::ports::payout_holds::PayoutHoldStore as _;
use checkout_domain::ports::payouts::PayoutStore as _;

use super::payouts::payout;
use super::stage::{NOW, Stage};

const SENT_BEFORE: &str = "the same amount was sent to the same address before";

fn transaction() -> Signed {
    Signed { transaction_id: "first".to_owned(), bytes: vec![1], sequence: None }
}

/// A waiting payout that was held and released.
async fn released(stage: &Stage) -> Payout {
    let payout = payout(stage, Purpose::Refund);
    let mut tx = stage.begin().await;
    tx.insert_payout(&payout).await.unwrap();
    tx.hold_payout(payout.id, SENT_BEFORE).await.unwrap();
    assert!(tx.decide_hold(payout.id, &HoldDecision::Release).await.unwrap());
    tx.commit().await.unwrap();
    payout
}

/// A release is about what was sent before. It is no answer for a transaction that was signed later, which may have paid.
pub(super) async fn held_after_a_release(stage: &Stage) {
    let payout = released(stage).await;
    let mut tx = stage.begin().await;
    assert!(tx.store_signed(payout.id, &transaction(), NOW).await.unwrap());
    assert!(tx.unsign_payout(payout.id, &transaction()).await.unwrap());
    tx.hold_payout(payout.id, "its transaction first may have been sent").await.unwrap();
    tx.commit().await.unwrap();
    let held = stage.store.held_payouts().await.unwrap();
    assert_eq!(held.len(), 1, "nobody decided about the first transaction");
    let stored = stage.store.payout_hold(payout.id).await.unwrap().unwrap();
    assert_eq!(
        (stored.decision, stored.reason.as_deref()),
        (None, Some("its transaction first may have been sent"))
    );
    let mut tx = stage.begin().await;
    assert!(tx.decide_hold(payout.id, &HoldDecision::Sent("first".to_owned())).await.unwrap());
    tx.commit().await.unwrap();
}

/// A refund that may have been sent is not cancelled, because another one would be planned: the payer would get both.
pub(super) async fn stays_while_it_is_held(stage: &Stage) {
    let payout = released(stage).await;
    let moves = async |to| {
        let mut tx = stage.begin().await;
        // Not committed.
        tx.move_payout(payout.id, Progress::Waiting, to).await.unwrap()
    };
    assert!(moves(Progress::Cancelled).await, "it is released");
    let mut tx = stage.begin().await;
    tx.hold_payout(payout.id, SENT_BEFORE).await.unwrap();
    tx.commit().await.unwrap();
    assert!(!moves(Progress::Cancelled).await && !moves(Progress::Failed).await, "nobody decided");
    let mut tx = stage.begin().await;
    assert!(tx.decide_hold(payout.id, &HoldDecision::Sent("first".to_owned())).await.unwrap());
    tx.commit().await.unwrap();
    assert!(!moves(Progress::Cancelled).await, "it was sent");
    let mut tx = stage.begin().await;
    assert!(tx.adopt_payout(payout.id, "first", NOW).await.unwrap());
    tx.commit().await.unwrap();
    assert!(stage.store.open_payouts(None).await.unwrap().is_empty());
}
