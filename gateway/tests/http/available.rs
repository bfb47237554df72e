//! What a deposit credits can be spent once the deposit is final.

use axum::http::StatusCode;
use checkout_core::Decimal;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::finality::Finality;
use checkout_gateway::service::payouts::pay_out;
use serde_json::{Value, json};

use super::own_wallet::OTHER;
use super::{Answer, World};
use crate::fixture::Place;

/// Settles in EUR, on chains with their real finality: BTC has 6.
async fn world() -> World {
    let business = Settings {
        name: Some("Careful".to_owned()),
        settlement_ratio: Some(Decimal::ZERO),
        ..Settings::default()
    };
    World::in_world(Place::chosen(), Finality::default(), business).await
}

async fn mine(world: &World, network: &str, count: u32) {
    world.sandbox("blocks", json!({"network": network, "count": count})).await;
}

/// An order of 100 EUR, paid and confirmed once. Returns the payment and the transaction.
async fn paid(world: &World, order: &str) -> (String, String) {
    let (id, _) = world.quoted(json!({"clientPaymentId": order}), "BTC", "BTC").await;
    let sent = world.pay(&id, "0.00166667").await;
    mine(world, "BTC", 1).await;
    (id, sent)
}

async fn withdraw(world: &World, id: &str, eur: &str) -> Answer {
    let body = json!({"clientWithdrawalId": id, "targetAmountPolicy": "FIAT", "targetAmount": eur});
    world.withdraw(body).await
}

async fn refund(world: &World, payment: &str, id: &str, amount: &str) -> Answer {
    let body = json!({"clientRefundId": id, "amount": amount, "address": OTHER});
    world.post(&format!("/api/v1/payments/{payment}/refunds"), &world.token, &body).await
}

#[track_caller]
fn assert_too_little(answer: &Answer) {
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{:#}", answer.json);
    assert!(answer.json.to_string().contains("insufficient_balance"), "{:#}", answer.json);
}

/// `amount`, `available` and `pending` of the balance in EUR.
async fn eur(world: &World) -> [String; 3] {
    let balances = world.get("/api/v1/balances", &world.token).await.json;
    let found = balances.as_array().unwrap().iter().find(|balance| balance["account"] == "FIAT");
    ["amount", "available", "pending"].map(|name| match found.map(|found| &found[name]) {
        Some(Value::String(text)) => text.clone(),
        other => format!("{other:?}"),
    })
}

#[tokio::test]
async fn a_withdrawal_waits_until_the_deposit_that_pays_for_it_is_final() {
    let world = world().await;
    paid(&world, "order-1").await;
    assert_eq!(eur(&world).await, ["99.50", "0.00", "99.50"]);
    assert_too_little(&withdraw(&world, "early", "50").await);
    world.advance(3_600).await;
    mine(&world, "BTC", 4).await;
    assert_too_little(&withdraw(&world, "still early", "50").await);
    world.advance(3_600).await;
    mine(&world, "BTC", 1).await;
    assert_eq!(eur(&world).await, ["99.50", "99.50", "0.00"]);
    assert_eq!(withdraw(&world, "final", "50").await.status, StatusCode::CREATED);
    pay_out::run(&world.app).await.unwrap();
    assert_eq!(world.sent().await.len(), 1);
}

/// However many there are: all are asked for at the same block.
#[tokio::test]
async fn sixty_deposits_are_final_together() {
    let world = world().await;
    let (id, _) = world.quoted(json!({"type": "REUSABLE"}), "BTC", "BTC").await;
    for _ in 0..60 {
        world.pay(&id, "0.00166667").await;
    }
    mine(&world, "BTC", 1).await;
    world.advance(3_600).await;
    mine(&world, "BTC", 5).await;
    assert_eq!(eur(&world).await, ["5970.00", "5970.00", "0.00"]);
}

/// What is final can be spent while something else is not.
#[tokio::test]
async fn a_later_deposit_holds_back_only_itself() {
    let world = world().await;
    paid(&world, "order-1").await;
    world.advance(7_200).await;
    mine(&world, "BTC", 5).await;
    paid(&world, "order-2").await;
    assert_eq!(eur(&world).await, ["199.00", "99.50", "99.50"]);
    assert_too_little(&withdraw(&world, "both", "150").await);
    assert_eq!(withdraw(&world, "one", "50").await.status, StatusCode::CREATED);
    assert_too_little(&withdraw(&world, "another", "60").await);
}

/// The deposit is dropped: nothing was sent, and the balance is not negative.
#[tokio::test]
async fn a_deposit_that_leaves_its_chain_takes_no_money_along() {
    let world = world().await;
    let (_, sent) = paid(&world, "order-1").await;
    assert_too_little(&withdraw(&world, "early", "50").await);
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    world.sandbox("drops", json!({"transactionId": sent})).await;
    pay_out::run(&world.app).await.unwrap();
    assert_eq!(world.sent().await, []);
    World::check_balances(&world.balances().await, &[]);
}

/// A deposit that comes back after a reorganisation has to become final again.
#[tokio::test]
async fn a_deposit_that_comes_back_is_not_final() {
    let world = world().await;
    let (_, sent) = paid(&world, "order-1").await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    world.sandbox("drops", json!({"transactionId": sent})).await;
    paid(&world, "order-2").await;
    world.advance(3_600).await;
    assert_eq!(eur(&world).await, ["99.50", "0.00", "99.50"]);
}

/// Rows: finality, and whether one confirmation is enough. The operator declares it, in one place.
#[tokio::test]
async fn the_operator_says_what_is_final() {
    for (blocks, expected) in [(1, StatusCode::CREATED), (2, StatusCode::UNPROCESSABLE_ENTITY)] {
        let business = Settings {
            name: Some("Quick".to_owned()),
            settlement_ratio: Some(Decimal::ZERO),
            ..Settings::default()
        };
        let finality = Finality::with([(checkout_core::Network::Btc, blocks)]);
        let world = World::in_world(Place::chosen(), finality, business).await;
        paid(&world, "order-1").await;
        assert_eq!(withdraw(&world, "now", "50").await.status, expected, "{blocks}");
    }
}

/// A refund is signed when its own deposit is final, so it can be asked for before; but it takes no money of another deposit.
#[tokio::test]
async fn a_refund_of_the_deposit_itself_can_be_asked_for_before() {
    let world = world().await;
    let (first, _) = paid(&world, "order-1").await;
    world.advance(7_200).await;
    mine(&world, "BTC", 5).await;
    assert_eq!(withdraw(&world, "all of it", "60").await.status, StatusCode::CREATED);
    let (second, _) = paid(&world, "order-2").await;
    assert_too_little(&refund(&world, &first, "of the first", "0.001").await);
    let own = refund(&world, &second, "of the second", "0.001").await;
    assert_eq!(own.status, StatusCode::CREATED, "{:#}", own.json);
}

/// A payment that is final and partly withdrawn, and one that is not, of which the merchant refunds a part. With what can be spent
/// before the second.
async fn one_refund_waits_for_its_own_deposit() -> (World, String, String) {
    let world = world().await;
    let (first, _) = paid(&world, "order-1").await;
    world.advance(7_200).await;
    mine(&world, "BTC", 5).await;
    assert_eq!(withdraw(&world, "rent", "50").await.status, StatusCode::CREATED);
    pay_out::run(&world.app).await.unwrap();
    let [_, available, _] = eur(&world).await;
    let (second, _) = paid(&world, "order-2").await;
    let waits = refund(&world, &second, "waits", "0.001").await;
    assert_eq!(waits.status, StatusCode::CREATED, "{:#}", waits.json);
    (world, first, available)
}

/// What the refund has taken of its own pending deposit is not taken off the money of others a second time.
#[tokio::test]
async fn a_refund_of_one_order_does_not_stop_that_of_another() {
    let (world, first, _) = one_refund_waits_for_its_own_deposit().await;
    let other = refund(&world, &first, "other", "0.0004").await;
    assert_eq!(other.status, StatusCode::CREATED, "{:#}", other.json);
    let before = world.sent().await.len();
    world.run().await;
    assert_eq!(
        world.sent().await.len(),
        before + 1,
        "its own deposit is final, that of the first refund is not"
    );
    mine(&world, "BTC", 5).await;
    world.run().await;
    assert_eq!(world.sent().await.len(), before + 2);
}

#[tokio::test]
async fn beside_a_refund_that_waits_all_final_money_can_be_withdrawn_and_no_more() {
    let (world, _, before) = one_refund_waits_for_its_own_deposit().await;
    let [amount, available, pending] = eur(&world).await;
    assert_eq!(available, before, "{amount} {pending}");
    let [sum, rest] = [&amount, &pending].map(|text| text.parse::<Decimal>().unwrap());
    assert_eq!(sum - rest, available.parse().unwrap());
    let most = withdraw(&world, "most", "32").await;
    assert_eq!(most.status, StatusCode::CREATED, "{available}: {:#}", most.json);
    assert_too_little(&withdraw(&world, "more", "32").await);
}

/// A shop that waits for several blocks hears of it once, when it is true.
#[tokio::test]
async fn a_final_deposit_is_told_once() {
    let business = Settings {
        name: Some("Careful".to_owned()),
        event_url: Some("http://127.0.0.1:9/events".to_owned()),
        ..Settings::default()
    };
    let world = World::in_world(Place::chosen(), Finality::default(), business).await;
    let (id, _) = paid(&world, "order-1").await;
    let told = async || {
        let events = world.typed_events(&id).await;
        events.iter().filter(|event| event["type"] == "deposit.final").count()
    };
    mine(&world, "BTC", 4).await;
    assert_eq!(told().await, 0, "5 confirmations of 6");
    for _ in 0..2 {
        mine(&world, "BTC", 1).await;
        assert_eq!(told().await, 1);
    }
}
