//! A quote decides whether a payment is paid. What is credited is worth what the market pays when the coins arrive.

use std::sync::Arc;

use checkout_gateway::service::App;
use serde_json::json;

use super::faults::Stale;
use super::shown_quotes::{quote, set_rate, status};
use super::{World, router};

const DAY: u64 = 86_400;

/// Pays the shown amount of an order of 100 EUR, 0.00166667 BTC, after so many seconds at this rate.
async fn paid(order: serde_json::Value, after: u64, rate: &str) -> (World, String) {
    let world = World::new().await;
    let (id, _) = world.quoted(order, "BTC", "BTC").await;
    world.advance(after).await;
    set_rate(&world, "BTC", rate).await;
    world.pay(&id, "0.00166667").await;
    world.mine("BTC").await;
    (world, id)
}

/// Rows: the rate of receipt, and what is credited in EUR, less half a percent.
#[tokio::test]
async fn a_fixed_quote_pays_and_the_merchant_is_credited_what_the_market_pays() {
    for (rate, credited) in [("60000", "99.50"), ("30000", "49.75"), ("90000", "149.25"), ("60600", "100.50")]
    {
        let order = json!({"rateType": "FIXED", "expirationMinutes": 0});
        let (world, id) = paid(order, 6 * DAY, rate).await;
        assert_eq!(status(&world, &id).await, "DEPOSITED", "at {rate}");
        let payment = world.payment(&id).await;
        assert_eq!(payment["actualDisplayAmount"], "100.00", "at {rate}");
        let balances = world.balances().await;
        assert_eq!(balances.get("FIAT EUR").map(String::as_str), Some(credited), "at {rate}: {balances:?}");
    }
}

/// Rows: seconds after the quote, the rate then, and the status.
#[tokio::test]
async fn a_floating_amount_that_was_shown_pays_for_half_an_hour() {
    for (after, rate, expected) in [
        (0, "30000", "DEPOSITED"),
        (1_799, "30000", "DEPOSITED"),
        (1_800, "30000", "AWAITING"),
        (6 * DAY, "30000", "AWAITING"),
        (6 * DAY, "60000", "DEPOSITED"),
        (6 * DAY, "90000", "OVERPAID"),
    ] {
        let order = json!({"rateType": "FLOATING", "expirationMinutes": 0});
        let (world, id) = paid(order, after, rate).await;
        assert_eq!(status(&world, &id).await, expected, "after {after} s at {rate}");
    }
}

/// The payer who comes back gets an amount of now, which pays for half an hour again.
#[tokio::test]
async fn a_floating_amount_is_renewed() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({"rateType": "FLOATING", "expirationMinutes": 0}), "BTC", "BTC").await;
    world.advance(DAY).await;
    set_rate(&world, "BTC", "30000").await;
    let shown = quote(&world, &id, "BTC", "BTC").await;
    assert_eq!(shown.amount, "0.00333334");
    world.advance(1_799).await;
    set_rate(&world, "BTC", "15000").await;
    world.pay(&id, &shown.amount).await;
    world.mine("BTC").await;
    assert_eq!(status(&world, &id).await, "DEPOSITED");
}

/// No rate when the coins arrive: a quote of the last half hour is near enough, an older one is no market rate, and nothing is credited
/// yet.
#[tokio::test]
async fn an_old_quote_is_no_rate_of_the_market() {
    for (after, credited) in [(1_799, Some("99.50")), (6 * DAY, None)] {
        let mut world = World::new().await;
        let (id, _) = world.quoted(json!({"rateType": "FIXED", "expirationMinutes": 0}), "BTC", "BTC").await;
        world.advance(after).await;
        world.app = Arc::new(App { rates: Arc::new(Stale), ..(*world.app).clone() });
        world.router = router(&world.app, &world.simulated);
        world.pay(&id, "0.00166667").await;
        world.mine("BTC").await;
        assert_eq!(status(&world, &id).await, "DEPOSITED", "after {after} s");
        let balances = world.balances().await;
        assert_eq!(balances.get("FIAT EUR").map(String::as_str), credited, "after {after} s: {balances:?}");
    }
}
