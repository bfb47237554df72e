use checkout_core::{Amount, Decimal};
use checkout_domain::access::actor::Actor;
use checkout_domain::chain::payout::Payout;
use checkout_domain::chain::payout::Signed;
use checkout_domain::chain::payout::state::PayoutState;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ledger::money::Money;
use checkout_domain::page::Page;
use checkout_domain::payment::refund::{Plan, Refund};
use checkout_domain::payment::refund_phase::Phase;
use checkout_domain::payment::refund_said::{Claim, Decision, Given, Said};
use checkout_domain::ports::payouts::PayoutStore as _;
use checkout_domain::ports::withdrawal_rules::WithdrawalRuleStore as _;
use checkout_domain::withdrawal::approved::Approved;
use checkout_domain::withdrawal::filter::WithdrawalFilter;
use checkout_domain::withdrawal::looser::{Limit, Limits, Looser};
use checkout_domain::withdrawal::rules::{Approval, Rules};
use checkout_domain::withdrawal::{Refunded, Withdrawal};
use checkout_wire::create_withdrawal::WithdrawalStatus;
use checkout_wire::payment::{RefundReason, RefundType};
use uuid::Uuid;

use super::payouts::{booked, change, withdrawal};
use super::stage::{NOW, Stage, dec, deposit};

/// A withdrawal of 10 EUR that was made at this time.
async fn put(stage: &Stage, client_id: &str, at: u64) -> Withdrawal {
    put_for(stage, client_id, at, None).await
}

async fn put_for(stage: &Stage, client_id: &str, at: u64, payment: Option<PaymentId>) -> Withdrawal {
    let (payout, withdrawal) = withdrawal(stage, client_id);
    let refunds =
        payment.map(|payment| Refunded { payment, of_unpaid: false, claim_of: None, after: Some(0) });
    let withdrawal = Withdrawal { refunds, ..withdrawal };
    let id = uuid::Builder::from_unix_timestamp_millis(at * 1_000, &rand(client_id)).into_uuid();
    let payout = Payout { id, created_at: at, ..payout };
    let withdrawal = Withdrawal { id, created_at: at, uniform_amount: Decimal::TEN, ..withdrawal };
    let mut tx = stage.begin().await;
    tx.insert_payout(&payout).await.unwrap();
    assert!(tx.insert_withdrawal(&withdrawal, "hash").await.unwrap());
    tx.commit().await.unwrap();
    withdrawal
}

fn signs(payout: Payout) -> Option<Payout> {
    payout.signed(Signed { transaction_id: "id".to_owned(), bytes: vec![1], sequence: None }, NOW)
}

fn rand(client_id: &str) -> [u8; 10] {
    std::array::from_fn(|at| client_id.as_bytes().get(at).copied().unwrap_or(0))
}

pub(super) async fn set_and_changed(stage: &Stage) {
    let business = stage.business.id;
    assert_eq!(stage.store.limits(business).await.unwrap(), Limits::default());
    let all = Rules {
        daily_limit: Some(dec("100.50")),
        approval_above: Some(dec("0")),
        whitelist_only: true,
        claim_limit: Some(dec("20")),
        maximum_network_fee: Some(dec("10")),
    };
    let looser = |limit, value, by, at| Looser { limit, value, by, at };
    let asked = vec![
        looser(Limit::ApprovalAbove, Some(dec("5.50")), Actor::Operator(Uuid::nil()), NOW + 1),
        looser(Limit::Daily, None, Actor::of_token("org_a"), NOW),
    ];
    for (rules, looser) in [
        (all, asked.clone()),
        (Rules { approval_above: None, ..all }, asked[..1].to_vec()),
        (Rules::default(), Vec::new()),
    ] {
        let limits = Limits { rules, looser };
        let mut tx = stage.begin().await;
        tx.put_limits(business, &limits).await.unwrap();
        assert_eq!(tx.limits(business).await.unwrap(), limits);
        tx.commit().await.unwrap();
        assert_eq!(stage.store.limits(business).await.unwrap(), limits);
    }
}

pub(super) async fn withdrawn_in_a_day(stage: &Stage) {
    let business = stage.business.id;
    for (client_id, at) in [("a", NOW), ("b", NOW + 1), ("c", NOW + 2)] {
        put(stage, client_id, at).await;
    }
    let mut failed = put(stage, "d", NOW + 2).await;
    failed.status = WithdrawalStatus::Failed;
    let mut tx = stage.begin().await;
    tx.update_withdrawal(&failed).await.unwrap();
    for (since, expected) in [(NOW - 1, "30"), (NOW, "20"), (NOW + 1, "10"), (NOW + 2, "0")] {
        assert_eq!(tx.withdrawn_since(business, since).await.unwrap().eur, dec(expected), "{since}");
    }
    assert_eq!(tx.withdrawn_since(BusinessId(Uuid::nil()), 0).await.unwrap().eur, Decimal::ZERO);
}

/// A claim counts from its approval, a refund of the merchant also from the moment at which it has its address.
pub(super) async fn claims_in_a_day(stage: &Stage) {
    let business = stage.business.id;
    let sums = async |expected: [&str; 3]| {
        let mut tx = stage.begin().await;
        for (since, expected) in [NOW - 1, NOW, NOW + 90_000].into_iter().zip(expected) {
            let withdrawn = tx.withdrawn_since(business, since).await.unwrap();
            assert_eq!((withdrawn.eur, withdrawn.unvalued), (dec(expected), Vec::new()), "{since}");
        }
    };
    let payment = stage.stored("order").await.id;
    let kept = put_for(stage, "a", NOW, Some(payment)).await;
    let refused = put_for(stage, "b", NOW, Some(payment)).await;
    let large = put(stage, "c", NOW).await;
    let mut tx = stage.begin().await;
    for withdrawal in [&kept, &refused, &large] {
        tx.require_approval(withdrawal.id).await.unwrap();
    }
    for claim in [&kept, &refused] {
        let record = tx.payment(payment).await.unwrap().unwrap();
        let asked = Phase::Claimed(Claim::new(Given::of(claim), NOW));
        let claimed = Refund { phase: asked, ..record.refund(claim.id).unwrap().clone() };
        tx.put_refund(payment, business, &claimed).await.unwrap();
    }
    tx.commit().await.unwrap();
    sums(["10", "0", "0"]).await;
    let mut tx = stage.begin().await;
    assert!(tx.reject(refused.id).await.unwrap());
    for withdrawal in [&kept, &large] {
        assert!(tx.approve(withdrawal.id, &Approved::of(withdrawal), NOW + 90_000).await.unwrap());
    }
    tx.commit().await.unwrap();
    sums(["20", "10", "0"]).await;

    let unaddressed = put(stage, "d", NOW).await;
    let taken = |payout| Some(Payout { state: PayoutState::Unaddressed, ..payout });
    assert!(change(stage, unaddressed.id, taken).await);
    sums(["30", "10", "0"]).await;
    assert!(change(stage, unaddressed.id, |payout| payout.addressed("there".to_owned(), None)).await);
    let mut tx = stage.begin().await;
    tx.put_recipient(unaddressed.id, "there", NOW + 90_001).await.unwrap();
    tx.commit().await.unwrap();
    sums(["30", "20", "10"]).await;
}

/// Refunds that were given another address than their sender's, which has a tag.
pub(super) async fn redirected_in_a_day(stage: &Stage) {
    let payment = stage.stored("order").await;
    let (mut first, second) = (deposit("a", 1), deposit("b", 2));
    // What was shown does not count.
    first.uniform_rate = dec("20000");
    let gross = Amount::from_atoms(100_000).unwrap();
    let plan = Plan { kind: RefundType::Partial, reason: RefundReason::Overpayment, gross };
    let mut tx = stage.begin().await;
    for deposit in [&first, &second] {
        tx.insert_deposit(payment.id, stage.business.id, deposit).await.unwrap();
        let refund = deposit.planned(&plan, Amount::ZERO, Said::default());
        tx.put_refund(payment.id, stage.business.id, &refund).await.unwrap();
    }
    tx.put_booked(&[(first.id, booked(stage, &first))]).await.unwrap();
    tx.commit().await.unwrap();
    let tag = first.from_tag.as_deref();
    let given = |address: &str, tag: Option<&str>| {
        Some(Given { address: address.to_owned(), tag: tag.map(str::to_owned) })
    };
    for (to, redirects) in [
        (None, false),
        (given(&first.from, tag), false),
        (given(&first.from, Some("8")), true),
        (given(&first.from, None), true),
        (given("other", tag), true),
    ] {
        let mut tx = stage.begin().await;
        for deposit in [&first, &second] {
            let decision = Some(Decision { to: to.clone(), at: NOW, gross: None });
            let refund = deposit.planned(&plan, Amount::ZERO, Said { claim: None, decision });
            tx.put_refund(payment.id, stage.business.id, &refund).await.unwrap();
        }
        let withdrawn = tx.withdrawn_since(stage.business.id, NOW - 1).await.unwrap();
        let money = Money::of_amount(gross, first.pair()).unwrap();
        let expected = if redirects { ("60", vec![money]) } else { ("0", Vec::new()) };
        assert_eq!((withdrawn.eur, withdrawn.unvalued), (dec(expected.0), expected.1), "{to:?}");
        let later = tx.withdrawn_since(stage.business.id, NOW).await.unwrap();
        assert_eq!((later.eur, later.unvalued), (Decimal::ZERO, Vec::new()), "{to:?}");
    }
}

pub(super) async fn approvals(stage: &Stage) {
    let (first, second) = (put(stage, "a", NOW).await, put(stage, "b", NOW).await);
    let approval = async |id| stage.store.approval(id).await.unwrap();
    assert_eq!(approval(first.id).await, None);
    let mut tx = stage.begin().await;
    let seen = Approved::of(&first);
    assert!(!tx.approve(first.id, &seen, NOW).await.unwrap(), "it needs none");
    for withdrawal in [&first, &second] {
        tx.require_approval(withdrawal.id).await.unwrap();
    }
    tx.commit().await.unwrap();
    assert_eq!(approval(first.id).await, Some(Approval::Waiting));
    assert_eq!(stage.store.unapproved().await.unwrap().len(), 2);
    let mut tx = stage.begin().await;
    let more = seen.amount.checked_add(seen.amount).unwrap();
    for other in [
        Approved { address: "elsewhere".to_owned(), ..seen.clone() },
        Approved { tag: Some("another".to_owned()), ..seen.clone() },
        Approved { amount: more, ..seen.clone() },
    ] {
        assert!(!tx.approve(first.id, &other, NOW).await.unwrap(), "{other:?}");
    }
    assert!(tx.approve(first.id, &seen, NOW).await.unwrap());
    assert_eq!(tx.withdrawal(first.id).await.unwrap().unwrap().approved, Some(seen));
    assert!(!tx.reject(first.id).await.unwrap(), "it is decided");
    assert!(tx.reject(second.id).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(
        (approval(first.id).await, approval(second.id).await),
        (Some(Approval::Approved), Some(Approval::Rejected))
    );
    assert!(stage.store.unapproved().await.unwrap().is_empty());
    let mut tx = stage.begin().await;
    tx.require_approval(first.id).await.unwrap();
    let again = tx.withdrawal(first.id).await.unwrap().unwrap();
    assert_eq!((again.approval, again.approved), (Some(Approval::Waiting), None));
}

/// A withdrawal is cancelled once while it waits, whatever was decided before.
/// What waits for its fee is listed until the network asks no more, or it is signed.
pub(super) async fn listed_above_fee(stage: &Stage) {
    let (first, other) = (put(stage, "a", NOW).await, put(stage, "b", NOW).await);
    let signed = put(stage, "c", NOW).await;
    let asked = Amount::from_atoms(7).ok();
    let mut tx = stage.begin().await;
    for withdrawal in [&first, &other, &signed] {
        tx.put_asked_fee(withdrawal.id, asked).await.unwrap();
    }
    tx.put_asked_fee(other.id, None).await.unwrap();
    tx.commit().await.unwrap();
    assert!(change(stage, signed.id, signs).await);
    let filter = WithdrawalFilter { is_above_fee: true, ..WithdrawalFilter::default() };
    let page = Page { after: None, before: None, descending: false, limit: 25 };
    let listed = stage.store.withdrawals(first.business, &filter, &page).await.unwrap();
    let expected = [Withdrawal { asked_fee: asked, ..first.clone() }];
    assert_eq!(listed, expected);
    assert_eq!(stage.store.above_fee().await.unwrap(), expected);
    assert_eq!(stage.store.charged(first.id).await.unwrap().as_ref(), expected.first());
    assert_eq!(stage.store.charged(other.id).await.unwrap(), Some(other));
}

pub(super) async fn cancelled_until_signed(stage: &Stage) {
    let none = put(stage, "a", NOW).await;
    let waits = put(stage, "b", NOW).await;
    let approved = put(stage, "c", NOW).await;
    let rejected = put(stage, "d", NOW).await;
    let sent = put(stage, "e", NOW).await;
    let held = put(stage, "f", NOW).await;
    let mut tx = stage.begin().await;
    for (withdrawal, decision) in
        [(&waits, None), (&approved, Some(Approval::Approved)), (&rejected, Some(Approval::Rejected))]
    {
        tx.require_approval(withdrawal.id).await.unwrap();
        if let Some(decision) = decision {
            let approved = Approved::of(withdrawal);
            assert!(match decision {
                Approval::Approved => tx.approve(withdrawal.id, &approved, NOW).await.unwrap(),
                _ => tx.reject(withdrawal.id).await.unwrap(),
            });
        }
    }
    tx.commit().await.unwrap();
    assert!(change(stage, sent.id, signs).await);
    assert!(change(stage, held.id, |payout| payout.suspected("it may have been sent")).await);
    let rows = [
        (&none, true, Some(Approval::Rejected)),
        (&waits, true, Some(Approval::Rejected)),
        (&approved, true, Some(Approval::Rejected)),
        (&rejected, false, Some(Approval::Rejected)),
        (&sent, false, None),
        (&held, false, None),
    ];
    for (withdrawal, done, approval) in rows {
        let name = &withdrawal.client_withdrawal_id;
        for done in [done, false] {
            let mut tx = stage.begin().await;
            assert_eq!(tx.cancel_withdrawal(withdrawal.id).await.unwrap(), done, "{name}");
            tx.commit().await.unwrap();
        }
        assert_eq!(stage.store.approval(withdrawal.id).await.unwrap(), approval, "{name}");
    }
    // The gateway found that another address was approved, before it was cancelled.
    let mut tx = stage.begin().await;
    tx.require_approval(approved.id).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(stage.store.approval(approved.id).await.unwrap(), Some(Approval::Rejected));
}
