//! Coins that arrive while there is no fresh rate are being valued: nobody is asked for them again, and nothing is credited at an old
//! rate, or at none.

use std::sync::Arc;

use checkout_domain::business::settings::Settings;
use checkout_domain::chain::screening::Decision;
use checkout_domain::ids::PaymentId;
use checkout_gateway::service::App;
use checkout_gateway::service::transfers::value_deposits;
use checkout_gateway::service::transfers::value_deposits::Given;
use checkout_storage::query;
use checkout_test_nodes::Received;
use serde_json::{Value, json};
use uuid::Uuid;

use super::callbacks::deliver;
use super::faults::Stale;
use super::flagged::{BITCOIN, the_deposit};
use super::inbox::Inbox;
use super::shown_quotes::{quote, send_part, set_rate};
use super::{World, router};

const DAY: u64 = 86_400;

/// Settles in EUR.
async fn world(inbox: &Inbox) -> World {
    World::with(Settings {
        name: Some("Kettle & Co".to_owned()),
        settlement_ratio: Some(checkout_core::Decimal::ZERO),
        deposit_callback: Some(inbox.url.clone()),
        event_url: Some(inbox.url.clone()),
        ..Settings::default()
    })
    .await
}

/// The feed answers no more. Returns what brings it back.
fn feed_ends(world: &mut World) -> Arc<App> {
    let before = Arc::clone(&world.app);
    world.app = Arc::new(App { rates: Arc::new(Stale), ..(*before).clone() });
    world.router = router(&world.app, &world.simulated);
    before
}

async fn feed_returns(world: &mut World, before: Arc<App>, rate: &str) {
    world.app = before;
    world.router = router(&world.app, &world.simulated);
    set_rate(world, "BTC", rate).await;
}

fn deposit(payment: &Value) -> &Value {
    &payment["deposits"][0]
}

/// How many of each of these were told: the callback, the event of a confirmed deposit, and that of a final one.
fn told(inbox: &Inbox) -> [usize; 3] {
    let bodies: Vec<Value> = inbox.received().iter().map(Received::json).collect();
    let count = |kind: Option<&str>| bodies.iter().filter(|body| body["type"].as_str() == kind).count();
    [None, Some("deposit.confirmed"), Some("deposit.final")].map(count)
}

async fn credited(world: &World) -> Option<String> {
    world.balances().await.get("FIAT EUR").cloned()
}

/// One of two is of a payment that cannot be read.
#[tokio::test]
async fn a_deposit_that_cannot_be_valued_does_not_stop_the_others() {
    for damaged in 0..2 {
        let inbox = Inbox::open();
        let mut world = world(&inbox).await;
        let mut orders = Vec::new();
        for order in ["first", "second"] {
            let order = json!({"clientPaymentId": order, "expirationMinutes": 0});
            let (id, _) = world.quoted(order, "BTC", "BTC").await;
            orders.push((world.payment(&id).await["walletAddress"].clone(), id));
        }
        let feed = feed_ends(&mut world);
        world.advance(DAY).await;
        for (to, _) in &orders {
            let transfer =
                json!({"network": "BTC", "currency": "BTC", "address": to, "amount": "0.00166667"});
            world.sandbox("transfers", transfer).await;
        }
        world.mine("BTC").await;
        let id: PaymentId = orders[damaged].1.parse().unwrap();
        let spoil = query("UPDATE payments SET rate_type = 'unreadable' WHERE id = $1").bind(id);
        world.database.apply(spoil).await.unwrap();
        feed_returns(&mut world, feed, "60000").await;
        value_deposits::run(&world.app).await.unwrap_err();
        assert_eq!(credited(&world).await.as_deref(), Some("99.50"), "{damaged}");
    }
}

/// What the payer sends: to the quote that holds, or to an address of before, after another coin was chosen.
#[derive(Clone, Copy, Debug)]
enum Sends {
    WhatIsShown,
    AnEarlierCoin,
}

/// Rows: what is sent for an order of 100 EUR a day after it was quoted at 60,000, the rate when the feed is back, and what becomes of it.
#[tokio::test]
async fn a_deposit_is_valued_at_the_first_rate() {
    use Sends::{AnEarlierCoin, WhatIsShown};
    for (sends, rate, meanwhile, status, eur) in [
        (WhatIsShown, "60000", "DEPOSITED", "DEPOSITED", "99.50"),
        (WhatIsShown, "30000", "DEPOSITED", "DEPOSITED", "49.75"),
        (AnEarlierCoin, "60000", "AWAITING", "OVERPAID", "99.50"),
        (AnEarlierCoin, "30000", "AWAITING", "EXPIRED", "49.75"),
    ] {
        let story = format!("{sends:?} at {rate}");
        let inbox = Inbox::open();
        let mut world = world(&inbox).await;
        let window = if matches!(sends, WhatIsShown) { 0 } else { 30 };
        let order = json!({"rateType": "FIXED", "expirationMinutes": window});
        let (id, _) = world.quoted(order, "BTC", "BTC").await;
        let to = world.payment(&id).await["walletAddress"].clone();
        if matches!(sends, AnEarlierCoin) {
            quote(&world, &id, "ETH", "ETH").await;
        }
        let feed = feed_ends(&mut world);
        world.advance(DAY).await;
        let transfer = json!({"network": "BTC", "currency": "BTC", "address": to, "amount": "0.00166667"});
        world.sandbox("transfers", transfer).await;
        world.mine("BTC").await;
        assert_eq!(value_deposits::run(&world.app).await.unwrap(), 0, "{story}: there is no rate");
        deliver(&world).await;
        let payment = world.payment(&id).await;
        assert_eq!(payment["status"], meanwhile, "{story}: {payment:#}");
        assert_eq!(deposit(&payment)["beingValued"], json!(true), "{story}: {payment:#}");
        assert_eq!(deposit(&payment)["status"], "CONFIRMED", "{story}");
        assert_eq!(credited(&world).await, None, "{story}");
        assert_eq!(world.balances().await.get("CRYPTO BTC"), None, "{story}");
        assert_eq!(told(&inbox), [0, 0, 0], "{story}: nobody is told of a deposit worth 0.00");

        feed_returns(&mut world, feed, rate).await;
        assert_eq!(value_deposits::run(&world.app).await.unwrap(), 1, "{story}");
        assert_eq!(value_deposits::run(&world.app).await.unwrap(), 0, "{story}: once");
        deliver(&world).await;
        let payment = world.payment(&id).await;
        assert_eq!(payment["status"], status, "{story}: {payment:#}");
        assert_eq!(deposit(&payment).get("beingValued"), None, "{story}");
        assert_ne!(deposit(&payment)["displayAmount"], "0.00", "{story}");
        assert_eq!(credited(&world).await.as_deref(), Some(eur), "{story}");
        assert_eq!(told(&inbox), [1, 1, 1], "{story}");
        // Later rates change nothing.
        set_rate(&world, "BTC", "90000").await;
        assert_eq!(value_deposits::run(&world.app).await.unwrap(), 0, "{story}");
        assert_eq!(credited(&world).await.as_deref(), Some(eur), "{story}");
    }
}

/// A quote of the last half hour is near enough to the market.
#[tokio::test]
async fn a_deposit_of_a_new_quote_needs_no_feed() {
    let inbox = Inbox::open();
    let mut world = world(&inbox).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    feed_ends(&mut world);
    world.advance(1_700).await;
    world.pay(&id, "0.00166667").await;
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    assert_eq!((&payment["status"], deposit(&payment).get("beingValued")), (&json!("DEPOSITED"), None));
    assert_eq!(credited(&world).await.as_deref(), Some("99.50"));
}

/// The order paid to an earlier address a day later, while there is no rate. Nothing is mined. Returns the payment, its session, the transaction, and what
/// brings the feed back.
async fn sent_without_a_rate(world: &mut World) -> (String, String, Value, Arc<App>) {
    let (id, session) = world.quoted(json!({"rateType": "FIXED"}), "BTC", "BTC").await;
    let to = world.payment(&id).await["walletAddress"].clone();
    quote(world, &id, "ETH", "ETH").await;
    let feed = feed_ends(world);
    world.advance(DAY).await;
    let transfer = json!({"network": "BTC", "currency": "BTC", "address": to, "amount": "0.00166667"});
    let sent = world.sandbox("transfers", transfer).await["transactionId"].clone();
    (id, session, sent, feed)
}

/// What leaves its chain before it has a value is worth nothing, and is not asked for again.
#[tokio::test]
async fn a_deposit_that_is_lost_needs_no_value() {
    let inbox = Inbox::open();
    let mut world = world(&inbox).await;
    let (id, _, sent, feed) = sent_without_a_rate(&mut world).await;
    world.mine("BTC").await;
    assert_eq!(world.payment(&id).await["status"], "AWAITING");
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    world.sandbox("drops", json!({"transactionId": sent})).await;
    assert_eq!(world.payment(&id).await["status"], "EXPIRED");
    feed_returns(&mut world, feed, "60000").await;
    value_deposits::run(&world.app).await.unwrap();
    assert_eq!(world.payment(&id).await["status"], "EXPIRED");
    assert_eq!(credited(&world).await, None);
}

/// The page does not say that the link has expired while coins are being valued, nor does it offer them back.
#[tokio::test]
async fn the_page_asks_for_nothing_meanwhile() {
    let inbox = Inbox::open();
    let mut world = world(&inbox).await;
    let (id, session, ..) = sent_without_a_rate(&mut world).await;
    world.mine("BTC").await;
    let view = world.get(&format!("/api/v1/checkout/{id}"), &session).await.json;
    assert_eq!(view["payment"]["status"], "AWAITING", "{view:#}");
    assert_eq!(view["payment"]["deposits"][0]["beingValued"], json!(true), "{view:#}");
    assert_eq!(view.get("claims"), None, "{view:#}");
}

/// It gets its value before it is credited: before its block, or while it is held.
#[tokio::test]
async fn what_is_valued_first_is_credited_at_that_rate() {
    for is_held in [false, true] {
        let inbox = Inbox::open();
        let mut world = world(&inbox).await;
        world.flag("BTC", BITCOIN, is_held).await;
        let (id, _, _, feed) = sent_without_a_rate(&mut world).await;
        if is_held {
            world.mine("BTC").await;
        }
        feed_returns(&mut world, feed, "60000").await;
        assert_eq!(value_deposits::run(&world.app).await.unwrap(), 1, "held: {is_held}");
        assert_eq!(credited(&world).await, None, "held: {is_held}");
        set_rate(&world, "BTC", "30000").await;
        if is_held {
            world.decide(the_deposit(&world.payment(&id).await), Decision::Release).await;
        } else {
            world.mine("BTC").await;
        }
        let balances = world.balances().await;
        assert_eq!(credited(&world).await.as_deref(), Some("99.50"), "held: {is_held}: {balances:?}");
    }
}

/// An operator knows the rate, also where the feed has none for the coin of the price.
#[tokio::test]
async fn an_operator_gives_the_rate() {
    for order in
        [json!({}), json!({"displayAmount": null, "depositCurrency": "ETH", "depositAmount": "0.0333"})]
    {
        let inbox = Inbox::open();
        let mut world = world(&inbox).await;
        let (id, _) = world.quoted(order.clone(), "ETH", "ETH").await;
        let to = world.payment(&id).await["walletAddress"].clone();
        feed_ends(&mut world);
        world.advance(DAY).await;
        let transfer = json!({"network": "ETH", "currency": "USDC", "address": to, "amount": "100"});
        world.sandbox("transfers", transfer).await;
        world.mine("ETH").await;
        let deposit = the_deposit(&world.payment(&id).await);
        let give = async |id| {
            let rate = ("0.9".parse().unwrap(), None);
            value_deposits::give(world.app.store.as_ref(), world.app.clock.now(), id, rate).await.unwrap()
        };
        assert_eq!(give(Uuid::nil()).await, Given::NoDeposit);
        assert_eq!(give(deposit).await, Given::Kept, "{order}");
        assert_eq!(value_deposits::run(&world.app).await.unwrap(), 1, "{order}");
        assert_eq!(give(deposit).await, Given::Valued, "{order}");
        assert_eq!(credited(&world).await.as_deref(), Some("89.55"), "{order}");
    }
}

/// At a FLOATING rate its value may pay what the amount that was shown does not.
#[tokio::test]
async fn a_floating_payment_waits_for_the_value() {
    let inbox = Inbox::open();
    let mut world = world(&inbox).await;
    let (id, _) = world.quoted(json!({"rateType": "FLOATING"}), "BTC", "BTC").await;
    let shown = quote(&world, &id, "BTC", "BTC").await;
    let sent_at = world.app.clock.now() + 1_200;
    let feed = feed_ends(&mut world);
    world.advance(1_860).await;
    send_part(&world, &shown, "0.0016", sent_at).await;
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    assert_eq!(payment["status"], "AWAITING", "{payment:#}");
    feed_returns(&mut world, feed, "63000").await;
    value_deposits::run(&world.app).await.unwrap();
    let payment = world.payment(&id).await;
    assert_eq!(payment["status"], "DEPOSITED", "{payment:#}");
}
