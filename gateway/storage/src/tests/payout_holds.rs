//! Payouts of which an operator decides whether they were sent.

use checkout_core::Network;
use checkout_domain::chain::payout::{Payout, Progress, Purpose, Sequence, Signed};
use checkout_domain::chain::payout_hold::{HoldDecision, PayoutHold};
use checkout_domain::ports::Store as _;
use checkout_domain::ports::broadcaster::{SentBefore, sent_by_numbers};
use checkout_domain::ports::payout_holds::PayoutHoldStore as _;
use checkout_domain::ports::payouts::PayoutStore as _;

use super::payouts::payout;
use super::stage::{NOW, Stage, at_once};

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

/// What is held meanwhile is neither signed nor cancelled, and what is signed meanwhile is not held.
pub(super) async fn held_or_moved(stage: &Stage) {
    let mut ids = Vec::new();
    let mut tx = stage.begin().await;
    for _ in 0..20 {
        let payout = payout(stage, Purpose::Refund);
        tx.insert_payout(&payout).await.unwrap();
        ids.push(payout.id);
    }
    tx.commit().await.unwrap();
    let held = at_once(40, |number| {
        let (store, id) = (stage.store.clone(), ids[number / 2]);
        async move {
            let mut tx = store.begin().await.unwrap();
            let done = if number % 2 == 0 {
                tx.hold_compared(id, SENT_BEFORE).await.unwrap()
            } else if number % 4 == 1 {
                tx.store_signed(id, &transaction(), NOW).await.unwrap()
            } else {
                tx.move_payout(id, Progress::Waiting, Progress::Cancelled).await.unwrap()
            };
            tx.commit().await.unwrap();
            done
        }
    });
    let held = held.await;
    for (place, id) in ids.iter().enumerate() {
        let done = (held[2 * place], held[2 * place + 1]);
        assert!(done.0 != done.1, "{place}: held and moved are {done:?}");
        assert_eq!(stage.store.payout_hold(*id).await.unwrap().is_some(), done.0);
    }
}

/// The chain's answer releases only payouts that are undecided and not held by another answer. That it may have been sent counts more than that it was
/// not, an operator's decision more than both.
pub(super) async fn compared(stage: &Stage) {
    let decided = |hold: Option<PayoutHold>| hold.map(|hold| (hold.reason, hold.decision));
    let other = || "another reason".to_owned();
    for before in [None, Some(false), Some(true)] {
        let payout = payout(stage, Purpose::Refund);
        let mut tx = stage.begin().await;
        tx.insert_payout(&payout).await.unwrap();
        tx.commit().await.unwrap();
        if before.is_some() {
            stage.store.prepare(NOW, 0).await.unwrap();
        }
        let mut tx = stage.begin().await;
        if before == Some(true) {
            assert!(tx.release_compared(payout.id).await.unwrap());
        }
        assert!(tx.hold_compared(payout.id, SENT_BEFORE).await.unwrap(), "{before:?}");
        assert!(!tx.hold_compared(payout.id, &other()).await.unwrap(), "the first reason stays");
        assert!(!tx.release_compared(payout.id).await.unwrap(), "it is held");
        assert!(!tx.store_signed(payout.id, &transaction(), NOW).await.unwrap(), "it is held");
        tx.commit().await.unwrap();
        let hold = decided(stage.store.payout_hold(payout.id).await.unwrap());
        assert_eq!(hold, Some((Some(SENT_BEFORE.to_owned()), None)));
        let mut tx = stage.begin().await;
        assert!(
            tx.move_payout(payout.id, Progress::Waiting, Progress::Failed).await.is_ok_and(|moved| !moved)
        );
    }
    for decision in [HoldDecision::Release, HoldDecision::Sent("first".to_owned())] {
        let payout = payout(stage, Purpose::Refund);
        let mut tx = stage.begin().await;
        tx.insert_payout(&payout).await.unwrap();
        tx.commit().await.unwrap();
        stage.store.prepare(NOW, 0).await.unwrap();
        let mut tx = stage.begin().await;
        assert!(tx.decide_hold(payout.id, &decision).await.unwrap(), "before the chain was asked");
        assert!(!tx.hold_compared(payout.id, &other()).await.unwrap(), "{decision:?}");
        let is_released = decision == HoldDecision::Release;
        assert_eq!(tx.release_compared(payout.id).await.unwrap(), is_released);
        assert_eq!(
            tx.move_payout(payout.id, Progress::Waiting, Progress::Cancelled).await.unwrap(),
            is_released
        );
        tx.commit().await.unwrap();
        let hold = stage.store.payout_hold(payout.id).await.unwrap().unwrap();
        assert_eq!(hold.decision, Some(decision));
    }
}

/// The backup has a payout whose transaction has the number 9. The transaction may have expired since, and another payout may have
/// used the number. Until it is known to be sent, what was sent before is unknown.
pub(super) async fn numbers_of_the_backup(stage: &Stage) {
    let numbered =
        |number| Signed { sequence: Some(Sequence { account: "a".to_owned(), number }), ..transaction() };
    let signed = async |number| {
        let payout = payout(stage, Purpose::Withdrawal);
        let mut tx = stage.begin().await;
        tx.insert_payout(&payout).await.unwrap();
        assert!(tx.store_signed(payout.id, &numbered(number), NOW).await.unwrap());
        tx.commit().await.unwrap();
        payout.id
    };
    let check = async |next, expected: &str| {
        let answer = match sent_by_numbers(&stage.store, Network::Xrp, "a", next).await {
            Ok(SentBefore::No) => "not sent",
            Ok(SentBefore::Unknown(_)) => "held",
            Ok(SentBefore::Perhaps(_)) => "perhaps",
            Err(_) => "later",
        };
        assert_eq!(answer, expected, "the next number is {next}");
    };
    let first = signed(8).await;
    let mut tx = stage.begin().await;
    assert!(tx.send_payout(first, &numbered(8)).await.unwrap());
    tx.commit().await.unwrap();
    stage.store.prepare(NOW, 0).await.unwrap();
    check(9, "not sent").await;
    check(10, "held").await;

    let doubtful = signed(9).await;
    stage.store.prepare(NOW, 0).await.unwrap();
    check(10, "later").await;
    let mut tx = stage.begin().await;
    assert!(tx.send_payout(doubtful, &numbered(9)).await.unwrap());
    tx.commit().await.unwrap();
    check(10, "not sent").await;
    // What is signed after the restore has a number that the chain did not know.
    let new = signed(10).await;
    check(10, "not sent").await;
    check(11, "not sent").await;
    check(12, "held").await;

    stage.store.prepare(NOW, 0).await.unwrap();
    check(11, "later").await;
    let mut tx = stage.begin().await;
    assert!(tx.unsign_payout(new, &numbered(10)).await.unwrap());
    tx.hold_payout(new, "its transaction expired").await.unwrap();
    tx.commit().await.unwrap();
    check(11, "held").await;
    // The next restore finds its number as little.
    signed(11).await;
    check(12, "held").await;
}

/// The next restore keeps undecided holds, and that a payout was sent.
pub(super) async fn restored_again(stage: &Stage) {
    let (doubtful, known, released) =
        (payout(stage, Purpose::Refund), payout(stage, Purpose::Withdrawal), payout(stage, Purpose::Refund));
    let sent = HoldDecision::Sent("first".to_owned());
    let mut tx = stage.begin().await;
    for payout in [&doubtful, &known, &released] {
        tx.insert_payout(payout).await.unwrap();
        tx.hold_payout(payout.id, SENT_BEFORE).await.unwrap();
    }
    assert!(tx.decide_hold(known.id, &sent).await.unwrap());
    assert!(tx.decide_hold(released.id, &HoldDecision::Release).await.unwrap());
    tx.commit().await.unwrap();
    stage.store.prepare(NOW, 0).await.unwrap();
    let check = async |payout: &Payout, reason: Option<&str>, decision: Option<&HoldDecision>| {
        let hold = stage.store.payout_hold(payout.id).await.unwrap().unwrap();
        assert_eq!((hold.reason.as_deref(), hold.decision.as_ref()), (reason, decision));
    };
    check(&doubtful, Some(SENT_BEFORE), None).await;
    check(&known, Some(SENT_BEFORE), Some(&sent)).await;
    check(&released, None, None).await;
}

/// A transaction belongs to a payout that was signed as it, in any version, or of which an operator said that it was sent by it.
pub(super) async fn sent_by(stage: &Stage) {
    let (signed, named, asked) =
        (payout(stage, Purpose::Withdrawal), payout(stage, Purpose::Refund), payout(stage, Purpose::Refund));
    let replaced = Signed { transaction_id: "0xAB".to_owned(), ..transaction() };
    let replacement = Signed { transaction_id: "0xcd".to_owned(), ..transaction() };
    let mut tx = stage.begin().await;
    for payout in [&signed, &named, &asked] {
        tx.insert_payout(payout).await.unwrap();
    }
    assert!(tx.store_signed(signed.id, &replaced, NOW).await.unwrap());
    assert!(tx.store_replacement(signed.id, &replaced, &replacement, NOW).await.unwrap());
    tx.hold_payout(named.id, SENT_BEFORE).await.unwrap();
    assert!(tx.decide_hold(named.id, &HoldDecision::Sent("0xef".to_owned())).await.unwrap());
    for (transaction, expected) in
        [("0xab", vec![signed.id]), ("0xCD", vec![signed.id]), ("0xef", vec![named.id]), ("0x12", Vec::new())]
    {
        assert_eq!(tx.payouts_sent_by(transaction, asked.id).await.unwrap(), expected, "{transaction}");
    }
    assert!(tx.payouts_sent_by("0xef", named.id).await.unwrap().is_empty(), "it is its own");
}
