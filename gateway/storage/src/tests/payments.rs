use std::collections::BTreeMap;

use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::{OutputId, OutputState};
use checkout_domain::ids::PaymentId;
use checkout_domain::ledger::money::Money;
use checkout_domain::ledger::{Account, Entry, Header};
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::refund::Plan;
use checkout_domain::payment::refund_said::Said;
use checkout_domain::payment::{Payment, PaymentWithDeposits, Price, Quote};
use checkout_domain::ports::ledger::LedgerStore as _;
use checkout_domain::ports::payments::PaymentStore as _;
use checkout_domain::ports::settings::SettingStore as _;
use checkout_domain::ports::{Owner, Store as _, Tx};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::payment::{OverpaymentPolicy, RefundReason, RefundType};
use checkout_wire::{PaymentStatus, PaymentType, RateType};
use uuid::Uuid;

use super::stage::{NOW, Stage, at_once, dec, deposit, quote, transfer_of};

pub(super) async fn round_trip(stage: &Stage) {
    let mut payment = stage.payment("order");
    let read = async |id| stage.store.payment(id).await.unwrap();
    let mut tx = stage.begin().await;
    assert!(tx.insert_payment(&payment, "hash").await.unwrap());
    assert_eq!(
        tx.payment(payment.id).await.unwrap().unwrap().payment,
        payment,
        "visible to its own transaction"
    );
    assert!(read(payment.id).await.is_none(), "not visible to others");
    tx.commit().await.unwrap();
    assert_eq!(read(payment.id).await, Some(PaymentWithDeposits::new(payment.clone())));

    let yen = "JPY".parse::<Fiat>().unwrap();
    let quotes = [quote("earlier address"), Quote { fiat: yen, ..quote("address") }];
    payment.quote = Some(quotes[1].clone());
    payment.display_currency = yen;
    payment.display_currency_given = true;
    payment.status = PaymentStatus::Pending;
    payment.settled_at = Some(NOW + 9);
    let mut tx = stage.begin().await;
    tx.update_payment(&payment).await.unwrap();
    for (place, quote) in quotes.iter().enumerate() {
        tx.insert_quote(payment.id, place, quote).await.unwrap();
    }
    tx.commit().await.unwrap();
    let stored = read(payment.id).await.unwrap();
    assert_eq!((stored.payment, stored.quotes), (payment, quotes.to_vec()));

    let mut other = stage.payment("crypto");
    other.kind = PaymentType::Reusable;
    other.rate_type = RateType::Floating;
    other.price = Price::Crypto { currency: Currency::Xlm, amount: "1.2345678".to_owned() };
    (other.requested_currency, other.requested_network) = (Some(Currency::Xlm), Some(Network::Xlm));
    other.redirect_url = Some("https://kettle.example/?a=b&c='".to_owned());
    other.overpayment_policy = OverpaymentPolicy::ExcessRefund;
    other.refund_follow_ups = true;
    other.estimate = Some(dec("0.12345678"));
    let mut tx = stage.begin().await;
    assert!(tx.insert_payment(&other, "hash").await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(read(other.id).await.unwrap().payment, other);
    assert!(read(PaymentId(Uuid::nil())).await.is_none());
}

/// Of fifty concurrent inserts one succeeds, and all others find the stored payment.
pub(super) async fn one_per_client_id(stage: &Stage) {
    let business = stage.business.id;
    let added = at_once(50, |_| {
        let (store, payment) = (stage.store.clone(), stage.payment("order"));
        async move {
            let mut tx = store.begin().await.unwrap();
            let added = tx.insert_payment(&payment, "hash").await.unwrap();
            let known = tx.payment_by_client_id(business, "order").await.unwrap().unwrap();
            tx.commit().await.unwrap();
            (added, known)
        }
    });
    let added = added.await;
    assert_eq!(added.iter().filter(|(added, _)| *added).count(), 1);
    assert!(added.iter().all(|(_, known)| *known == added[0].1));
    assert_eq!(stage.store.count("SELECT COUNT(*) FROM payments").await, 1);
    let mut tx = stage.begin().await;
    assert!(tx.payment_by_client_id(stage.other.id, "order").await.unwrap().is_none());
    assert!(tx.payment_by_client_id(business, "ORDER").await.unwrap().is_none());
}

/// Lists payments page by page, ordered by window end and id, without gaps or duplicates.
pub(super) async fn overdue(stage: &Stage) {
    let mut expected = Vec::new();
    let mut tx = stage.begin().await;
    for number in 0..250_u64 {
        let mut payment = stage.payment(&number.to_string());
        payment.initiated_at = NOW + number % 3;
        payment.status = if number % 10 == 0 { PaymentStatus::Expired } else { PaymentStatus::New };
        assert!(tx.insert_payment(&payment, "hash").await.unwrap());
        if number % 3 < 2 && number % 10 != 0 {
            expected.push((payment.window_end().unwrap(), payment.id));
        }
    }
    tx.commit().await.unwrap();
    expected.sort_unstable();
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let page = stage.store.overdue(NOW + 30 * 60 + 1, after).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(*last);
        found.extend(page);
    }
    assert_eq!(found, expected);
}

/// Paid ones of the business, within the time, before the payment was there.
pub(super) async fn paid_pairs(stage: &Stage) {
    use PaymentStatus::{Awaiting, Deposited, Expired, Overpaid};
    let (btc, usdt) = ((Currency::Btc, Network::Btc), (Currency::Usdt, Network::Trx));
    let at = |seconds| PaymentId(Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, seconds, 0)));
    let mut tx = stage.begin().await;
    let soon = Some(NOW + 10);
    for (number, (seconds, status, settled_at, pair, business)) in [
        (NOW - 1, Deposited, soon, btc, &stage.business),
        (NOW, Deposited, soon, btc, &stage.business),
        (NOW + 1, Deposited, soon, usdt, &stage.business),
        (NOW + 2, Overpaid, soon, usdt, &stage.business),
        (NOW + 3, Awaiting, None, btc, &stage.business),
        (NOW + 4, Expired, soon, btc, &stage.business),
        (NOW + 5, Deposited, soon, btc, &stage.other),
        (NOW + 6, Deposited, Some(NOW + 11), btc, &stage.business),
        (NOW + 20, Deposited, soon, btc, &stage.business),
    ]
    .into_iter()
    .enumerate()
    {
        let payment = Payment {
            id: at(seconds),
            business: business.id,
            status,
            settled_at,
            requested_currency: Some(pair.0),
            requested_network: Some(pair.1),
            ..stage.payment(&number.to_string())
        };
        assert!(tx.insert_payment(&payment, "hash").await.unwrap());
        tx.update_payment(&payment).await.unwrap();
    }
    tx.commit().await.unwrap();
    let found = stage.store.paid_pairs(stage.business.id, at(NOW + 10), NOW, NOW + 10).await.unwrap();
    assert_eq!(found, [(btc, 1), (usdt, 2)].into());
}

/// Confirmed ones of the business, within the time, the newest first.
pub(super) async fn sent_fees(stage: &Stage) {
    let payment = stage.stored("order").await.id;
    let mut tx = stage.begin().await;
    for (number, (seconds, state, fee, business)) in [
        (NOW - 1, OutputState::Confirmed, "1", &stage.business),
        (NOW, OutputState::Confirmed, "2", &stage.business),
        (NOW + 1, OutputState::Confirmed, "0.0003", &stage.business),
        (NOW + 2, OutputState::Unconfirmed, "4", &stage.business),
        (NOW + 3, OutputState::Vanished, "5", &stage.business),
        (NOW + 4, OutputState::Confirmed, "6", &stage.other),
        (NOW + 10, OutputState::Confirmed, "7", &stage.business),
    ]
    .into_iter()
    .enumerate()
    {
        let time = uuid::Timestamp::from_unix(uuid::NoContext, seconds, 0);
        let deposit = Deposit {
            id: Uuid::new_v7(time),
            state,
            fee: fee.to_owned(),
            ..deposit(&number.to_string(), u32::try_from(number).unwrap())
        };
        tx.insert_deposit(payment, business.id, &deposit).await.unwrap();
    }
    tx.commit().await.unwrap();
    let found = stage.store.sent_fees(stage.business.id, NOW, NOW + 10).await.unwrap();
    assert_eq!(found, [((Currency::Btc, Network::Btc), vec![dec("0.0003"), dec("2")])].into());
}

pub(super) async fn deposits(stage: &Stage) {
    let payment = stage.stored("order").await;
    let (mut second, mut first) = (deposit("b", 2), deposit("a", 1));
    first.tag = Some("7".to_owned());
    second.confirmed_seq = Some(3);
    second.state = OutputState::Confirmed;
    let mut tx = stage.begin().await;
    tx.insert_deposit(payment.id, stage.business.id, &second).await.unwrap();
    tx.insert_deposit(payment.id, stage.business.id, &first).await.unwrap();
    let transfers = [transfer_of(&first), transfer_of(&deposit("c", 3))];
    let owner = Owner { payment: payment.id, is_new: false, is_gone: false };
    assert_eq!(tx.owners(&transfers).await.unwrap(), [Some(owner), None]);
    tx.commit().await.unwrap();
    let read = async || stage.store.payment(payment.id).await.unwrap().unwrap().deposits.clone();
    assert_eq!(read().await, [first.clone(), second.clone()], "in the order of first sight");

    (first.state, first.confirmed_seq) = (OutputState::Vanished, None);
    let plan = Plan {
        kind: RefundType::Partial,
        reason: RefundReason::Overpayment,
        gross: Amount::from_atoms(5).unwrap(),
    };
    let refund = second.planned(&plan, Amount::from_atoms(1).unwrap(), Said::default());
    let mut tx = stage.begin().await;
    tx.update_deposit(&first).await.unwrap();
    tx.put_refund(payment.id, stage.business.id, &refund).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(read().await, [first, second.clone()]);
    let stored = stage.store.payment(payment.id).await.unwrap().unwrap();
    assert_eq!(stored.refunds, BTreeMap::from([(second.id, refund)]));
}

/// Changes of many payments that are collected: more than a statement has room for. Their transaction sees them, others
/// only after the commit.
pub(super) async fn collected(stage: &Stage) {
    let mut payments = Vec::new();
    for number in 0..70 {
        payments.push(stage.stored(&format!("order-{number}")).await);
    }
    let entry = |cause: &str, units: i128| {
        let money = |units| Money { asset: Asset::Fiat(Fiat::EUR), units };
        let lines = [(Account::Chain, money(-units)), (Account::Fiat, money(units))];
        let header = Header {
            id: Uuid::now_v7(),
            business: stage.business.id,
            cause: cause.to_owned(),
            payment: None,
        };
        Entry::new(header, |_| None, lines)
    };
    let change = async |tx: &mut dyn Tx| {
        tx.collect();
        for (number, payment) in (1..).zip(&payments) {
            let mut seen = deposit(&format!("tx-{number}"), number);
            tx.insert_deposit(payment.id, stage.business.id, &seen).await.unwrap();
            (seen.state, seen.confirmed_seq) = (OutputState::Confirmed, Some(number + 1));
            tx.update_deposit(&seen).await.unwrap();
            let paid = Payment { status: PaymentStatus::Deposited, settled_at: Some(NOW), ..payment.clone() };
            tx.update_payment(&paid).await.unwrap();
            tx.post_all(&[entry(&format!("cause-{number}"), 2)]).await.unwrap();
        }
        tx.post_all(&[entry("cause-1", 100)]).await.unwrap();
    };
    let ids: Vec<PaymentId> = payments.iter().map(|payment| payment.id).collect();
    let is_paid = |found: &PaymentWithDeposits| {
        found.payment.status == PaymentStatus::Deposited && found.deposits[0].confirmed_seq.is_some()
    };
    let stored = async || {
        let found = stage.store.payment(ids[0]).await.unwrap().unwrap();
        (found.deposits.len(), stage.store.balances(stage.business.id).await.unwrap().len())
    };
    for commits in [false, true] {
        let mut tx = stage.begin().await;
        change(tx.as_mut()).await;
        assert_eq!(stored().await, (0, 0), "not visible to others");
        let found = tx.payments(&ids).await.unwrap();
        assert_eq!((found.len(), found.iter().filter(|found| is_paid(found)).count()), (70, 70));
        assert_eq!(tx.payments(&[PaymentId(Uuid::nil())]).await.unwrap(), []);
        if commits {
            tx.commit().await.unwrap();
        }
    }
    for id in &ids {
        let found = stage.store.payment(*id).await.unwrap().unwrap();
        assert!(is_paid(&found) && found.version > 1, "{found:?}");
    }
    let balances = stage.store.balances(stage.business.id).await.unwrap();
    let fiat = balances.iter().find(|(account, _)| *account == Account::Fiat).unwrap();
    assert_eq!(fiat.1.units, 140, "a cause counts once");

    // What cannot be stored is an error at the latest at the commit, and stores nothing.
    let mut tx = stage.begin().await;
    tx.collect();
    tx.insert_deposit(ids[1], stage.business.id, &deposit("tx-1", 9)).await.unwrap();
    tx.post_all(&[entry("another", 5)]).await.unwrap();
    assert!(tx.commit().await.is_err());
    assert_eq!(stage.store.balances(stage.business.id).await.unwrap(), balances);
}

/// An output has one deposit: inserting a second one is an error and rolls back its transaction.
pub(super) async fn one_per_output(stage: &Stage) {
    let (one, two) = (stage.stored("one").await, stage.stored("two").await);
    let mut tx = stage.begin().await;
    tx.insert_deposit(one.id, stage.business.id, &deposit("a", 1)).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = stage.begin().await;
    tx.put_setting("key", "value").await.unwrap();
    assert!(tx.insert_deposit(two.id, stage.business.id, &deposit("a", 1)).await.is_err());
    drop(tx);
    assert_eq!(stage.store.setting("key").await.unwrap(), None);
    assert_eq!(stage.store.count("SELECT COUNT(*) FROM deposits").await, 1);
}

/// Only unconfirmed deposits of the network are counted, and only those with another number change their payment.
pub(super) async fn confirmations(stage: &Stage) {
    let (one, two) = (stage.stored("one").await, stage.stored("two").await);
    let names: Vec<String> = (0..100).map(|number| format!("a{number}")).collect();
    let waiting: Vec<Deposit> = (0..).zip(&names).map(|(seq, name)| deposit(name, seq)).collect();
    let confirmed = Deposit { state: OutputState::Confirmed, ..deposit("confirmed", 200) };
    let mut elsewhere = deposit("a0", 1);
    elsewhere.output.network = Network::Ltc;
    let mut tx = stage.begin().await;
    tx.insert_deposits(one.id, stage.business.id, &waiting).await.unwrap();
    tx.insert_deposits(two.id, stage.business.id, &[confirmed.clone(), elsewhere]).await.unwrap();
    tx.commit().await.unwrap();
    let read = async |id| {
        let record = stage.store.payment(id).await.unwrap().unwrap();
        let counts: Vec<u64> = record.deposits.iter().map(|deposit| deposit.confirmations).collect();
        (record.version, counts)
    };
    let count = async |counts: &[(OutputId, u64)]| {
        let mut tx = stage.begin().await;
        tx.count_confirmations(Network::Btc, 9, counts).await.unwrap();
        tx.commit().await.unwrap();
    };
    let (before, other) = (read(one.id).await, read(two.id).await);
    assert_eq!((before.1, &other.1), (vec![0; 100], &vec![0, 0]));
    let unknown = deposit("unknown", 1);
    let known = waiting.iter().chain([&confirmed, &unknown]);
    let known: Vec<OutputId> = known.map(|deposit| deposit.output.clone()).collect();
    let all = |count: u64| known.iter().map(|output| (output.clone(), count)).collect::<Vec<_>>();
    count(&all(7)).await;
    let after = read(one.id).await;
    assert!(after.0 > before.0, "a poll notices");
    assert_eq!(after.1, vec![7; 100]);
    assert_eq!(read(two.id).await, other, "a confirmed deposit, and one of another network");
    count(&all(7)).await;
    assert_eq!(read(one.id).await, after, "the same numbers");
    count(&[(known[1].clone(), 0)]).await;
    assert_eq!(read(one.id).await.1.iter().filter(|count| **count == 0).count(), 1);
}

/// Counts in any order do not wait for each other in a circle, nor for changes of the payments.
pub(super) async fn counted_at_once(stage: &Stage) {
    let mut outputs = Vec::new();
    for number in 0..10 {
        let payment = stage.stored(&format!("order-{number}")).await;
        let deposit = deposit(&format!("a{number}"), 1);
        let mut tx = stage.begin().await;
        tx.insert_deposit(payment.id, stage.business.id, &deposit).await.unwrap();
        tx.commit().await.unwrap();
        outputs.push((payment, deposit.output));
    }
    let store = stage.store.clone();
    at_once(16, move |task| {
        let (store, mut outputs) = (store.clone(), outputs.clone());
        if task % 2 == 0 {
            outputs.reverse();
        }
        async move {
            for round in 0..5 {
                let mut tx = store.begin().await.unwrap();
                if task % 4 == 3 {
                    let ids: Vec<PaymentId> = outputs.iter().map(|(payment, _)| payment.id).collect();
                    tx.lock(&ids).await.unwrap();
                    tx.update_payment(&outputs[task % 10].0).await.unwrap();
                } else {
                    let count = |(_, output): &(_, OutputId)| (output.clone(), (task + round) as u64);
                    let counts: Vec<_> = outputs.iter().map(count).collect();
                    tx.count_confirmations(Network::Btc, 9, &counts).await.unwrap();
                }
                tx.commit().await.unwrap();
            }
        }
    })
    .await;
}
