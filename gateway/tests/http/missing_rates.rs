//! Deposits that come while the rate feed has no fresh rate.

use std::sync::Arc;

use checkout_domain::business::settings::Settings;
use checkout_domain::chain::screening::Decision;
use checkout_gateway::service::{App, screen_deposits};
use serde_json::{Value, json};

use super::callbacks::{deliver, world as told};
use super::faults::Stale;
use super::flagged::{BITCOIN, the_deposit};
use super::inbox::Inbox;
use super::shown_quotes::{quote, set_rate, status};
use super::{World, router};

/// The rate feed fails. Returns the gateway with rates.
fn lose_rates(world: &mut World) -> Arc<App> {
    let fresh = Arc::clone(&world.app);
    world.app = Arc::new(App { rates: Arc::new(Stale), ..(*fresh).clone() });
    world.router = router(&world.app, &world.simulated);
    fresh
}

fn find_rates(world: &mut World, fresh: Arc<App>) {
    (world.router, world.app) = (router(&fresh, &world.simulated), fresh);
}

async fn run(world: &World) -> usize {
    screen_deposits::run(&world.app).await.unwrap()
}

async fn deposit(world: &World, id: &str) -> Value {
    world.payment(id).await["deposits"][0].clone()
}

/// It is not valued at a rate of months ago, and nothing is booked or reported before it has a value.
#[tokio::test]
async fn a_deposit_without_a_rate_waits_for_the_next_one() {
    for rate_type in ["FIXED", "FLOATING"] {
        let inbox = Inbox::open();
        let mut world = told(&inbox).await;
        let order = json!({"type": "REUSABLE", "rateType": rate_type});
        let (id, _) = world.quoted(order, "BTC", "BTC").await;
        world.advance(100 * 86_400).await;
        let fresh = lose_rates(&mut world);
        world.pay(&id, "0.001").await;
        world.mine("BTC").await;
        for _ in 0..2 {
            assert_eq!(run(&world).await, 0);
            let deposit = deposit(&world, &id).await;
            assert_eq!(
                [&deposit["status"], &deposit["displayAmount"]],
                ["UNCONFIRMED", "0.00"],
                "{deposit:#}"
            );
            assert_eq!(world.payment(&id).await["actualDepositAmount"], "0");
            World::check_balances(&world.balances().await, &[]);
            deliver(&world).await;
            assert!(inbox.received().is_empty());
        }
        set_rate(&world, "BTC", "30000").await;
        find_rates(&mut world, fresh);
        assert_eq!(run(&world).await, 1);
        assert_eq!(run(&world).await, 0, "once");
        world.mine("BTC").await;
        let payment = world.payment(&id).await;
        assert_eq!(
            [&payment["status"], &payment["actualDisplayAmount"]],
            ["DEPOSITED", "30.00"],
            "{payment:#}"
        );
        assert_eq!(payment["deposits"][0]["status"], "CONFIRMED");
        assert_eq!(world.balances().await["FIAT EUR"], "29.85", "less the fee");
        deliver(&world).await;
        deliver(&world).await;
        assert_eq!(inbox.received().len(), 1);
    }
}

/// The payer chose another coin, and the transfer in the first one came after its window.
#[tokio::test]
async fn a_late_deposit_of_an_earlier_choice_counts_once_there_is_a_rate() {
    let mut world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let bitcoin = world.payment(&id).await["walletAddress"].clone();
    quote(&world, &id, "ETH", "ETH").await;
    world.advance(7_200).await;
    let fresh = lose_rates(&mut world);
    let late = json!({"network": "BTC", "currency": "BTC", "address": bitcoin, "amount": "0.002"});
    world.sandbox("transfers", late).await;
    world.mine("BTC").await;
    assert_ne!(status(&world, &id).await, "DEPOSITED");
    find_rates(&mut world, fresh);
    assert_eq!(run(&world).await, 1);
    let payment = world.payment(&id).await;
    assert_eq!([&payment["status"], &payment["actualDisplayAmount"]], ["OVERPAID", "120.00"], "{payment:#}");
}

#[tokio::test]
async fn a_deposit_without_a_rate_is_never_instant() {
    let limit = Some(Some("1000".parse().unwrap()));
    let mut world = World::with(Settings { instant_deposit_limit: limit, ..Settings::default() }).await;
    let (id, _) = world.quoted(json!({"type": "REUSABLE"}), "BTC", "BTC").await;
    world.advance(7_200).await;
    let fresh = lose_rates(&mut world);
    world.pay(&id, "1").await;
    find_rates(&mut world, fresh);
    run(&world).await;
    assert_eq!(world.payment(&id).await["actualDepositAmount"], "0");
    world.mine("BTC").await;
    assert_eq!(world.payment(&id).await["actualDepositAmount"], "1");
}

/// It is held without a value, and released with one.
#[tokio::test]
async fn a_held_deposit_without_a_rate_is_released_with_one() {
    let mut world = World::new().await;
    let (id, _) = world.quoted(json!({"type": "REUSABLE"}), "BTC", "BTC").await;
    world.flag("BTC", BITCOIN, true).await;
    world.advance(7_200).await;
    let fresh = lose_rates(&mut world);
    world.pay_from(&id, "0.001", BITCOIN).await;
    world.mine("BTC").await;
    let held = [("CHAIN BTC", "-0.001"), ("HELD BTC", "0.001")];
    World::check_balances(&world.balances().await, &held);
    world.decide(the_deposit(&world.payment(&id).await), Decision::Release).await;
    World::check_balances(&world.balances().await, &held);
    find_rates(&mut world, fresh);
    assert_eq!(run(&world).await, 1);
    assert_eq!(deposit(&world, &id).await["displayAmount"], "60.00");
    assert_eq!(world.balances().await["FIAT EUR"], "59.70");
}
