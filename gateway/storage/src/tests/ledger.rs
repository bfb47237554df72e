use std::panic::AssertUnwindSafe;

use checkout_core::Decimal;
use checkout_domain::ledger::money::Money;
use checkout_domain::ledger::{Account, Entry, Header};
use checkout_domain::ports::Store as _;
use checkout_domain::ports::ledger::LedgerStore as _;
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use futures::FutureExt as _;
use uuid::Uuid;

use super::stage::{Stage, at_once};
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
