//! Payouts of which an operator decides whether they were sent.

use checkout_core::Network;
use checkout_domain::chain::payout::hold::{Hold, HoldDecision};
use checkout_domain::chain::payout::state::PayoutState;
use checkout_domain::chain::payout::{Payout, Purpose, Sequence, Signed};
use checkout_domain::ports::Store as _;
use checkout_domain::ports::broadcaster::{SentBefore, sent_by_numbers};
use checkout_domain::ports::payouts::PayoutStore as _;

use super::payouts::{change, payout, put};
use super::stage::{NOW, Stage, at_once};

const SENT_BEFORE: &str = "the same amount was sent to the same address before";

fn transaction() -> Signed {
    Signed { transaction_id: "first".to_owned(), bytes: vec![1], sequence: None }
}

fn suspected(payout: Payout) -> Option<Payout> {
    payout.suspected(SENT_BEFORE)
}

/// Each hold is read as it was stored.
pub(super) async fn held(stage: &Stage) {
    let check = async |hold: Hold, is_listed: bool| {
        let payout = put(stage, &payout(stage, Purpose::Refund)).await;
        assert!(change(stage, payout.id, |payout| Some(Payout { hold: hold.clone(), ..payout })).await);
        assert_eq!(stage.store.payout(payout.id).await.unwrap().unwrap().hold, hold);
        let listed = stage.store.held_payouts().await.unwrap();
        assert_eq!(listed.iter().any(|listed| listed.id == payout.id), is_listed, "{hold:?}");
        assert!(
            change(stage, payout.id, |payout| Some(Payout { state: PayoutState::Cancelled, ..payout })).await
        );
        assert!(stage.store.held_payouts().await.unwrap().is_empty(), "{hold:?}: it ended");
    };
    let why = || SENT_BEFORE.to_owned();
    check(Hold::Free, false).await;
    check(Hold::Unasked, true).await;
    check(Hold::Held { why: why() }, true).await;
    check(Hold::Cleared, false).await;
    check(Hold::Released { why: why() }, false).await;
    check(Hold::SentBy { transaction: "first".to_owned(), why: why() }, false).await;
}

/// What is held meanwhile is neither signed nor cancelled, and what is signed meanwhile is not held.
pub(super) async fn held_or_moved(stage: &Stage) {
    let mut read = Vec::new();
    for _ in 0..20 {
        read.push(put(stage, &payout(stage, Purpose::Refund)).await);
    }
    let held = at_once(40, |number| {
        let (store, payout) = (stage.store.clone(), read[number / 2].clone());
        async move {
            let next = match number % 4 {
                0 | 2 => suspected(payout),
                1 => payout.signed(transaction(), NOW),
                _ => payout.cancelled(),
            };
            let mut tx = store.begin().await.unwrap();
            let is_stored = tx.save_payout(next.unwrap()).await.unwrap().is_some();
            tx.commit().await.unwrap();
            is_stored
        }
    });
    let held = held.await;
    for (place, payout) in read.iter().enumerate() {
        let done = (held[2 * place], held[2 * place + 1]);
        assert!(done.0 != done.1, "{place}: held and moved are {done:?}");
        let stored = stage.store.payout(payout.id).await.unwrap().unwrap();
        assert_eq!(stored.hold != Hold::Free, done.0);
    }
}

/// The backup has a payout whose transaction has the number 9. The transaction may have expired since, and another payout may have
/// used the number. Until it is known to be sent, what was sent before is unknown.
pub(super) async fn numbers_of_the_backup(stage: &Stage) {
    let numbered =
        |number| Signed { sequence: Some(Sequence { account: "a".to_owned(), number }), ..transaction() };
    let signed = async |number| {
        let payout = put(stage, &payout(stage, Purpose::Withdrawal)).await;
        assert!(change(stage, payout.id, |payout| payout.signed(numbered(number), NOW)).await);
        payout
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
    assert!(change(stage, first.id, |payout| payout.sent(&numbered(8))).await);
    stage.store.prepare(NOW, 0).await.unwrap();
    check(9, "not sent").await;
    check(10, "held").await;

    let doubtful = signed(9).await;
    stage.store.prepare(NOW, 0).await.unwrap();
    check(10, "later").await;
    assert!(change(stage, doubtful.id, |payout| payout.sent(&numbered(9))).await);
    check(10, "not sent").await;
    // What is signed after the restore has a number that the chain did not know.
    let new = signed(10).await;
    check(10, "not sent").await;
    check(11, "not sent").await;
    check(12, "held").await;

    stage.store.prepare(NOW, 0).await.unwrap();
    check(11, "later").await;
    assert!(change(stage, new.id, |payout| payout.doubted("its transaction expired")).await);
    check(11, "held").await;
    // The next restore finds its number as little.
    signed(11).await;
    check(12, "held").await;
}

/// The next restore keeps undecided holds, and that a payout was sent.
pub(super) async fn restored_again(stage: &Stage) {
    let sent = HoldDecision::Sent("first".to_owned());
    let held = Hold::Held { why: SENT_BEFORE.to_owned() };
    let known = Hold::SentBy { transaction: "first".to_owned(), why: SENT_BEFORE.to_owned() };
    for (decision, expected) in
        [(None, held), (Some(sent), known), (Some(HoldDecision::Release), Hold::Unasked)]
    {
        let payout = put(stage, &payout(stage, Purpose::Refund)).await;
        assert!(change(stage, payout.id, suspected).await);
        if let Some(decision) = &decision {
            assert!(change(stage, payout.id, |payout| payout.decided(decision)).await);
        }
        stage.store.prepare(NOW, 0).await.unwrap();
        assert_eq!(stage.store.payout(payout.id).await.unwrap().unwrap().hold, expected, "{decision:?}");
    }
    let unaddressed = Payout { state: PayoutState::Unaddressed, ..payout(stage, Purpose::MerchantRefund) };
    put(stage, &unaddressed).await;
    stage.store.prepare(NOW, 0).await.unwrap();
    let stored = stage.store.payout(unaddressed.id).await.unwrap().unwrap();
    assert!(matches!(stored.hold, Hold::Held { .. }), "nobody can be asked for it");
}

/// A transaction belongs to a payout that was signed as it, in any version, or of which an operator said that it was sent by it.
pub(super) async fn sent_by(stage: &Stage) {
    let [signed, named, asked] = [Purpose::Withdrawal, Purpose::Refund, Purpose::Refund];
    let (signed, named, asked) = (
        put(stage, &payout(stage, signed)).await,
        put(stage, &payout(stage, named)).await,
        put(stage, &payout(stage, asked)).await,
    );
    let replaced = Signed { transaction_id: "0xAB".to_owned(), ..transaction() };
    let replacement = Signed { transaction_id: "0xcd".to_owned(), ..transaction() };
    assert!(
        change(stage, signed.id, |payout| payout.signed(replaced, NOW)?.replaced(replacement, NOW)).await
    );
    let sent = HoldDecision::Sent("0xef".to_owned());
    assert!(change(stage, named.id, |payout| suspected(payout)?.decided(&sent)).await);
    let mut tx = stage.begin().await;
    for (transaction, expected) in
        [("0xab", vec![signed.id]), ("0xCD", vec![signed.id]), ("0xef", vec![named.id]), ("0x12", Vec::new())]
    {
        assert_eq!(tx.payouts_sent_by(transaction, asked.id).await.unwrap(), expected, "{transaction}");
    }
    assert!(tx.payouts_sent_by("0xef", named.id).await.unwrap().is_empty(), "it is its own");
}
