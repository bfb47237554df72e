//! The confirmations that a payer's deposit waits for.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode, header};
use checkout_core::Network;
use checkout_gateway::service::App;
use checkout_simulator::chain::SimulatedChain;
use serde_json::{Value, json};

use super::World;

/// The confirmations that deposits on ETH need.
async fn world(confirmations: u32) -> World {
    let mut world = World::new().await;
    require(&mut world, confirmations);
    world
}

fn require(world: &mut World, confirmations: u32) {
    let mut app = App::clone(&world.app);
    let chain = SimulatedChain::new(Network::Eth, world.database.clone());
    app.chains.insert(Network::Eth, Arc::new(chain.with_confirmations(confirmations)));
    world.app = Arc::new(app);
    world.router = crate::router(&world.app, &world.simulated);
}

struct Payer {
    path: String,
    token: String,
}

impl Payer {
    /// Pays a new payment. Also returns the id of the transaction.
    async fn pays(world: &World, order: &str) -> (Self, String) {
        let (id, token) = world.quoted(json!({"clientPaymentId": order}), "ETH", "ETH").await;
        let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
        (Self { path: format!("/api/v1/checkout/{id}"), token }, world.pay(&id, &amount).await)
    }

    async fn look(&self, world: &World) -> (Value, HeaderMap) {
        let answer = world.get(&self.path, &self.token).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
        (answer.json, answer.headers)
    }

    /// Checks the payment's status and the confirmations of its deposit. Returns the version of the payment.
    async fn sees(&self, world: &World, status: &str, expected: Option<(u64, u64)>) -> u64 {
        let (view, _) = self.look(world).await;
        let transfer = &view["transfers"][0];
        let count = transfer["confirmations"].as_u64().zip(transfer["requiredConfirmations"].as_u64());
        assert_eq!((view["payment"]["status"].as_str(), count), (Some(status), expected), "{view}");
        assert_eq!(transfer.get("confirmations").is_some(), expected.is_some(), "{transfer}");
        view["version"].as_u64().unwrap()
    }
}

async fn mine(world: &World, count: u32) {
    world.sandbox("blocks", json!({"network": "ETH", "count": count})).await;
}

async fn reorganise(world: &World, depth: u32) {
    world.sandbox("reorgs", json!({"network": "ETH", "depth": depth})).await;
}

#[tokio::test]
async fn the_payer_sees_each_confirmation_and_a_reorganisation_takes_them_back() {
    let world = world(3).await;
    let (payer, _) = Payer::pays(&world, "order-1").await;
    let mut last = payer.sees(&world, "AWAITING", Some((0, 3))).await;
    for (blocks, status) in [(1, "AWAITING"), (2, "AWAITING"), (3, "DEPOSITED")] {
        mine(&world, 1).await;
        let version = payer.sees(&world, status, Some((blocks, 3))).await;
        assert!(version > last, "a poll notices block {blocks}");
        last = version;
    }
    mine(&world, 4).await;
    assert_eq!(payer.sees(&world, "DEPOSITED", Some((3, 3))).await, last, "enough: nothing changes any more");
    reorganise(&world, 5).await;
    payer.sees(&world, "AWAITING", Some((2, 3))).await;
    reorganise(&world, 2).await;
    payer.sees(&world, "AWAITING", Some((0, 3))).await;
    mine(&world, 2).await;
    payer.sees(&world, "AWAITING", Some((2, 3))).await;
    mine(&world, 1).await;
    payer.sees(&world, "DEPOSITED", Some((3, 3))).await;
}

#[tokio::test]
async fn a_waiting_page_polls_until_the_next_block() {
    let world = world(3).await;
    let (payer, _) = Payer::pays(&world, "order-1").await;
    mine(&world, 1).await;
    let poll = async |headers: &HeaderMap| {
        let request = Request::get(&payer.path)
            .header(header::AUTHORIZATION, format!("Bearer {}", payer.token))
            .header(header::IF_NONE_MATCH, &headers[header::ETAG]);
        world.send(request.body(Body::empty()).unwrap()).await.status
    };
    let (_, headers) = payer.look(&world).await;
    assert_eq!(poll(&headers).await, StatusCode::NOT_MODIFIED);
    mine(&world, 1).await;
    assert_eq!(poll(&headers).await, StatusCode::OK);
}

#[tokio::test]
async fn several_deposits_count_separately_and_one_that_vanishes_is_gone() {
    let world = world(6).await;
    let (first, _) = Payer::pays(&world, "first").await;
    mine(&world, 2).await;
    let (second, transaction) = Payer::pays(&world, "second").await;
    mine(&world, 1).await;
    let before = first.sees(&world, "AWAITING", Some((3, 6))).await;
    second.sees(&world, "AWAITING", Some((1, 6))).await;
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    assert_eq!(first.sees(&world, "AWAITING", Some((3, 6))).await, before, "another payment");
    let (view, _) = second.look(&world).await;
    assert_eq!((&view["payment"]["status"], &view["transfers"]), (&json!("PENDING"), &json!([])));
    // All at once, after a pause.
    mine(&world, 40).await;
    first.sees(&world, "DEPOSITED", Some((6, 6))).await;
}

/// The page says so until another transfer is seen, also after a reload.
#[tokio::test]
async fn the_page_says_that_the_last_transfer_has_vanished() {
    let world = world(1).await;
    let (payer, transaction) = Payer::pays(&world, "order-1").await;
    let vanished = async || payer.look(&world).await.0["transferVanished"].clone();
    assert_eq!(vanished().await, false);
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    assert_eq!(vanished().await, true);
    let id = payer.path.rsplit('/').next().unwrap();
    world.pay(id, "0.01").await;
    assert_eq!(vanished().await, false);
}

/// There is nothing to count: "0 of 1" would say nothing.
#[tokio::test]
async fn one_confirmation_is_not_counted() {
    let world = world(1).await;
    let (payer, _) = Payer::pays(&world, "order-1").await;
    payer.sees(&world, "AWAITING", None).await;
    mine(&world, 1).await;
    payer.sees(&world, "DEPOSITED", None).await;
}

/// A configuration with more or fewer confirmations applies to deposits that wait.
#[tokio::test]
async fn another_number_of_confirmations_after_a_restart() {
    let mut world = world(6).await;
    let (payer, _) = Payer::pays(&world, "order-1").await;
    mine(&world, 4).await;
    payer.sees(&world, "AWAITING", Some((4, 6))).await;
    for (required, status, expected) in
        [(9, "AWAITING", Some((5, 9))), (2, "DEPOSITED", Some((2, 2))), (1, "DEPOSITED", None)]
    {
        require(&mut world, required);
        mine(&world, 1).await;
        payer.sees(&world, status, expected).await;
    }
    require(&mut world, 9);
    let (payer, _) = Payer::pays(&world, "order-2").await;
    mine(&world, 2).await;
    payer.sees(&world, "AWAITING", Some((2, 9))).await;
    require(&mut world, 1);
    mine(&world, 1).await;
    payer.sees(&world, "DEPOSITED", None).await;
}

#[tokio::test]
async fn the_page_knows_which_transfer_came_after_the_order_was_paid() {
    let world = world(1).await;
    let (payer, _) = Payer::pays(&world, "order-1").await;
    let follow_ups = async || {
        let (view, _) = payer.look(&world).await;
        let transfers = view["transfers"].as_array().unwrap().iter();
        transfers.map(|transfer| transfer["followUp"] == true).collect::<Vec<_>>()
    };
    let id = payer.path.rsplit('/').next().unwrap();
    world.pay(id, "0.001").await;
    assert_eq!(follow_ups().await, [false, false], "both came before it was paid");
    mine(&world, 1).await;
    world.pay(id, "0.001").await;
    assert_eq!(follow_ups().await, [false, false, true]);
    mine(&world, 1).await;
    assert_eq!(follow_ups().await, [false, false, true]);
}
