//! The limit of instant deposits is what a business can lose: all that was reported to it and is in no block, whatever it pays.

use std::sync::Arc;

use checkout_core::Network;
use checkout_domain::business::settings::Settings;
use serde_json::{Value, json};

use super::callbacks::deliver;
use super::inbox::Inbox;
use super::{World, payment_body};

/// A business that can lose so many EUR.
async fn world(inbox: &Inbox, limit: &str) -> World {
    World::with(Settings {
        name: Some("Kettle & Co".to_owned()),
        deposit_callback: Some(inbox.url.clone()),
        instant_deposit_limit: Some(Some(limit.parse().unwrap())),
        ..Settings::default()
    })
    .await
}

/// Sends coins to a new payment of this business. Returns the transaction.
async fn send(world: &World, token: &str, order: &str, (coin, amount): Sum) -> Value {
    let created =
        world.post("/api/v1/payments", token, &payment_body(json!({"clientPaymentId": order}))).await;
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let choice = json!({"depositCurrency": coin, "network": coin});
    assert_eq!(world.patch(&path, &created.session_token(), &choice).await.status, 200);
    let address = world.get(&path, token).await.json["walletAddress"].clone();
    let body = json!({"network": coin, "currency": coin, "address": address, "amount": amount});
    world.sandbox("transfers", body).await["transactionId"].clone()
}

async fn told(world: &World, inbox: &Inbox) -> usize {
    // A few are sent at a time.
    for _ in 0..5 {
        deliver(world).await;
    }
    inbox.received().len()
}

/// A coin and an amount.
type Sum = (&'static str, &'static str);

/// 60 EUR.
const BTC: Sum = ("BTC", "0.001");
const LTC: Sum = ("LTC", "0.8");
const BCH: Sum = ("BCH", "0.15");

/// Rows: the limit, a transfer to each payment, how many are told before a block has them.
#[tokio::test]
async fn payments_share_the_limit() {
    let rows: [(&str, &[Sum], usize); 8] = [
        ("100", &[BTC], 1),
        ("100", &[BTC, BTC], 1),
        ("119.99", &[BTC, BTC], 1),
        ("120", &[BTC, BTC], 2),
        ("120", &[BTC, BTC, BTC, BTC], 2),
        ("100", &[BTC, LTC, BCH], 1),
        ("180", &[BTC, LTC, BCH], 3),
        ("100", &[BTC, ("BTC", "0.0006"), ("BTC", "0.0001")], 2),
    ];
    for (limit, transfers, at_once) in rows {
        let inbox = Inbox::open();
        let world = world(&inbox, limit).await;
        for (number, transfer) in transfers.iter().enumerate() {
            send(&world, &world.token, &number.to_string(), *transfer).await;
        }
        assert_eq!(told(&world, &inbox).await, at_once, "{limit} {transfers:?}");
        for coin in ["BTC", "LTC", "BCH"] {
            world.mine(coin).await;
        }
        assert_eq!(told(&world, &inbox).await, transfers.len(), "{limit} {transfers:?}, in a block");
    }
}

/// Nothing tells any more what became of it.
#[tokio::test]
async fn a_network_that_was_taken_out_takes_no_room() {
    let inbox = Inbox::open();
    let world = world(&inbox, "100").await;
    send(&world, &world.token, "a", LTC).await;
    assert_eq!(told(&world, &inbox).await, 1);
    let world = world.with_app(|app| drop(app.chains.remove(&Network::Ltc)));
    send(&world, &world.token, "b", BTC).await;
    assert_eq!(told(&world, &inbox).await, 2);
}

/// What is in a block cannot be lost, until its block is.
#[tokio::test]
async fn a_block_makes_room_and_a_reorganisation_takes_it() {
    let inbox = Inbox::open();
    let world = world(&inbox, "100").await;
    let send = async |order: &str| send(&world, &world.token, order, BTC).await;
    send("a").await;
    assert_eq!(told(&world, &inbox).await, 1);
    send("b").await;
    assert_eq!(told(&world, &inbox).await, 1, "no room");
    world.mine("BTC").await;
    assert_eq!(told(&world, &inbox).await, 2, "in a block");
    send("c").await;
    assert_eq!(told(&world, &inbox).await, 3, "room again");
    world.mine("BTC").await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    send("d").await;
    assert_eq!(told(&world, &inbox).await, 3, "the one before can be lost again");
    world.mine("BTC").await;
    assert_eq!(told(&world, &inbox).await, 4);
}

#[tokio::test]
async fn another_business_has_a_limit_of_its_own() {
    let inbox = Inbox::open();
    let world = world(&inbox, "100").await;
    let key = world.organisation_key().await;
    let other =
        json!({"name": "Outlet", "depositReceivedCallbackUrl": inbox.url, "instantDepositLimit": "100"});
    let made = world.post("/api/v1/businesses", &key, &other).await;
    assert_eq!(made.status, 201, "{}", made.json);
    let other = made.json["token"].as_str().unwrap();
    for (order, token, expected) in
        [("a", world.token.as_str(), 1), ("b", world.token.as_str(), 1), ("c", other, 2), ("d", other, 2)]
    {
        send(&world, token, order, BTC).await;
        assert_eq!(told(&world, &inbox).await, expected, "{order}");
    }
}

/// Two networks are read at the same time.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn transfers_at_once_share_the_limit() {
    let inbox = Inbox::open();
    let world = Arc::new(world(&inbox, "130").await);
    let tasks: Vec<_> = (0..24)
        .map(|number| {
            let world = Arc::clone(&world);
            let transfer = [BTC, LTC, BCH][number % 3];
            tokio::spawn(async move { send(&world, &world.token, &number.to_string(), transfer).await })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(told(&world, &inbox).await, 2);
}
