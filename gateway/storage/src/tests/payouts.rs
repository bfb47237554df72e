use std::collections::BTreeMap;

use checkout_core::{Amount, Currency, Network, pair};
use checkout_domain::access::actor::Actor;
use checkout_domain::chain::payout::hold::Hold;
use checkout_domain::chain::payout::state::PayoutState;
use checkout_domain::chain::payout::{Payout, Purpose, Sequence, Signed};
use checkout_domain::chain::screening::AddressOwner;
use checkout_domain::ids::PaymentId;
use checkout_domain::ledger::money::Money;
use checkout_domain::ledger::settlement::{Booked, Depth, Prices, Split, Terms};
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::refund::{Plan, Refund};
use checkout_domain::payment::refund_said::Said;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::broadcaster::Sequences as _;
use checkout_domain::ports::payouts::PayoutStore as _;
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::rates::market::MarketRate;
use checkout_domain::withdrawal::Withdrawal;
use checkout_domain::withdrawal::may_leave::Why;
use checkout_wire::create_withdrawal::{TargetPolicy, WithdrawalAccount, WithdrawalStatus};
use checkout_wire::payment::{RefundReason, RefundType};
use uuid::Uuid;

use super::stage::{NOW, Stage, at_once, dec, deposit};
use crate::Database;

pub(crate) fn payout(stage: &Stage, purpose: Purpose) -> Payout {
    Payout {
        id: Uuid::now_v7(),
        business: stage.business.id,
        purpose,
        pair: pair::find(Currency::Xrp, Network::Xrp).unwrap(),
        amount: Amount::from_atoms(10_u128.pow(30)).unwrap(),
        to: "r".to_owned(),
        tag: Some("7".to_owned()),
        state: PayoutState::Waiting,
        hold: Hold::Free,
        why: None,
        revision: 0,
        claimed: false,
        created_at: NOW,
    }
}

/// Returns it as it is read.
pub(crate) async fn put(stage: &Stage, payout: &Payout) -> Payout {
    let mut tx = stage.begin().await;
    tx.insert_payout(payout).await.unwrap();
    tx.commit().await.unwrap();
    stage.store.payout(payout.id).await.unwrap().unwrap()
}

pub(crate) type Step<'a> = &'a dyn Fn(Payout) -> Option<Payout>;

/// One step; returns false if it is not possible.
pub(crate) async fn change(stage: &Stage, payout: Uuid, step: impl FnOnce(Payout) -> Option<Payout>) -> bool {
    let mut tx = stage.begin().await;
    let Some(next) = step(tx.payout(payout).await.unwrap().unwrap()) else { return false };
    assert!(tx.save_payout(next).await.unwrap().is_some(), "it is locked");
    tx.commit().await.unwrap();
    true
}

fn signed(bytes: &[u8]) -> Signed {
    Signed { transaction_id: "id".to_owned(), bytes: bytes.to_vec(), sequence: None }
}

/// Each state is read as it was stored, and what ended is not open.
pub(super) async fn steps(stage: &Stage) {
    let new = payout(stage, Purpose::Withdrawal);
    let read = put(stage, &new).await;
    assert_eq!(read, new);
    let first = || signed(&[0, 255]);
    let (sent, confirmed) = (
        |payout: Payout| payout.signed(first(), NOW)?.sent(&first()),
        |payout: Payout| payout.signed(first(), NOW)?.sent(&first())?.confirmed(&first(), NOW + 1),
    );
    let steps: [(Step<'_>, bool); 9] = [
        (&|payout| payout.signed(first(), NOW), true),
        (&sent, true),
        (&confirmed, true),
        (&|payout| confirmed(payout)?.unconfirmed(NOW + 2), true),
        (&|payout| confirmed(payout)?.settled(), false),
        (&|payout| sent(payout)?.reverted(), false),
        (&|payout| payout.signed(first(), NOW)?.failed(), false),
        (&Payout::failed, false),
        (&Payout::cancelled, false),
    ];
    for (step, is_open) in steps {
        let payout = put(stage, &payout(stage, Purpose::Withdrawal)).await;
        let next = step(payout.clone()).unwrap();
        assert!(change(stage, payout.id, step).await);
        let stored = stage.store.payout(payout.id).await.unwrap().unwrap();
        assert_eq!(stored, Payout { revision: 1, ..next });
        let open = stage.store.open_payouts(None, None).await.unwrap();
        assert_eq!(open.contains(&stored), is_open, "{:?}", stored.state);
    }
}

/// What keeps a payout back is read with it, as often as it is put, and is forgotten with its next state.
pub(super) async fn reasons(stage: &Stage) {
    let payout = put(stage, &payout(stage, Purpose::Withdrawal)).await;
    let why = async || stage.store.payout(payout.id).await.unwrap().unwrap().why;
    for said in [Some(Why::Disabled), Some(Why::Fee), None, Some(Why::Held)] {
        let mut tx = stage.begin().await;
        tx.put_why(payout.id, said, NOW).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(why().await, said);
    }
    assert!(change(stage, payout.id, |payout| payout.with_amount(Amount::from_atoms(9).unwrap())).await);
    assert_eq!(why().await, Some(Why::Held));
    assert!(change(stage, payout.id, |payout| payout.signed(signed(b"x"), NOW)).await);
    assert_eq!(why().await, None);
    let mut tx = stage.begin().await;
    tx.put_why(payout.id, Some(Why::Fee), NOW).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(why().await, None, "it left");
}

/// Twenty workers sign the same payout: one transaction is stored.
pub(super) async fn signed_once(stage: &Stage) {
    let read = put(stage, &payout(stage, Purpose::Refund)).await;
    let stored = at_once(20, |number| {
        let (store, read) = (stage.store.clone(), read.clone());
        async move {
            let mut tx = store.begin().await.unwrap();
            let signed = read.signed(signed(&[u8::try_from(number).unwrap()]), NOW).unwrap();
            let stored = tx.save_payout(signed).await.unwrap();
            tx.commit().await.unwrap();
            stored
        }
    });
    let stored: Vec<Payout> = stored.await.into_iter().flatten().collect();
    assert_eq!(stored.len(), 1);
    assert_eq!(stage.store.payout(read.id).await.unwrap().as_ref(), stored.first());
}

/// Stores a deposit of the payment, and a payout that refunds it.
pub(crate) async fn refunded(stage: &Stage, payment: PaymentId, seq: u32) {
    let mut tx = stage.begin().await;
    let deposit = deposit(&format!("tx{seq}"), seq);
    tx.insert_deposit(payment, stage.business.id, &deposit).await.unwrap();
    let payout = payout(stage, Purpose::Refund);
    tx.insert_payout(&payout).await.unwrap();
    tx.put_refund(payment, stage.business.id, &refund(&deposit, &payout)).await.unwrap();
    tx.commit().await.unwrap();
}

/// Returns the SQL expression for the payment of a row of the table.
pub(crate) fn payment_of(table: &str) -> &'static str {
    match table {
        "payments" => "id",
        "deposits" | "refunds" => "payment",
        _ => "(SELECT payment FROM refunds WHERE payout = payouts.id)",
    }
}

pub(crate) fn refund(deposit: &Deposit, payout: &Payout) -> Refund {
    let plan = Plan {
        kind: RefundType::Full,
        reason: RefundReason::FollowUpDeposit,
        gross: Amount::from_atoms(9).unwrap(),
    };
    deposit.planned(&plan, Amount::from_atoms(2).unwrap(), Said::default()).queued(payout)
}

pub(crate) fn booked(stage: &Stage, deposit: &Deposit) -> Booked {
    Booked {
        business: stage.business.id,
        network: deposit.output.network,
        terms: Terms { ratio: dec("0.5"), crypto: Currency::Eth, fee: dec("0.005") },
        prices: Prices { deposit: MarketRate::new(dec("60000")), crypto: MarketRate::UNKNOWN },
        generation: 0,
        booked_at: 0,
        split: None,
        depth: Depth::Shallow { asked_at_height: 17 },
    }
}

pub(super) async fn refunds(stage: &Stage) {
    let payment = stage.stored("order").await;
    let deposit = deposit("a", 1);
    let payout = payout(stage, Purpose::Refund);
    let refund = refund(&deposit, &payout);
    let mut booked = booked(stage, &deposit);
    let mut tx = stage.begin().await;
    tx.insert_deposit(payment.id, stage.business.id, &deposit).await.unwrap();
    tx.insert_payout(&payout).await.unwrap();
    tx.put_refund(payment.id, stage.business.id, &refund).await.unwrap();
    assert_eq!(tx.payment_of_refund(payout.id).await.unwrap(), Some(payment.id));
    assert_eq!(tx.payment_of_refund(Uuid::nil()).await.unwrap(), None);
    assert_eq!(tx.booked(payment.id).await.unwrap().get(&deposit.id).copied(), None);
    tx.put_booked(&[(deposit.id, booked)]).await.unwrap();
    assert_eq!(tx.booked(payment.id).await.unwrap().get(&deposit.id).copied(), Some(booked));
    booked.generation = 1;
    booked.split =
        Some(Split { kept: Amount::from_atoms(3).unwrap(), returned: Amount::from_atoms(4).unwrap() });
    tx.put_booked(&[(deposit.id, booked)]).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = stage.begin().await;
    assert_eq!(tx.booked(payment.id).await.unwrap().get(&deposit.id).copied(), Some(booked));
    let dropped = refund.clone().dropped(&deposit);
    for (refund, listed) in [(refund, 1), (dropped, 0)] {
        tx.put_refund(payment.id, stage.business.id, &refund).await.unwrap();
        let record = tx.payment(payment.id).await.unwrap().unwrap();
        assert_eq!((&record.deposits[..], record.refunds().count()), (&[deposit.clone()][..], listed));
        assert_eq!(record.refunds, BTreeMap::from([(deposit.id, refund)]));
    }
}

pub(super) fn withdrawal(stage: &Stage, client_id: &str) -> (Payout, Withdrawal) {
    let payout = payout(stage, Purpose::Withdrawal);
    let eur = |units| Money { asset: Asset::Fiat(Fiat::EUR), units };
    let withdrawal = Withdrawal {
        id: payout.id,
        business: payout.business,
        refunds: None,
        client_withdrawal_id: client_id.to_owned(),
        pair: payout.pair,
        recipient: "r?dt=7".to_owned(),
        to: payout.to.clone(),
        tag: payout.tag.clone(),
        policy: TargetPolicy::Fiat,
        account: WithdrawalAccount::Crypto,
        initiated_by: "BUSINESS_TOKEN".to_owned(),
        initiator: Some(Actor::of_token("biz")),
        status: WithdrawalStatus::New,
        amount: payout.amount,
        fee: Amount::from_atoms(1).unwrap(),
        display_currency: Fiat::EUR,
        display_amount: dec("1.00"),
        display_fee: dec("0.01"),
        display_service_fee: dec("0.02"),
        deducted: eur(103),
        service_fee: eur(2),
        uniform_amount: dec("1.00"),
        uniform_service_fee: dec("0.02"),
        owner: None,
        screened_at: None,
        transaction_id: None,
        created_at: NOW,
        approval: None,
        approved: None,
        asked_fee: None,
        why: None,
    };
    (payout, withdrawal)
}

/// Of fifty identical requests, which look before they insert, one inserts the withdrawal and all others find it.
pub(super) async fn withdrawals(stage: &Stage) {
    let added = at_once(50, |_| {
        let (store, (payout, withdrawal)) = (stage.store.clone(), withdrawal(stage, "order"));
        async move {
            let mut tx = store.begin().await.unwrap();
            if let Some((known, _)) = tx.withdrawal_by_client_id(withdrawal.business, "order").await.unwrap()
            {
                return (false, known.id);
            }
            tx.insert_payout(&payout).await.unwrap();
            assert!(tx.insert_withdrawal(&withdrawal, "hash").await.unwrap());
            tx.commit().await.unwrap();
            (true, withdrawal.id)
        }
    });
    let added = added.await;
    assert_eq!(added.iter().filter(|(added, _)| *added).count(), 1);
    assert!(added.iter().all(|(_, id)| *id == added[0].1));
    let mut tx = stage.begin().await;
    let mut known = tx.withdrawal(added[0].1).await.unwrap().unwrap();
    assert_eq!(
        (known.tag.as_deref(), known.deducted.units, known.policy),
        (Some("7"), 103, TargetPolicy::Fiat)
    );
    known.status = WithdrawalStatus::Completed;
    known.owner = Some(AddressOwner { name: "Bank".to_owned(), category: "Exchange".to_owned() });
    tx.update_withdrawal(&known).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = stage.begin().await;
    let (read, hash) = tx.withdrawal_by_client_id(stage.business.id, "order").await.unwrap().unwrap();
    assert_eq!((read.status, read.owner, hash.as_str()), (known.status, known.owner, "hash"));
    assert!(tx.withdrawal(Uuid::nil()).await.unwrap().is_none());
}

pub(super) async fn open(stage: &Stage) {
    let mut expected = Vec::new();
    let mut tx = stage.begin().await;
    for number in 0..230 {
        let payout = payout(stage, Purpose::Refund);
        tx.insert_payout(&payout).await.unwrap();
        if number % 7 == 0 {
            assert!(tx.save_payout(payout.cancelled().unwrap()).await.unwrap().is_some());
        } else {
            expected.push(payout.id);
        }
    }
    tx.commit().await.unwrap();
    expected.sort_unstable();
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let page = stage.store.open_payouts(None, after).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        found.extend(page.into_iter().map(|payout| payout.id));
    }
    assert_eq!(found, expected);
}

/// Lists waiting withdrawals without a screening result, page by page.
pub(super) async fn unscreened(stage: &Stage) {
    let mut expected = Vec::new();
    let mut tx = stage.begin().await;
    tx.insert_payout(&payout(stage, Purpose::Refund)).await.unwrap();
    for number in 0..230 {
        let (payout, mut withdrawal) = withdrawal(stage, &number.to_string());
        tx.insert_payout(&payout).await.unwrap();
        assert!(tx.insert_withdrawal(&withdrawal, "hash").await.unwrap());
        match number % 10 {
            3 => {
                withdrawal.owner =
                    Some(AddressOwner { name: "Bank".to_owned(), category: "Exchange".to_owned() });
                withdrawal.screened_at = Some(NOW);
                tx.update_withdrawal(&withdrawal).await.unwrap();
            }
            5 => assert!(tx.save_payout(payout.suspected("why").unwrap()).await.unwrap().is_some()),
            7 => assert!(tx.save_payout(payout.failed().unwrap()).await.unwrap().is_some()),
            _ => expected.push(payout.id),
        }
    }
    tx.commit().await.unwrap();
    expected.sort_unstable();
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let page = stage.store.unscreened_withdrawals(NOW + 1, after).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        found.extend(page.into_iter().map(|payout| payout.id));
    }
    assert_eq!(found, expected);
}

/// One number of an account belongs to one payout, even if fifty are signed at once from the same read.
pub(super) async fn numbers(stage: &Stage) {
    let numbered = |account: &str, number| Signed {
        sequence: Some(Sequence { account: account.to_owned(), number }),
        ..signed(&[1])
    };
    let next = async |network, account| stage.store.next_sequence(network, account).await.unwrap();
    let mut payouts = Vec::new();
    for _ in 0..50 {
        payouts.push(put(stage, &payout(stage, Purpose::Withdrawal)).await);
    }
    let store = async |store: &Database, payout: Payout, signed: Signed| {
        let mut tx = store.begin().await.unwrap();
        let is_stored = tx.save_payout(payout.signed(signed, NOW).unwrap()).await.unwrap().is_some();
        tx.commit().await.unwrap();
        is_stored
    };
    assert_eq!(next(Network::Xrp, "a").await, None);
    let stored = at_once(50, |place| {
        let (database, payout, signed) = (stage.store.clone(), payouts[place].clone(), numbered("a", 7));
        async move { store(&database, payout, signed).await }
    });
    let stored = stored.await;
    assert_eq!(stored.iter().filter(|is_stored| **is_stored).count(), 1);
    let loser = payouts[stored.iter().position(|is_stored| !is_stored).unwrap()].clone();
    assert_eq!(next(Network::Xrp, "a").await, Some(8));
    assert_eq!((next(Network::Xrp, "b").await, next(Network::Eth, "a").await), (None, None));
    for (signed, expected) in [(numbered("a", 7), false), (numbered("b", 7), true), (numbered("a", 8), false)]
    {
        let is_stored = store(&stage.store, loser.clone(), signed.clone()).await;
        assert_eq!(is_stored, expected, "{signed:?}, after it is signed nothing is stored");
    }
}

/// A payout that can never be included leaves a gap in the numbers, which the next one fills.
pub(super) async fn free_numbers(stage: &Stage) {
    let numbered =
        |number| Signed { sequence: Some(Sequence { account: "a".to_owned(), number }), ..signed(&[1]) };
    let store = async |number| {
        let payout = put(stage, &payout(stage, Purpose::Withdrawal)).await;
        let mut tx = stage.begin().await;
        let signed = payout.clone().signed(numbered(number), NOW).unwrap();
        let is_stored = tx.save_payout(signed).await.unwrap().is_some();
        tx.commit().await.unwrap();
        (payout, is_stored)
    };
    let check = async |first, expected| {
        assert_eq!(
            stage.store.free_sequence(Network::Xrp, "a", first).await.unwrap(),
            expected,
            "from {first}"
        );
    };
    check(7, 7).await;
    let mut ids = Vec::new();
    for number in 7..10 {
        ids.push(store(number).await.0);
    }
    check(7, 10).await;
    check(6, 6).await;
    check(10, 10).await;
    assert!(change(stage, ids[1].id, Payout::failed).await);
    check(7, 8).await;
    assert!(store(8).await.1 && !store(8).await.1);
    check(7, 10).await;
    assert_eq!(stage.store.free_sequence(Network::Xrp, "b", 7).await.unwrap(), 7);
    assert_eq!(stage.store.free_sequence(Network::Xlm, "a", 7).await.unwrap(), 7);
}
