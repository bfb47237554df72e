//! Answered requests are on disk: the gateway loses its memory and continues.

use checkout_gateway::service::transfers::record_transfers::catch_up;
use serde_json::json;

use super::World;
use crate::fixture::Look as _;

#[tokio::test]
async fn everything_reads_the_same_after_a_restart() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00166667").await;
    world.advance(120).await;
    world.sandbox("rates", json!({"from": "ETH", "to": "EUR", "rate": "2500"})).await;
    let paths = [
        format!("/api/v1/payments/{id}"),
        format!("/api/v1/checkout/{id}"),
        format!("/api/v1/businesses/{}", world.business.id),
        "/api/v1/rates?from=ETH&to=EUR".to_owned(),
    ];
    let mut before = Vec::new();
    for path in &paths {
        before.push(world.get(path, &world.token).await.json);
    }
    let created = world.create(json!({})).await;
    let now = world.app.clock.now();

    let world = world.restart().await;
    assert_eq!(world.app.clock.now(), now, "the sandbox's clock continues");
    for (path, before) in paths.iter().zip(before) {
        assert_eq!(world.get(path, &world.token).await.json, before, "{path}");
    }
    assert_eq!(world.get(&paths[0], &session).await.status, 200, "the session is still valid");
    assert_eq!(world.create(json!({})).await.json, created.json, "and so does the link of a replay");

    let address = world.payment(&id).await["walletAddress"].clone();
    let (next, _) = world.quoted(json!({"clientPaymentId": "order-2"}), "BTC", "BTC").await;
    assert_ne!(world.payment(&next).await["walletAddress"], address, "each payment has its own address");
}

/// The gateway dies between the transfer and its recording, and between the block and its recording.
#[tokio::test]
async fn transfers_during_downtime_are_credited() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let payment = world.payment(&id).await;
    let pair = checkout_core::pair::find(checkout_core::Currency::Btc, checkout_core::Network::Btc).unwrap();
    let transfer = checkout_simulator::requests::TransferRequest {
        pair,
        address: payment["walletAddress"].as_str().unwrap().to_owned(),
        tag: None,
        amount: checkout_core::Amount::parse("0.00166667", 8).unwrap(),
        from: None,
        from_tag: None,
        replaceable: false,
        transaction: None,
        sender: None,
    };
    let simulation = &world.simulated.simulator;
    simulation.send(&transfer, world.app.clock.now(), [1; 32]).await.unwrap();
    assert_eq!(world.payment(&id).await["status"], "PENDING", "the chain was not read yet");

    let world = world.restart().await;
    catch_up(&world.app, pair.network).await.unwrap();
    assert_eq!(world.payment(&id).await["status"], "AWAITING");
    world.simulated.simulator.mine(pair.network, 1).await.unwrap();

    let world = world.restart().await;
    catch_up(&world.app, pair.network).await.unwrap();
    let before = world.payment(&id).await;
    assert_eq!(before["status"], "DEPOSITED");

    // Reading the chain again from the start credits nothing twice.
    let mut tx = world.app.store.begin().await.unwrap();
    tx.put_cursor(pair.network, "0").await.unwrap();
    tx.commit().await.unwrap();
    catch_up(&world.app, pair.network).await.unwrap();
    assert_eq!(world.payment(&id).await, before);
}

/// Two concurrent readers of one chain store every transfer once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_watchers_do_not_interfere() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let address = world.payment(&id).await["walletAddress"].as_str().unwrap().to_owned();
    let pair = checkout_core::pair::find(checkout_core::Currency::Btc, checkout_core::Network::Btc).unwrap();
    let amount = checkout_core::Amount::from_atoms(100).unwrap();
    let transfer = checkout_simulator::requests::TransferRequest {
        pair,
        address,
        tag: None,
        amount,
        from: None,
        from_tag: None,
        replaceable: false,
        transaction: None,
        sender: None,
    };
    let simulation = &world.simulated.simulator;
    for index in 0..250_u8 {
        simulation.send(&transfer, world.app.clock.now(), [index; 32]).await.unwrap();
    }
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let app = std::sync::Arc::clone(&world.app);
            tokio::spawn(async move { catch_up(&app, pair.network).await.unwrap() })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let payment = world.payment(&id).await;
    assert_eq!(world.database.count("SELECT COUNT(*) FROM deposits").await, 250);
    assert_eq!(payment["actualDepositAmount"], "0.00025");
}
