use checkout_core::Amount;
use checkout_domain::chain::payout::Purpose;
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ids::BusinessId;
use checkout_domain::page::Page;
use checkout_domain::payment::refund::{Plan, Refund};
use checkout_domain::payment::refund_filter::RefundFilter;
use checkout_domain::payment::refund_phase::{End, Phase};
use checkout_domain::payment::refund_said::{Claim, Decision, Given, Said};
use checkout_domain::ports::Store as _;
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_domain::ports::payouts::PayoutStore as _;
use checkout_domain::ports::refunds::RefundStore as _;
use checkout_wire::payment::{RefundReason, RefundType};

use super::payouts::payout;
use super::stage::{NOW, Stage, at_once, deposit};

/// A refund waits, gets an address, and waits again.
pub(super) async fn waiting_and_claimed(stage: &Stage) {
    let payment = stage.stored("order").await;
    let deposit = deposit("a", 1);
    let plan = Plan {
        kind: RefundType::Partial,
        reason: RefundReason::Overpayment,
        gross: Amount::from_atoms(9).unwrap(),
    };
    let refund = deposit.planned(&plan, Amount::from_atoms(2).unwrap(), Said::default());
    let mut tx = stage.begin().await;
    tx.insert_deposit(payment.id, stage.business.id, &deposit).await.unwrap();
    tx.put_refund(payment.id, stage.business.id, &refund).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(stage.store.count_waiting_refunds().await.unwrap(), 0);
    for why in NoRefundAddress::ALL {
        let waits = Phase::waiting("ADDRESS", why.as_str(), Said::default()).unwrap();
        let mut tx = stage.begin().await;
        tx.put_refund(payment.id, stage.business.id, &Refund { phase: waits.clone(), ..refund.clone() })
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let waiting = stage.store.waiting_refunds(Some(payment.business), 10).await.unwrap();
        assert_eq!(
            (waiting.len(), waiting[0].wait, waiting[0].gross),
            (1, waits.wait().unwrap(), refund.gross)
        );
        let stored = stage.store.payment(payment.id).await.unwrap().unwrap();
        assert_eq!(stored.refund(deposit.id).unwrap().phase, waits);
    }
    assert!(stage.store.waiting_refunds(Some(BusinessId(uuid::Uuid::nil())), 10).await.unwrap().is_empty());

    let mut claimed = payout(stage, Purpose::Refund);
    claimed.claimed = true;
    let given = Given { address: "other".to_owned(), tag: Some("8".to_owned()) };
    let gross = Some(refund.gross);
    for decision in
        [Decision { to: Some(given), at: NOW, gross }, Decision { to: None, at: NOW + 1, gross: None }]
    {
        let said = Said { claim: None, decision: Some(decision) };
        let decided = Refund { phase: Phase::Ended(End::NotWorthItsFee, said), ..refund.clone() };
        for refund in [decided.clone().dropped(&deposit), decided] {
            let mut tx = stage.begin().await;
            tx.put_refund(payment.id, stage.business.id, &refund).await.unwrap();
            tx.commit().await.unwrap();
            let stored = stage.store.payment(payment.id).await.unwrap().unwrap();
            assert_eq!(stored.refunds[&deposit.id], refund);
            let page = Page { after: None, before: None, descending: false, limit: 9 };
            let listed =
                stage.store.refunds(payment.business, &RefundFilter::default(), &page).await.unwrap();
            assert_eq!(listed.len(), usize::from(refund.is_planned()));
            let found = stage.store.refund(deposit.id).await.unwrap();
            assert_eq!(found.is_some(), refund.is_planned());
        }
    }
    let mut tx = stage.begin().await;
    tx.insert_payout(&claimed).await.unwrap();
    let sent = refund.queued(&claimed);
    tx.put_refund(payment.id, stage.business.id, &sent).await.unwrap();
    let less = claimed.with_amount(Amount::from_atoms(6).unwrap()).unwrap();
    assert!(tx.save_payout(less).await.unwrap().is_some());
    tx.commit().await.unwrap();
    let stored = stage.store.payment(payment.id).await.unwrap().unwrap();
    assert_eq!(stored.refunds[&deposit.id], sent);
    let open = stage.store.open_payouts(None, None).await.unwrap();
    assert_eq!((open[0].claimed, open[0].amount.atoms()), (true, 6));
}

/// The lock on the payment is that on its refunds: of fifty payers at once, one names the address, and nobody overwrites it.
pub(super) async fn one_of_many_claims(stage: &Stage) {
    let payment = stage.stored("order").await;
    let deposit = deposit("a", 1);
    let (kind, reason) = (RefundType::Full, RefundReason::Overpayment);
    let plan = Plan { kind, reason, gross: deposit.amount };
    let refund = deposit.planned(&plan, Amount::ZERO, Said::default());
    let mut tx = stage.begin().await;
    tx.insert_deposit(payment.id, stage.business.id, &deposit).await.unwrap();
    let refund = refund.needs_address(NoRefundAddress::UnconfirmedSender);
    tx.put_refund(payment.id, stage.business.id, &refund).await.unwrap();
    tx.commit().await.unwrap();
    let claimed = at_once(50, |number| {
        let (store, payment) = (stage.store.clone(), payment.clone());
        let refund = refund.id;
        async move {
            let mut tx = store.begin().await.unwrap();
            let record = tx.payment(payment.id).await.unwrap().unwrap();
            let to = Given { address: format!("payer-{number}"), tag: None };
            let claimed = record.refund(refund).unwrap().clone().claimed(Claim::new(to.clone(), NOW)).ok()?;
            tx.put_refund(payment.id, payment.business, &claimed).await.unwrap();
            tx.commit().await.unwrap();
            Some(to)
        }
    });
    let claimed: Vec<_> = claimed.await.into_iter().flatten().collect();
    let stored = stage.store.payment(payment.id).await.unwrap().unwrap();
    let Phase::Claimed(claim) = &stored.refund(deposit.id).unwrap().phase else { panic!("{stored:?}") };
    assert_eq!(claimed, std::slice::from_ref(&claim.to));
}
