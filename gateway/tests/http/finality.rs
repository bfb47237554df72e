//! Refunds wait for finality, and payouts are tracked until they are final, by the table's depths.

use std::sync::Arc;

use checkout_domain::business::settings::Settings;
use checkout_domain::chain::finality::Finality;
use checkout_domain::ports::broadcaster::Unsent;
use checkout_gateway::service::App;
use checkout_gateway::service::app::Policy;
use checkout_gateway::service::payouts::pay_out;
use serde_json::{Value, json};

use super::paid_once::faulty;
use super::{World, metrics};
use crate::fixture::Look as _;
use crate::fixture::Place;

/// A business that refunds excess, on chains with their real finality.
async fn world() -> World {
    let business =
        Settings { name: Some("Fair".to_owned()), refund_excess: Some(true), ..Settings::default() };
    World::in_world(Place::chosen(), Finality::default(), business).await
}

async fn mine(world: &World, network: &str, count: u32) {
    world.sandbox("blocks", json!({"network": network, "count": count})).await;
}

fn refund(payment: &Value) -> (&str, bool, bool) {
    let deposits = payment["deposits"].as_array().unwrap();
    let refund = deposits.iter().find_map(|deposit| deposit.get("refund")).expect("a refund");
    (
        refund["status"].as_str().unwrap(),
        refund["transactionId"].is_string(),
        refund["confirmedAt"].is_number(),
    )
}

/// Returns each payout's state, and how often its transaction is pending or in a block.
async fn payouts(world: &World) -> Vec<(String, usize)> {
    let rows =
        world.database.texts("SELECT state, COALESCE(transaction_id, '') FROM payouts ORDER BY id").await;
    let there = world.database.texts("SELECT transaction_id FROM sim_transfers WHERE dropped = 0").await;
    let count = |id: &Option<String>| there.iter().filter(|row| row[0] == *id).count();
    rows.iter().map(|row| (row[0].clone().unwrap(), count(&row[1]))).collect()
}

#[tokio::test]
async fn a_deposit_is_refunded_only_once_final() {
    for (currency, network, amount, depth) in [
        ("BTC", "BTC", "0.00266667", 6),
        ("LTC", "LTC", "2", 24),
        ("ETH", "ETH", "0.05", 96),
        ("XRP", "XRP", "300", 1),
    ] {
        let world = world().await;
        let (id, _) = world.quoted(json!({}), currency, network).await;
        let sent = world.pay(&id, amount).await;
        mine(&world, network, 1).await;
        let payment = world.payment(&id).await;
        assert_eq!(payment["status"], "OVERPAID", "{network}: the payment does not wait");
        assert_eq!(payment["deposits"][0]["status"], "CONFIRMED", "{network}");
        if depth > 1 {
            mine(&world, network, depth - 2).await;
            assert_eq!(refund(&world.payment(&id).await), ("PENDING", false, false), "{network}");
            // A double spend: nothing was sent, and nothing is lost.
            world.sandbox("drops", json!({"transactionId": sent})).await;
            pay_out::run(&world.app).await.unwrap();
            assert_eq!(payouts(&world).await, [("CANCELLED".to_owned(), 0)], "{network}");
            World::check_balances(&world.balances().await, &[]);
            world.pay(&id, amount).await;
            mine(&world, network, depth).await;
        }
        assert_eq!(refund(&world.payment(&id).await), ("PENDING", true, false), "{network}");
        mine(&world, network, 1).await;
        assert_eq!(refund(&world.payment(&id).await), ("CONFIRMED", true, true), "{network}");
    }
}

/// The first deposit makes the second one excess. While the first can vanish, the second is not refunded.
#[tokio::test]
async fn a_refund_waits_for_finality_of_all_deposits() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.001").await;
    mine(&world, "BTC", 5).await;
    world.pay(&id, "0.002").await;
    mine(&world, "BTC", 5).await;
    assert_eq!(refund(&world.payment(&id).await), ("PENDING", false, false), "the second has 5");
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 4})).await;
    mine(&world, "BTC", 4).await;
    assert_eq!(refund(&world.payment(&id).await), ("PENDING", false, false), "5 again");
    mine(&world, "BTC", 1).await;
    assert_eq!(refund(&world.payment(&id).await), ("PENDING", true, false));
}

/// A refund that leaves its chain is pending again and is rebroadcast with the same bytes.
#[tokio::test]
async fn a_reorganised_refund_is_sent_again() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00266667").await;
    mine(&world, "BTC", 6).await;
    mine(&world, "BTC", 1).await;
    let confirmed = world.payment(&id).await;
    assert_eq!(refund(&confirmed), ("CONFIRMED", true, true));
    let sent = confirmed["deposits"][0]["refund"]["transactionId"].clone();
    let before = world.balances().await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    assert_eq!(refund(&world.payment(&id).await), ("PENDING", true, false));
    world.sandbox("drops", json!({"transactionId": sent})).await;
    assert_eq!(payouts(&world).await, [("SENT".to_owned(), 1)]);
    mine(&world, "BTC", 1).await;
    let again = world.payment(&id).await;
    assert_eq!(refund(&again), ("CONFIRMED", true, true));
    assert_eq!(again["deposits"][0]["refund"]["transactionId"], sent);
    assert_eq!(world.balances().await, before, "booked once");
}

/// With the finality of production.
fn wait_for_finality(world: &mut World) {
    let policy = Policy { finality: Finality::default(), ..world.app.policy.clone() };
    world.app = Arc::new(App { policy, ..App::clone(&world.app) });
}

/// COMPLETED is reported once, when the withdrawal is sent. It is tracked until it is final.
#[tokio::test]
async fn a_reorganised_withdrawal_is_sent_again() {
    let mut world = World::rich().await;
    wait_for_finality(&mut world);
    world.router = crate::router(&world.app, &world.simulated);
    world.withdraw(json!({})).await;
    pay_out::run(&world.app).await.unwrap();
    let rows = world.database.texts("SELECT transaction_id FROM payouts").await;
    let id = rows[0][0].clone().unwrap();
    let after = world.balances().await;
    mine(&world, "ETH", 95).await;
    for _ in 0..2 {
        world.sandbox("drops", json!({"transactionId": id})).await;
        assert_eq!(payouts(&world).await, [("SENT".to_owned(), 1)]);
        assert_eq!(world.stored("status").await, [Some("COMPLETED".into())]);
        mine(&world, "ETH", 95).await;
        assert_eq!(payouts(&world).await, [("CONFIRMED".to_owned(), 1)]);
        pay_out::run(&world.app).await.unwrap();
        assert_eq!(payouts(&world).await, [("CONFIRMED".to_owned(), 1)], "95 blocks are not 96");
    }
    mine(&world, "ETH", 1).await;
    assert_eq!(payouts(&world).await, [("FINAL".to_owned(), 1)]);
    assert_eq!(world.balances().await, after);
}

/// The network refuses the rebroadcast: the metrics show it until the network accepts it.
#[tokio::test]
async fn a_payout_that_is_refused_again_is_reported() {
    let mut world = World::rich().await;
    world.withdraw(json!({})).await;
    wait_for_finality(&mut world);
    pay_out::run(&world.app).await.unwrap();
    let rows = world.database.texts("SELECT transaction_id FROM payouts").await;
    let id = rows[0][0].clone().unwrap();
    metrics::check(&metrics::scrape(&world).await, "checkout_payouts_stuck 0");
    world.simulated.simulator.drop_transfer(&id).await.unwrap();
    world.app =
        faulty(&world, false, |call| (call < 3).then(|| Unsent::Refused("spent otherwise".to_owned())));
    world.router = crate::router(&world.app, &world.simulated);
    let before = world.balances().await;
    for (stuck, on_its_way) in [(1, 0), (1, 0), (1, 0), (0, 1)] {
        pay_out::run(&world.app).await.unwrap();
        metrics::check(&metrics::scrape(&world).await, &format!("checkout_payouts_stuck {stuck}"));
        assert_eq!(payouts(&world).await, [("SENT".to_owned(), on_its_way)]);
    }
    assert_eq!((world.sent().await.len(), world.balances().await), (1, before));
}
