//! Counters: stored as they are, found by the digest of their secret, and closed with the lock.

use std::sync::atomic::{AtomicBool, Ordering};

use checkout_domain::access::token::TokenHash;
use checkout_domain::page::Page;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::sales::CounterStore as _;
use checkout_domain::sale::counter::Counter;
use uuid::Uuid;

use super::stage::{NOW, Stage, dec};

async fn inserted(stage: &Stage, title: &str) -> Counter {
    let counter = Counter {
        id: Uuid::now_v7(),
        business: stage.business.id,
        title: title.to_owned(),
        fiat: "JPY".parse().unwrap(),
        max: dec("50000"),
        secret: TokenHash::of(title),
        created_at: NOW,
        withdrawn_at: None,
    };
    let mut tx = stage.begin().await;
    tx.insert_counter(&counter).await.unwrap();
    tx.commit().await.unwrap();
    counter
}

async fn withdraw(stage: &Stage, counter: &Counter) -> Counter {
    let mut tx = stage.store.begin().await.unwrap();
    let found = tx.counter_to_sell(counter.id).await.unwrap().unwrap();
    let withdrawn = Counter { withdrawn_at: Some(NOW + 5), ..found };
    tx.update_counter(&withdrawn).await.unwrap();
    tx.commit().await.unwrap();
    withdrawn
}

pub(super) async fn round_trip(stage: &Stage) {
    let (stall, van) = (inserted(stage, "stall").await, inserted(stage, "van").await);
    for counter in [&stall, &van] {
        assert_eq!(stage.store.counter(counter.id).await.unwrap().as_ref(), Some(counter));
        assert_eq!(stage.store.counter_by_secret(&counter.secret).await.unwrap().as_ref(), Some(counter));
    }
    assert_eq!(stage.store.counter_by_secret(&TokenHash::of("guessed")).await.unwrap(), None);
    let page = Page { after: None, before: None, descending: true, limit: 9 };
    let listed = stage.store.counters(stage.business.id, &page).await.unwrap();
    assert_eq!(listed, [van.clone(), stall.clone()]);
    assert_eq!(stage.store.counters(stage.other.id, &page).await.unwrap(), []);

    let payment = stage.stored("p-1").await;
    let mut tx = stage.begin().await;
    tx.insert_counter_sale(stall.id, payment.id).await.unwrap();
    tx.commit().await.unwrap();
    assert!(stage.store.is_counter_sale(stall.id, payment.id).await.unwrap());
    assert!(!stage.store.is_counter_sale(van.id, payment.id).await.unwrap());

    let withdrawn = withdraw(stage, &stall).await;
    assert_eq!(stage.store.counter(stall.id).await.unwrap(), Some(withdrawn));
    assert_eq!(stage.store.counter(van.id).await.unwrap(), Some(van));
}

/// What is sold at the same time is sold before it, or not at all.
pub(super) async fn withdrawn_for_good(stage: &Stage) {
    let counter = inserted(stage, "stall").await;
    let is_withdrawn = AtomicBool::new(false);
    let sell = async |number: u32| {
        let mut tx = stage.store.begin().await.unwrap();
        if tx.counter_to_sell(counter.id).await.unwrap().unwrap().withdrawn_at.is_some() {
            return false;
        }
        let payment = stage.payment(&format!("p-{number}"));
        assert!(tx.insert_payment(&payment, "hash").await.unwrap());
        tx.insert_counter_sale(counter.id, payment.id).await.unwrap();
        assert!(!is_withdrawn.load(Ordering::SeqCst), "sale {number} has the lock");
        tx.commit().await.unwrap();
        true
    };
    let close = async {
        withdraw(stage, &counter).await;
        is_withdrawn.store(true, Ordering::SeqCst);
    };
    futures::join!(futures::future::join_all((0..20).map(&sell)), close);
    assert!(!sell(21).await, "nothing is sold afterwards");
}
