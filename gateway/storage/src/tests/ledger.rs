use std::panic::AssertUnwindSafe;

use checkout_core::{Amount, Decimal};
use checkout_domain::chain::payout::hold::Hold;
use checkout_domain::chain::payout::state::PayoutState;
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::ledger::money::Money;
use checkout_domain::ledger::settlement::{Depth, Split};
use checkout_domain::ledger::{Account, Entry, Header};
use checkout_domain::ports::Store as _;
use checkout_domain::ports::ledger::LedgerStore as _;
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::withdrawal::Withdrawal;
use checkout_wire::create_withdrawal::WithdrawalStatus;
use futures::FutureExt as _;
use uuid::Uuid;

use super::merchant_refunds::{paid, refund};
use super::payouts::{booked, change};
use super::stage::{NOW, Stage, at_once, deposit};
use crate::query;

const EUR: Asset = Asset::Fiat(Fiat::EUR);

fn eur(units: i128) -> Money {
    Money { asset: EUR, units }
}

fn entry(stage: &Stage, cause: &str, units: i128) -> Entry {
    let lines = [(Account::Chain, eur(-units)), (Account::Fiat, eur(units))];
    let header =
        Header { id: Uuid::now_v7(), business: stage.business.id, cause: cause.to_owned(), payment: None };
    Entry::new(header, |_| Some(Decimal::ONE), lines)
}

async fn post(stage: &Stage, entry: &Entry) -> bool {
    let mut tx = stage.begin().await;
    let posted = tx.post(entry).await.unwrap();
    tx.commit().await.unwrap();
    posted
}

pub(super) async fn balances(stage: &Stage) {
    let all = async || stage.store.balances(stage.business.id).await.unwrap();
    assert_eq!(all().await, []);
    let most = 10_i128.pow(33);
    let first = entry(stage, "a", most);
    assert!(post(stage, &first).await && post(stage, &entry(stage, "b", 5)).await);
    assert_eq!(all().await, [(Account::Chain, eur(-most - 5)), (Account::Fiat, eur(most + 5))]);
    assert!(post(stage, &first.reversed(Uuid::now_v7(), "a/reversed".to_owned())).await);
    let mut tx = stage.begin().await;
    assert_eq!(tx.balance(stage.business.id, Account::Fiat, EUR).await.unwrap(), eur(5));
    assert_eq!(tx.balance(stage.other.id, Account::Fiat, EUR).await.unwrap(), eur(0));
    assert_eq!(tx.entry("a").await.unwrap(), Some(first));
    assert_eq!(tx.entry("c").await.unwrap(), None);
}

/// A cause is posted once, also by fifty concurrent transactions.
pub(super) async fn once(stage: &Stage) {
    let posted = at_once(50, |_| {
        let (store, entry) = (stage.store.clone(), entry(stage, "a", 7));
        async move {
            let mut tx = store.begin().await.unwrap();
            let posted = tx.post(&entry).await.unwrap();
            tx.commit().await.unwrap();
            posted
        }
    });
    assert_eq!(posted.await.into_iter().filter(|posted| *posted).count(), 1);
    let balances = stage.store.balances(stage.business.id).await.unwrap();
    assert_eq!(balances, [(Account::Chain, eur(-7)), (Account::Fiat, eur(7))]);
}

/// Fifty concurrent transactions each take 7 of 100 if the balance suffices: fourteen succeed.
pub(super) async fn overdraft(stage: &Stage) {
    assert!(post(stage, &entry(stage, "in", 100)).await);
    let business = stage.business.id;
    let taken = at_once(50, |number| {
        let (store, entry) = (stage.store.clone(), entry(stage, &format!("out/{number}"), -7));
        async move {
            let mut tx = store.begin().await.unwrap();
            if tx.balance(business, Account::Fiat, EUR).await.unwrap().units < 7 {
                return false;
            }
            tokio::task::yield_now().await;
            assert!(tx.post(&entry).await.unwrap());
            tx.commit().await.unwrap();
            true
        }
    });
    assert_eq!(taken.await.into_iter().filter(|taken| *taken).count(), 14);
    let balances = stage.store.balances(business).await.unwrap();
    assert_eq!(balances, [(Account::Chain, eur(-2)), (Account::Fiat, eur(2))]);
}

/// If the balances of an asset do not sum to zero, further entries of that asset fail and store nothing.
pub(super) async fn out_of_balance(stage: &Stage) {
    assert!(post(stage, &entry(stage, "a", 7)).await);
    let wrong = query("UPDATE ledger_balances SET balance = '8' WHERE account = 'FIAT'");
    stage.store.apply(wrong).await.unwrap();
    let posted = AssertUnwindSafe(post(stage, &entry(stage, "b", 1))).catch_unwind().await;
    let text = posted.unwrap_err().downcast::<String>().unwrap();
    assert!(text.contains("out by 1 units of EUR"), "{text}");
    let mut tx = stage.begin().await;
    assert_eq!(tx.entry("b").await.unwrap(), None);
}

/// Final deposits are read where a refund may have taken them, and a refund while it lasts.
pub(super) async fn pending(stage: &Stage) {
    let split = Some(Split { kept: Amount::from_atoms(3).unwrap(), returned: Amount::ZERO });
    let mut payments = Vec::new();
    for order in ["refunded", "kept", "settled"] {
        let payment = paid(stage, order).await;
        let first = stage.store.payment(payment.id).await.unwrap().unwrap().deposits[0].clone();
        let second = deposit(&format!("{order} again"), 2);
        let mut tx = stage.begin().await;
        tx.insert_deposit(payment.id, stage.business.id, &second).await.unwrap();
        let mut rows = [&first, &second].map(|deposit| (deposit.id, booked(stage, deposit)));
        for (_, booked) in &mut rows {
            booked.split = split;
        }
        rows[0].1.depth = Depth::Final;
        if order == "settled" {
            rows[1].1.depth = Depth::Final;
        }
        tx.put_booked(&rows).await.unwrap();
        tx.commit().await.unwrap();
        payments.push((payment, [first.id, second.id]));
    }
    let mut charges = Vec::new();
    for order in [0, 2] {
        let (payout, withdrawal) = refund(stage, &payments[order].0, "r", 300);
        let client_withdrawal_id = format!("r-{order}");
        let payout = Payout { state: PayoutState::Waiting, ..payout };
        let mut tx = stage.begin().await;
        tx.insert_payout(&payout).await.unwrap();
        let withdrawal = Withdrawal { client_withdrawal_id, ..withdrawal };
        assert!(tx.insert_withdrawal(&withdrawal, "hash").await.unwrap());
        tx.commit().await.unwrap();
        charges.push(withdrawal.id);
    }
    let refund = charges[0];
    charges.sort();
    let mut expected: Vec<_> = payments[0].1.into_iter().chain([payments[1].1[1]]).collect();
    expected.sort();
    let check = async |is_signed: Option<bool>| {
        let (_, snapshot) = stage.store.balances_and_pending(stage.business.id).await.unwrap();
        let locked = stage.begin().await.pending(stage.business.id).await.unwrap();
        assert_eq!(snapshot, locked);
        let mut deposits: Vec<_> = locked.deposits.iter().map(|deposit| deposit.deposit).collect();
        deposits.sort();
        assert_eq!(deposits, expected, "{is_signed:?}");
        let refunds = locked.refunds.iter().map(|refund| (refund.payment, refund.charged, refund.is_signed));
        let lasting = is_signed.map(|is_signed| (payments[0].0.id, eur(103), is_signed));
        assert_eq!(refunds.collect::<Vec<_>>(), Vec::from_iter(lasting));
        let mut unsigned: Vec<_> = stage
            .begin()
            .await
            .unsigned(stage.business.id)
            .await
            .unwrap()
            .iter()
            .map(|charge| charge.id)
            .collect();
        unsigned.sort();
        unsigned
    };
    assert_eq!(check(Some(false)).await, charges);
    let signed = Signed { transaction_id: "id".to_owned(), bytes: vec![1], sequence: None };
    assert!(change(stage, refund, |payout| payout.signed(signed, NOW)).await);
    charges.retain(|charge| *charge != refund);
    assert_eq!(check(Some(true)).await, charges);
    assert!(change(stage, refund, Payout::failed).await);
    let mut tx = stage.begin().await;
    let failed = tx.withdrawal(refund).await.unwrap().unwrap();
    tx.update_withdrawal(&Withdrawal { status: WithdrawalStatus::Failed, ..failed }).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(check(None).await, charges);
    assert!(change(stage, charges[0], |payout| Some(Payout { hold: Hold::Unasked, ..payout })).await);
    assert!(check(None).await.is_empty(), "it may have left");
}
