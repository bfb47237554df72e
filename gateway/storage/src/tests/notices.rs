//! What waits for a person, and what each mailbox was told of it.

use checkout_core::Amount;
use checkout_domain::chain::payout::{Payout, Purpose};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::mail::{Content, NewMail};
use checkout_domain::payment::refund::Plan;
use checkout_domain::payment::refund_said::Said;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::notices::NoticeStore as _;
use checkout_domain::withdrawal::may_leave::Why;
use checkout_wire::payment::{RefundReason, RefundType};
use uuid::Uuid;

use super::payouts::{payout, put, withdrawal};
use super::stage::{NOW, Stage, at_once, deposit};
use crate::query;
use crate::statements::row::Row;

const ADA: &str = "ada@kettle.example";
const BOB: &str = "bob@kettle.example";

async fn apply(stage: &Stage, statement: &'static str) {
    stage.store.apply(query(statement)).await.unwrap();
}

async fn tell(stage: &Stage, to: &str, causes: Vec<String>) {
    let mut tx = stage.begin().await;
    for cause in causes {
        let content = Content::Notice { to: to.to_owned(), text: String::new() };
        assert!(tx.put_mail(&NewMail { id: Uuid::now_v7(), cause, content, created_at: NOW }).await.unwrap());
    }
    tx.commit().await.unwrap();
}

/// The causes of the three lists; of each list at most `limit`.
async fn causes(stage: &Stage, to: &str, made_since: u64, limit: u32) -> Vec<String> {
    let deposits = stage.store.untold_deposits(to, limit).await.unwrap();
    let refunds = stage.store.untold_refunds(to, limit).await.unwrap();
    let withdrawals = stage.store.untold_withdrawals(to, made_since, limit).await.unwrap();
    let mut all: Vec<String> = deposits.into_iter().map(|(cause, _)| cause).collect();
    all.extend(refunds.into_iter().map(|(cause, _)| cause));
    all.extend(withdrawals.into_iter().map(|(cause, _)| cause));
    all
}

/// Rows: a change, and what waits then. What one mailbox is told is untold to another one.
pub(super) async fn untold(stage: &Stage) {
    let payment = stage.stored("order").await.id;
    let (held, returned) = (deposit("a", 1), deposit("b", 2));
    let (kind, reason) = (RefundType::Full, RefundReason::FollowUpDeposit);
    let waiting =
        returned.planned(&Plan { kind, reason, gross: returned.amount }, Amount::ZERO, Said::default());
    let waiting = waiting.needs_address(NoRefundAddress::UnconfirmedSender);
    let (sent, withdrawal) = withdrawal(stage, "w-1");
    let mut tx = stage.begin().await;
    for one in [&held, &returned] {
        tx.insert_deposit(payment, stage.business.id, one).await.unwrap();
    }
    tx.put_refund(payment, stage.business.id, &waiting).await.unwrap();
    tx.insert_payout(&sent).await.unwrap();
    assert!(tx.insert_withdrawal(&withdrawal, "hash").await.unwrap());
    tx.commit().await.unwrap();
    let name = |what: &str, to: &str| {
        let (kind, rest) = what.split_once('/').unwrap_or((what, ""));
        let id = match kind {
            "held" => return format!("notice/deposit/{}/{to}", held.id),
            "returned" => return format!("notice/deposit/{}/{to}", returned.id),
            "refund" => returned.id,
            _ => withdrawal.id,
        };
        format!("notice/{kind}/{id}/{rest}/{to}")
    };
    for (change, expected) in [
        ("UPDATE deposits SET state = 'CONFIRMED'", &[] as &[&str]),
        ("UPDATE deposits SET screening = 'FLAGGED'", &["held", "returned"]),
        ("UPDATE deposits SET state = 'VANISHED'", &[]),
        ("UPDATE refunds SET waits_reason = 'REFUSED'", &["refund/1"]),
        ("UPDATE refunds SET waits_reason = 'UNCONFIRMED_SENDER'", &[]),
        ("UPDATE refunds SET waits_reason = 'REFUSED'", &["refund/3"]),
        ("UPDATE withdrawals SET approval = 'WAITING'", &["refund/3", "withdrawal/1"]),
        ("UPDATE withdrawals SET approval = 'APPROVED'", &["refund/3"]),
        ("UPDATE withdrawals SET approval = 'WAITING'", &["refund/3", "withdrawal/3"]),
        ("UPDATE withdrawals SET approval = NULL, status = 'FAILED'", &["refund/3", "withdrawal/FAILED"]),
        ("UPDATE payouts SET state = 'CANCELLED'", &["refund/3"]),
    ] {
        apply(stage, change).await;
        let to = |to: &str| expected.iter().map(|what| name(what, to)).collect::<Vec<_>>();
        assert_eq!(causes(stage, BOB, 0, 10).await, to(BOB), "{change}");
        let untold = causes(stage, ADA, 0, 10).await;
        assert!(untold.iter().all(|cause| to(ADA).contains(cause)), "{change}: {untold:?}");
        let first = causes(stage, ADA, 0, 1).await.into_iter().next();
        assert_eq!(first.as_ref(), untold.first(), "{change}: the oldest first");
        tell(stage, ADA, untold).await;
        assert_eq!(causes(stage, ADA, 0, 10).await, [""; 0], "{change}");
    }
    apply(stage, "UPDATE payouts SET state = 'FAILED'").await;
    for (made_since, count) in [(0, 2), (NOW * 2, 1)] {
        assert_eq!(causes(stage, BOB, made_since, 10).await.len(), count, "{made_since}");
    }
}

/// Payouts that wait are one thing for each business, network and reason.
pub(super) async fn payouts(stage: &Stage) {
    let mut all: Vec<Payout> = Vec::new();
    for (purpose, why, since) in [
        (Purpose::Refund, Some(Why::Fee), NOW + 5),
        (Purpose::Withdrawal, Some(Why::Disabled), NOW + 9),
        (Purpose::Refund, Some(Why::Disabled), NOW + 7),
        (Purpose::Withdrawal, None, NOW),
    ] {
        let payout = put(stage, &payout(stage, purpose)).await;
        let mut tx = stage.begin().await;
        tx.put_why(payout.id, why, since).await.unwrap();
        tx.commit().await.unwrap();
        all.push(payout);
    }
    let read = async || {
        let waiting = stage.store.waiting_payouts().await.unwrap();
        let facts =
            waiting.into_iter().map(|one| (one.why, one.count, one.oldest, one.since, one.are_refunds));
        facts.collect::<Vec<_>>()
    };
    let fee = (Why::Fee, 1, all[0].id, NOW + 5, true);
    assert_eq!(read().await, [fee, (Why::Disabled, 2, all[1].id, NOW + 7, false)]);
    apply(stage, "UPDATE payouts SET why = 'OF_ANOTHER_VERSION' WHERE why = 'DISABLED'").await;
    assert_eq!(read().await, [fee]);
    apply(stage, "UPDATE payouts SET why_since = NULL").await;
    assert_eq!(read().await, [(Why::Fee, 1, all[0].id, NOW, true)], "since it was made");
    apply(stage, "UPDATE payouts SET state = 'CANCELLED'").await;
    assert_eq!(read().await, []);
}

/// Rows: what was read when says that it lasts, or is over; and what is stored then. A reading says nothing of what came after it.
pub(super) async fn lasting(stage: &Stage) {
    const THING: &str = "wallet/XRP";
    let known = async || {
        let row = query("SELECT since, until FROM lasting WHERE thing = $1").bind(THING);
        let times = |row: &Row| Ok((row.number::<u64>("since")?, row.optional_number::<u64>("until")?));
        row.read_first(&stage.store.readers, times).await.unwrap()
    };
    let causes = async |to: &str| {
        let untold = stage.store.untold_things(to).await.unwrap();
        untold.into_iter().map(|(cause, _)| cause).collect::<Vec<_>>()
    };
    for (lasts, read_at, now, since, until) in [
        (false, 5, 8, 0, None),
        (true, 10, 20, 20, None),
        (true, 30, 40, 20, None),
        (false, 19, 50, 20, None),
        (false, 20, 60, 20, Some(60)),
        (false, 65, 70, 20, Some(60)),
        (true, 60, 80, 20, Some(60)),
        (true, 61, 90, 90, None),
    ] {
        let mut tx = stage.begin().await;
        if lasts {
            tx.begin_lasting(THING, read_at, now).await.unwrap();
        } else {
            tx.end_lasting(THING, read_at, now).await.unwrap();
        }
        tx.commit().await.unwrap();
        assert_eq!(known().await, (since > 0).then_some((since, until)), "{lasts} {read_at}");
        let is_told = since > 0 && until.is_none();
        assert_eq!(stage.store.lasting().await.unwrap().contains(THING), is_told);
        let cause = is_told.then(|| format!("notice/{THING}/{since}/{BOB}"));
        assert_eq!(causes(BOB).await, cause.into_iter().collect::<Vec<_>>(), "{lasts} {read_at}");
        let untold = causes(ADA).await;
        tell(stage, ADA, untold).await;
        assert_eq!(causes(ADA).await, [""; 0]);
    }
    // Of several at once, one begins it.
    let begun = at_once(10, |number| {
        let (store, now) = (stage.store.clone(), NOW + u64::try_from(number).unwrap());
        async move {
            let mut tx = store.begin().await.unwrap();
            tx.begin_lasting("payouts", NOW, now).await.unwrap();
            tx.commit().await.unwrap();
            store.untold_things(ADA).await.unwrap()
        }
    });
    let begun = begun.await;
    assert!(begun.iter().all(|untold| *untold == begun[0]), "{begun:?}");
}
