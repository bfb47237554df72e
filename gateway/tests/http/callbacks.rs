//! Deposit callbacks, from the transfer to the merchant's endpoint.

use std::time::{Duration, Instant};

use checkout_domain::business::settings::Settings;
use checkout_domain::callback::{Outcome, State, signature};
use checkout_domain::ports::Tx;
use checkout_domain::ports::callbacks::Resent;
use checkout_gateway::service::callbacks::deliver_callbacks::CallbackDispatcher;
use checkout_test_support::patience;
use serde_json::{Value, json};
use uuid::Uuid;

use super::inbox::{Answer, Inbox};
use super::{START, World};
use crate::fixture::create_business;

pub(super) async fn world(inbox: &Inbox) -> World {
    World::with(Settings {
        name: Some("Kettle & Co".to_owned()),
        deposit_callback: Some(inbox.url.clone()),
        ..Settings::default()
    })
    .await
}

/// Sends due callbacks and waits for the answers.
pub(super) async fn deliver(world: &World) {
    let mut dispatcher = CallbackDispatcher::new(world.app.clone());
    dispatcher.begin_due().await.unwrap();
    dispatcher.finish().await;
}

async fn states(world: &World) -> Vec<State> {
    let all = world.app.store.callbacks(None, None, 100).await.unwrap();
    all.into_iter().rev().map(|callback| callback.state).collect()
}

async fn only(world: &World) -> Uuid {
    let all = world.app.store.callbacks(None, None, 2).await.unwrap();
    assert_eq!(all.len(), 1);
    all[0].id
}

/// Creates a payment of 100 EUR in bitcoin, pays and confirms it. Returns its id.
async fn paid(world: &World, order: &str) -> String {
    let (id, _) = world.quoted(json!({"clientPaymentId": order}), "BTC", "BTC").await;
    world.pay(&id, "0.00166667").await;
    world.mine("BTC").await;
    id
}

/// Interface section 6.1, field for field, every digit.
#[tokio::test]
async fn the_body() {
    let inbox = Inbox::open();
    let world = world(&inbox).await;
    let price = json!({
        "displayAmount": null, "depositCurrency": "ETH", "network": "ETH", "depositAmount": "0.123456789012345678",
        "displayCurrency": "EUR"
    });
    let (id, _) = world.quoted(price, "ETH", "ETH").await;
    let transaction = world.pay(&id, "0.123456789012345678").await;
    world.mine("ETH").await;
    deliver(&world).await;
    let payment = world.payment(&id).await;
    let deposit = &payment["deposits"][0];
    let received = inbox.received();
    assert_eq!(received.len(), 1);
    let worth = deposit["displayAmount"].as_str().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let expected = format!(
        r#"{{"paymentId":"{id}","clientPaymentId":"order-1","depositId":"{}","depositAddress":"{}","fromAddress":"{}","transactionId":"{transaction}","network":"ETH","depositCurrency":"ETH","actualDepositAmount":0.123456789012345678,"expectedDepositAmount":"0.123456789012345678","onChainFee":{},"displayCurrency":"EUR","actualDisplayAmount":{worth},"expectedDisplayAmount":{worth},"displayServiceFee":1.85,"settlementCurrency":"EUR","settlementAmount":368.52,"settlementServiceFee":1.85,"paymentRequestedAt":{START},"paymentReceivedAt":{START},"expirationTime":{},"rateType":"FIXED","status":"CONFIRMED"}}"#,
        text(&deposit["id"]),
        text(&payment["walletAddress"]),
        text(&deposit["fromAddress"]),
        text(&deposit["onChainFee"]),
        START + 1_800,
    );
    assert_eq!(received[0].body, expected);
}

#[tokio::test]
async fn callbacks_of_late_and_reusable_payments() {
    let inbox = Inbox::open();
    let world = world(&inbox).await;
    let (late, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.advance(1_800).await;
    world.pay(&late, "0.001").await;
    let (open, _) = world
        .quoted(json!({"clientPaymentId": "order-2", "type": "REUSABLE", "rateType": "FIXED"}), "BTC", "BTC")
        .await;
    world.pay(&open, "0.002").await;
    deliver(&world).await;
    let mut bodies: Vec<Value> = inbox.received().iter().map(super::inbox::Received::json).collect();
    bodies.sort_by_key(|body| body["clientPaymentId"].to_string());
    assert_eq!(bodies[0]["rateType"], "FLOATING");
    assert_eq!(bodies[0]["expirationTime"], START + 1_800);
    assert_eq!(bodies[1]["rateType"], "FIXED");
    assert!(bodies[1].get("expirationTime").is_none(), "it never expires");
}

#[tokio::test]
async fn settlement_in_crypto() {
    let inbox = Inbox::open();
    let check = async |ratio: &str, pair: (&str, &str), amount: &str, expected: (&str, &str)| {
        let world = World::with(Settings {
            deposit_callback: Some(inbox.url.clone()),
            settlement_ratio: Some(checkout_core::decimal::parse(ratio, 8).unwrap()),
            ..Settings::default()
        })
        .await;
        let (id, _) = world.quoted(json!({}), pair.0, pair.1).await;
        world.pay(&id, amount).await;
        world.mine(pair.1).await;
        deliver(&world).await;
        let body = inbox.received().pop().unwrap();
        let settled = format!("\"settlementAmount\":{},", expected.1);
        assert!(body.body.contains(&settled), "{settled} in {}", body.body);
        let json = body.json();
        assert_eq!(json["settlementCurrency"], expected.0);
        // The balances are what the callback says.
        let credits = match json.get("settlements") {
            Some(parts) => parts.as_array().unwrap().clone(),
            None => vec![json.clone()],
        };
        assert_eq!(credits.len(), if ratio == "0.5" { 2 } else { 1 }, "{json:#}");
        let balances = world.balances().await;
        for credit in credits {
            let currency = credit["settlementCurrency"].as_str().unwrap();
            let account = format!("{} {currency}", if currency == "EUR" { "FIAT" } else { "CRYPTO" });
            let amount = checkout_core::decimal::parse(&credit["settlementAmount"].to_string(), 18).unwrap();
            let balance = checkout_core::decimal::parse(&balances[&account], 18).unwrap();
            assert_eq!(amount, balance, "{account} of {balances:?}");
        }
    };
    check("0", ("BTC", "BTC"), "0.00166667", ("EUR", "99.50")).await;
    check("0.5", ("BTC", "BTC"), "0.00166667", ("EUR", "49.75")).await;
    check("1", ("BTC", "BTC"), "0.00166667", ("BTC", "0.00165834")).await;
    check("1", ("ETH", "ETH"), "0.05", ("BTC", "0.0024875")).await;
}

#[tokio::test]
async fn the_headers_verify() {
    let inbox = Inbox::open();
    let world = world(&inbox).await;
    paid(&world, "order-1").await;
    deliver(&world).await;
    let received = &inbox.received()[0];
    assert_eq!(received.header("webhook-timestamp"), START.to_string());
    let secret = world.business.callback_secret.as_str();
    let (id, body) = (received.header("webhook-id"), &received.body);
    assert_eq!(received.header("webhook-signature"), signature::header([secret], id, START, body));
    assert_eq!(id, only(&world).await.to_string());
}

/// Deposits of UTXO coins are reported before confirmation, others with the first one; each deposit once.
#[tokio::test]
async fn one_callback_per_credited_deposit() {
    let inbox = Inbox::open();
    let world = world(&inbox).await;
    let check = async |count: usize, case: &str| {
        deliver(&world).await;
        assert_eq!(inbox.received().len(), count, "{case}");
    };
    let (bitcoin, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&bitcoin, "0.001").await;
    check(1, "bitcoin is instant").await;
    world.mine("BTC").await;
    check(1, "bitcoin confirmed").await;
    world.pay(&bitcoin, "0.00066667").await;
    check(2, "the rest is another deposit").await;
    let (ether, _) = world.quoted(json!({"clientPaymentId": "order-2"}), "ETH", "ETH").await;
    world.pay(&ether, "0.04").await;
    check(2, "ether is not instant").await;
    world.mine("ETH").await;
    check(3, "ether confirmed").await;
    world.sandbox("reorgs", json!({"network": "ETH", "depth": 1})).await;
    world.mine("ETH").await;
    check(3, "confirmed again after a reorganisation").await;
}

/// A replaceable transfer is not an instant deposit: it is neither reported nor counted before its confirmation.
#[tokio::test]
async fn a_replaceable_transfer_is_not_instant() {
    let inbox = Inbox::open();
    let world = world(&inbox).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let payment = world.payment(&id).await;
    let transfer = json!({
        "network": "BTC", "currency": "BTC", "address": payment["walletAddress"], "amount": "0.00166667",
        "replaceable": true
    });
    world.sandbox("transfers", transfer).await;
    deliver(&world).await;
    assert_eq!(inbox.received().len(), 0);
    let payment = world.payment(&id).await;
    assert_eq!((&payment["status"], &payment["actualDepositAmount"]), (&json!("AWAITING"), &json!("0")));
    world.mine("BTC").await;
    deliver(&world).await;
    assert_eq!(inbox.received().len(), 1);
    assert_eq!(world.payment(&id).await["actualDepositAmount"], "0.00166667");
}

/// A callback that was not delivered yet is held while its deposit does not count.
#[tokio::test]
async fn a_callback_is_held_while_its_deposit_is_gone() {
    let inbox = Inbox::open();
    let world = world(&inbox).await;
    let (id, _) = world.quoted(json!({}), "ETH", "ETH").await;
    world.pay(&id, "0.04").await;
    world.mine("ETH").await;
    assert_eq!(states(&world).await, [State::Pending]);
    world.sandbox("reorgs", json!({"network": "ETH", "depth": 1})).await;
    assert_eq!(states(&world).await, [State::Held]);
    deliver(&world).await;
    assert_eq!(inbox.received().len(), 0);
    world.mine("ETH").await;
    deliver(&world).await;
    assert_eq!(states(&world).await, [State::Delivered]);
    let (gone, _) = world.quoted(json!({"clientPaymentId": "order-2"}), "BTC", "BTC").await;
    let transaction = world.pay(&gone, "0.001").await;
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    deliver(&world).await;
    assert_eq!(inbox.received().len(), 1);
}

#[tokio::test]
async fn without_a_url_there_is_no_callback() {
    let world = World::new().await;
    paid(&world, "order-1").await;
    assert_eq!(states(&world).await, []);
}

/// Makes ten attempts within a little over three days, with the same id and the same body. Then the callback fails and
/// can be resent manually.
#[tokio::test]
async fn attempts_continue_for_three_days() {
    let inbox = Inbox::open();
    let world = world(&inbox).await;
    inbox.answer([500; 10].map(Answer::Status));
    paid(&world, "order-1").await;
    deliver(&world).await;
    for (attempts, hours) in [(2, 1), (3, 1), (4, 1), (5, 3), (6, 6), (7, 11), (8, 16), (9, 22), (10, 27)] {
        world.advance(hours * 3_600).await;
        deliver(&world).await;
        deliver(&world).await;
        assert_eq!(inbox.received().len(), attempts);
    }
    assert_eq!(states(&world).await, [State::Failed]);
    let received = inbox.received();
    for later in &received[1..] {
        assert_eq!(later.header("webhook-id"), received[0].header("webhook-id"));
        assert_eq!(later.body, received[0].body);
        assert_ne!(later.header("webhook-signature"), received[0].header("webhook-signature"), "a new time");
    }
    world.advance(100 * 3_600).await;
    deliver(&world).await;
    assert_eq!(inbox.received().len(), 10);

    let id = only(&world).await;
    assert_eq!(resend(&world, id).await, Resent::Due);
    deliver(&world).await;
    assert_eq!(states(&world).await, [State::Delivered]);
    assert_eq!(inbox.received()[10].body, received[0].body);
    assert_eq!(resend(&world, world.app.new_id()).await, Resent::NoCallback);
}

/// A transfer left the chain before its callback was delivered: it cannot be resent manually, and is sent
/// when the transfer returns.
#[tokio::test]
async fn a_held_callback_cannot_be_resent() {
    for gives_up in [false, true] {
        let inbox = Inbox::open();
        let world = world(&inbox).await;
        if gives_up {
            inbox.answer([Answer::Status(410)]);
        }
        let (id, _) = world.quoted(json!({}), "ETH", "ETH").await;
        world.pay(&id, "0.03333334").await;
        world.mine("ETH").await;
        if gives_up {
            deliver(&world).await;
            assert_eq!(states(&world).await, [State::Failed]);
        }
        world.sandbox("reorgs", json!({"network": "ETH", "depth": 1})).await;
        assert_eq!(resend(&world, only(&world).await).await, Resent::Held);
        let before = inbox.received().len();
        deliver(&world).await;
        assert_eq!((inbox.received().len(), states(&world).await), (before, vec![State::Held]));
        world.mine("ETH").await;
        deliver(&world).await;
        assert_eq!((inbox.received().len(), states(&world).await), (before + 1, vec![State::Delivered]));
    }
}

/// Up to the business's limit, deposits are reported when first seen. Above it, also in parts, they are
/// reported in a block.
#[tokio::test]
async fn deposits_above_the_instant_limit_are_reported_in_a_block() {
    let check = async |limit: Option<&str>, amounts: &[&str], at_first_sight: usize| {
        let inbox = Inbox::open();
        let business = Settings {
            name: Some("Kettle & Co".to_owned()),
            deposit_callback: Some(inbox.url.clone()),
            instant_deposit_limit: Some(limit.map(|limit| checkout_core::decimal::parse(limit, 2).unwrap())),
            ..Settings::default()
        };
        let world = World::with(business).await;
        let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
        for amount in amounts {
            world.pay(&id, amount).await;
        }
        deliver(&world).await;
        assert_eq!(inbox.received().len(), at_first_sight, "{limit:?} {amounts:?}");
        world.mine("BTC").await;
        deliver(&world).await;
        assert_eq!(inbox.received().len(), amounts.len(), "{limit:?} {amounts:?}");
    };
    // 0.001 BTC is 60 EUR.
    check(None, &["0.00166667"], 1).await;
    check(Some("100.00"), &["0.00166667"], 1).await;
    check(Some("99.99"), &["0.00166667"], 0).await;
    check(Some("0"), &["0.00166667"], 0).await;
    check(Some("100"), &["0.001", "0.001"], 1).await;
    check(Some("120"), &["0.001", "0.001"], 2).await;
}

async fn resend(world: &World, id: Uuid) -> Resent {
    let mut tx: Box<dyn Tx> = world.app.store.begin().await.unwrap();
    let found = tx.resend_callback(id, world.app.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    found
}

#[tokio::test]
async fn each_answer_has_its_consequence() {
    let inbox = Inbox::open();
    let check = async |answer: Answer, state: State, wait: Option<std::ops::RangeInclusive<u64>>| {
        let world = world(&inbox).await;
        inbox.answer([answer]);
        paid(&world, "order-1").await;
        let before = inbox.received().len();
        deliver(&world).await;
        deliver(&world).await;
        assert_eq!(inbox.received().len(), before + 1, "no immediate retry, and no redirect");
        let (callback, _) = world.app.store.callback(only(&world).await).await.unwrap().unwrap();
        assert_eq!(callback.state, state);
        let due_in = callback.due_at.map(|at| at - world.app.clock.now());
        assert_eq!(due_in.is_some(), wait.is_some());
        assert!(wait.is_none_or(|wait| wait.contains(&due_in.unwrap())), "{due_in:?}");
    };
    check(Answer::Status(204), State::Delivered, None).await;
    check(Answer::Status(410), State::Failed, None).await;
    check(Answer::Status(404), State::Pending, Some(5..=6)).await;
    check(Answer::Redirect, State::Pending, Some(5..=6)).await;
    check(Answer::Busy(503, "120"), State::Pending, Some(120..=132)).await;
    check(Answer::Busy(429, "120"), State::Pending, Some(120..=132)).await;
    check(Answer::Busy(500, "120"), State::Pending, Some(5..=6)).await;
}

#[tokio::test]
async fn every_attempt_is_recorded() {
    let inbox = Inbox::open();
    let world = world(&inbox).await;
    inbox.answer([Answer::Status(500)]);
    paid(&world, "order-1").await;
    deliver(&world).await;
    world.advance(10).await;
    deliver(&world).await;
    let (callback, attempts) = world.app.store.callback(only(&world).await).await.unwrap().unwrap();
    assert_eq!((callback.attempts, callback.failures, callback.due_at), (2, 1, None));
    let seen: Vec<_> = attempts
        .iter()
        .map(|attempt| {
            let ended = attempt.ended.as_ref().unwrap();
            (attempt.number, attempt.started_at - START, attempt.url.clone().unwrap(), ended.outcome.clone())
        })
        .collect();
    let url = inbox.url.clone();
    assert_eq!(
        seen,
        [
            (1, 0, url.clone(), Outcome::Answered { status: 500 }),
            (2, 10, url, Outcome::Answered { status: 200 })
        ]
    );
}

/// The process dies between commit and request, or between request and answer.
#[tokio::test]
async fn a_crash_loses_no_callback_and_repeats_the_same_one() {
    let inbox = Inbox::open();
    let first = world(&inbox).await;
    paid(&first, "order-1").await;
    let world = first.restart().await;
    inbox.answer([Answer::Late(Duration::from_mins(1))]);
    let mut dispatcher = CallbackDispatcher::new(world.app.clone());
    dispatcher.begin_due().await.unwrap();
    while inbox.received().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(dispatcher);
    let world = world.restart().await;
    deliver(&world).await;
    assert_eq!(inbox.received().len(), 1, "an attempt in progress is not repeated");
    world.advance(30).await;
    deliver(&world).await;
    let received = inbox.received();
    assert_eq!(received.len(), 2);
    assert_eq!(received[0].header("webhook-id"), received[1].header("webhook-id"));
    assert_eq!(received[0].body, received[1].body);
    let (callback, attempts) = world.app.store.callback(only(&world).await).await.unwrap().unwrap();
    assert_eq!((callback.state, callback.failures), (State::Delivered, 0));
    assert_eq!(attempts.iter().map(|attempt| attempt.ended.is_some()).collect::<Vec<_>>(), [false, true]);
}

/// Two workers on one store send each callback once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_workers_share_the_callbacks() {
    let inbox = Inbox::open();
    let world = world(&inbox).await;
    for order in 0..40 {
        let (id, _) = world.quoted(json!({"clientPaymentId": format!("order-{order}")}), "BTC", "BTC").await;
        world.pay(&id, "0.001").await;
    }
    let work = |app| {
        tokio::spawn(async move {
            let mut dispatcher = CallbackDispatcher::new(app);
            for _ in 0..10 {
                dispatcher.begin_due().await.unwrap();
                dispatcher.finish().await;
            }
        })
    };
    for dispatcher in [work(world.app.clone()), work(world.app.clone()), work(world.app.clone())] {
        dispatcher.await.unwrap();
    }
    let mut ids: Vec<String> =
        inbox.received().iter().map(|received| received.header("webhook-id").to_owned()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), inbox.received().len()), (40, 40));
}

/// One endpoint does not answer; a hundred callbacks to others still arrive.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_slow_merchant_does_not_delay_others() {
    let (slow, fast) = (Inbox::open(), Inbox::open());
    let world = world(&slow).await;
    slow.answer([Answer::Late(Duration::from_mins(1)); 100]);
    let other = Settings { deposit_callback: Some(fast.url.clone()), ..Settings::default() };
    let (_, token) = create_business(&world.app, other).await;
    for order in 0..100 {
        let name = format!("order-{order}");
        if order < 30 {
            let (id, _) = world.quoted(json!({"clientPaymentId": name}), "BTC", "BTC").await;
            world.pay(&id, "0.001").await;
        }
        let body = super::payment_body(json!({"clientPaymentId": name}));
        let created = world.post("/api/v1/payments", &token, &body).await;
        let path = format!("/api/v1/payments/{}", created.payment_id());
        let info = world.patch(&path, &token, &json!({"depositCurrency": "BTC"})).await.json;
        let address = &info["paymentInfo"]["walletAddress"];
        let transfer = json!({"network": "BTC", "currency": "BTC", "address": address, "amount": "0.001"});
        world.sandbox("transfers", transfer).await;
    }
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let started = Instant::now();
    let dispatcher = tokio::spawn(CallbackDispatcher::new(world.app.clone()).run(stopped));
    while fast.received().len() < 100 && started.elapsed() < patience() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(fast.received().len(), 100);
    // None of the slow requests has ended, or another would have followed it.
    assert_eq!(slow.received().len(), 8, "the limit of concurrent requests per merchant");
    stop.send(true).unwrap();
    dispatcher.abort();
}
