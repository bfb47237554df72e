//! What leaves of one business in an hour has a limit, whatever it is for: the rest waits.

use std::collections::BTreeMap;
use std::sync::Arc;

use checkout_core::{Currency, Decimal};
use checkout_domain::business::settings::Settings;
use checkout_gateway::service::App;
use checkout_gateway::service::payouts::pay_out;
use checkout_storage::query;
use serde_json::json;

use super::World;
use super::faults::Stale;
use super::fixture::{Look as _, Place, create_business};
use super::merchant_refund_stage::BTC;

const HOUR: u64 = 3_600;

fn shop() -> Settings {
    Settings {
        name: Some("Kettle & Co".to_owned()),
        settlement_crypto: Some(Some(Currency::Btc)),
        settlement_ratio: Some(Decimal::ZERO),
        ..Settings::default()
    }
}

/// A business with 995 EUR; what leaves in an hour is at most this.
async fn world(place: Place, limit: Option<&str>) -> World {
    let world = World::at(place, shop()).await;
    world.deposit("order-1", "1000.00").await;
    let limit = limit.map(|limit| limit.parse::<Decimal>().unwrap());
    world.with_app(|app| app.policy.hourly_limit = limit)
}

/// 60 EUR each.
async fn ask(world: &World, numbers: impl IntoIterator<Item = u32>) {
    for number in numbers {
        let answer = world
            .withdraw(json!({
                "clientWithdrawalId": format!("w-{number}"), "withdrawCurrency": "BTC", "network": "BTC",
                "recipientAddress": BTC, "targetAmount": "0.001",
            }))
            .await;
        assert_eq!(answer.status, 201, "{}", answer.json);
    }
}

async fn sent(world: &World) -> usize {
    for _ in 0..3 {
        pay_out::run(&world.app).await.unwrap();
    }
    world.sent().await.len()
}

/// Rows: the limit, how many withdrawals of 60 EUR leave of four, and how many after another hour.
#[tokio::test]
async fn what_leaves_in_an_hour() {
    for (limit, first, later) in [
        (None, 4, 4),
        (Some("240"), 4, 4),
        (Some("239.99"), 3, 4),
        (Some("120"), 2, 4),
        (Some("60"), 1, 2),
        (Some("59.99"), 0, 0),
    ] {
        let world = world(Place::chosen(), limit).await;
        ask(&world, 1..=4).await;
        let reserved = world.balances().await["FIAT EUR"].clone();
        assert_eq!(sent(&world).await, first, "{limit:?}");
        world.advance(HOUR - 1).await;
        assert_eq!(sent(&world).await, first, "{limit:?}: before the hour is over");
        assert_eq!(world.balances().await["FIAT EUR"], reserved, "{limit:?}: the rest stays reserved");
        world.advance(1).await;
        assert_eq!(sent(&world).await, later, "{limit:?}: an hour later");
    }
}

#[tokio::test]
async fn a_refund_counts_and_waits_like_a_withdrawal() {
    let world = world(Place::chosen(), Some("100")).await;
    let paid = world.deposit("order-2", "60.00").await;
    ask(&world, [1]).await;
    assert_eq!(sent(&world).await, 1);
    world.refunded(&paid, json!({"address": BTC})).await;
    assert_eq!(sent(&world).await, 1);
    world.advance(HOUR).await;
    assert_eq!(sent(&world).await, 2);
}

/// What ended unsent left nothing.
#[tokio::test]
async fn a_cancelled_withdrawal_and_another_business_do_not_count() {
    let world = world(Place::chosen(), Some("60")).await;
    ask(&world, [1]).await;
    let failed = "UPDATE payouts SET state = 'FAILED', signed_at = created_at, worth = '60.00'";
    world.database.apply(query(failed)).await.unwrap();
    ask(&world, [2]).await;
    assert_eq!(sent(&world).await, 1);
    let (business, token) = create_business(&world.app, shop()).await;
    let other = World { business, token, ..world };
    other.deposit("order-3", "1000.00").await;
    ask(&other, [3, 4]).await;
    assert_eq!(sent(&other).await, 2, "one of each business");
}

/// Nobody can tell what it is worth.
#[tokio::test]
async fn without_a_rate_nothing_leaves_where_there_is_a_limit() {
    for (limit, expected) in [(None, 1), (Some("1000"), 0)] {
        let world = world(Place::chosen(), limit).await;
        ask(&world, [1]).await;
        let before = Arc::clone(&world.app);
        let world = world.with_app(|app| app.rates = Arc::new(Stale));
        assert_eq!(sent(&world).await, expected, "{limit:?}");
        let world = World { app: before, ..world };
        assert_eq!(sent(&world).await, 1, "{limit:?}: with a rate");
    }
}

/// Payouts of one business on all networks are signed at once, by two servers.
#[tokio::test]
async fn two_servers_stay_within_the_limit_together() {
    let world = world(Place::postgres(), Some("150")).await;
    ask(&world, 1..=3).await;
    for number in 4..=6 {
        let ether = json!({"clientWithdrawalId": format!("w-{number}"), "targetAmount": "0.02"});
        assert_eq!(world.withdraw(ether).await.status, 201);
    }
    pay_out::screen(&world.app).await.unwrap();
    let other = App::clone(&world.app);
    for _ in 0..5 {
        let (one, another) = tokio::join!(pay_out::send(&world.app), pay_out::send(&other));
        one.and(another).unwrap();
    }
    let worth: Vec<Decimal> = world
        .database
        .texts("SELECT worth FROM payouts WHERE state <> 'WAITING'")
        .await
        .into_iter()
        .map(|row| row[0].as_ref().unwrap().parse().unwrap())
        .collect();
    let left: Decimal = worth.iter().sum();
    assert!(left <= Decimal::from(150) && left + Decimal::from(60) > Decimal::from(150), "{worth:?}");
}

#[tokio::test]
async fn the_metrics_say_why_payouts_wait() {
    let world = world(Place::chosen(), Some("60")).await;
    ask(&world, 1..=3).await;
    let waits = async || {
        sent(&world).await;
        let text = String::from_utf8(world.get("/metrics", "").await.bytes).unwrap();
        let rows = text.lines().filter_map(|line| line.strip_prefix("checkout_payouts_waiting{why=\""));
        let rows = rows.filter_map(|row| row.split_once("\"} ")).filter(|(_, count)| *count != "0");
        rows.map(|(why, count)| (why.to_owned(), count.to_owned())).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(waits().await, BTreeMap::from([("HOURLY_LIMIT".to_owned(), "2".to_owned())]));
    world.advance(HOUR).await;
    assert_eq!(waits().await, BTreeMap::from([("HOURLY_LIMIT".to_owned(), "1".to_owned())]));
    world.advance(HOUR).await;
    assert_eq!(waits().await, BTreeMap::new());
}
