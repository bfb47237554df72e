//! A large deposit needs more confirmations than a small one, and everybody sees how many it has.

use std::sync::Arc;

use checkout_core::{Decimal, Network};
use checkout_domain::business::settings::Settings;
use checkout_domain::payment::confirmations::{Amounts, Confirmations, Rule};
use checkout_domain::rates::fiat::Fiat;
use checkout_gateway::service::App;
use checkout_simulator::chain::SimulatedChain;
use serde_json::{Value, json};

use super::callbacks::deliver;
use super::faults::Stale;
use super::inbox::Inbox;
use super::shown_quotes::set_rate;
use super::{World, router};

/// Three confirmations above 1,000 EUR, six above 10,000 EUR, on BTC and ETH.
pub(super) async fn world(settings: Settings) -> World {
    let mut world = World::with(Settings { name: Some("Kettle & Co".to_owned()), ..settings }).await;
    require(&mut world, &[(1_000, 3), (10_000, 6)]);
    world
}

fn require(world: &mut World, rows: &[(i64, u32)]) {
    let rule = |(above, required): &(i64, u32)| Rule {
        of: Amounts::Above(Decimal::from(*above), Fiat::EUR),
        required: *required,
    };
    let mut confirmations = Confirmations::default();
    for network in [Network::Btc, Network::Eth] {
        confirmations.set(network, rows.iter().map(rule).collect()).unwrap();
    }
    change(world, |app| app.policy.confirmations = confirmations);
}

pub(super) fn change(world: &mut World, change: impl FnOnce(&mut App)) {
    let mut app = App::clone(&world.app);
    change(&mut app);
    world.app = Arc::new(app);
    world.router = router(&world.app, &world.simulated);
}

/// A payment of this price in EUR, and a transfer of what it asks for.
pub(super) async fn paid(world: &World, order: &str, price: &str, network: &str) -> (String, String) {
    let fields = json!({"clientPaymentId": order, "displayAmount": price});
    let (id, _) = world.quoted(fields, network, network).await;
    let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    let transaction = world.pay(&id, &amount).await;
    (id, transaction)
}

/// The payment's status, its deposit's, and the numbers of the deposit.
pub(super) async fn shown(world: &World, id: &str) -> (String, String, Option<(u64, u64)>) {
    let payment = world.payment(id).await;
    let deposit = &payment["deposits"][0];
    let counted = deposit["confirmations"].as_u64().zip(deposit["requiredConfirmations"].as_u64());
    let listed = world.get(&format!("/api/v1/deposits?paymentId={id}"), &world.token).await.json;
    for name in ["status", "confirmations", "requiredConfirmations"] {
        assert_eq!(listed[0].get(name), deposit.get(name), "{listed:#}");
    }
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&payment["status"]), text(&deposit["status"]), counted)
}

#[track_caller]
pub(super) fn check(
    shown: &(String, String, Option<(u64, u64)>),
    status: &str,
    counted: Option<(u64, u64)>,
    case: &str,
) {
    let deposit = if status == "DEPOSITED" { "CONFIRMED" } else { "UNCONFIRMED" };
    assert_eq!((shown.0.as_str(), shown.1.as_str(), shown.2), (status, deposit, counted), "{case}");
}

#[tokio::test]
async fn a_large_order_is_paid_after_more_blocks_than_a_small_one() {
    for network in ["BTC", "ETH"] {
        for (price, required) in [("1000.00", 1), ("1000.01", 3), ("10000.00", 3), ("10000.01", 6)] {
            let world = world(Settings::default()).await;
            let (id, _) = paid(&world, "order-1", price, network).await;
            for block in 0..=required + 1 {
                let status = if block < required { "AWAITING" } else { "DEPOSITED" };
                let counted = (required > 1).then_some((block.min(required), required));
                check(&shown(&world, &id).await, status, counted, &format!("{price} {network} {block}"));
                world.mine(network).await;
            }
        }
    }
}

#[tokio::test]
async fn the_payer_sees_each_confirmation_of_a_large_deposit() {
    let world = world(Settings::default()).await;
    let (id, token) = world.quoted(json!({"displayAmount": "2000.00"}), "BTC", "BTC").await;
    let view = async || world.get(&format!("/api/v1/checkout/{id}"), &token).await.json;
    let option = |view: &Value, network: &str| {
        let options = view["options"].as_array().unwrap();
        let found = options.iter().find(|option| option["network"] == network).unwrap();
        found["requiredConfirmations"].as_u64()
    };
    let before = view().await;
    assert_eq!((option(&before, "BTC"), option(&before, "LTC")), (Some(3), Some(1)), "before the choice");
    world.pay(&id, "0.03333334").await;
    let mut version = 0;
    for block in 0..=3_u64 {
        let now = view().await;
        let transfer = &now["transfers"][0];
        assert_eq!(
            (&transfer["confirmations"], &transfer["requiredConfirmations"]),
            (&json!(block), &json!(3))
        );
        assert!(now["version"].as_u64().unwrap() > version, "a poll notices block {block}");
        version = now["version"].as_u64().unwrap();
        world.mine("BTC").await;
    }
    assert_eq!(view().await["version"], version, "enough: nothing changes any more");
}

#[tokio::test]
async fn the_shop_is_told_of_a_large_deposit_when_it_has_its_confirmations() {
    let inbox = Inbox::open();
    let world = world(Settings {
        deposit_callback: Some(inbox.url.clone()),
        event_url: Some(super::typed_events::URL.to_owned()),
        instant_deposit_limit: Some(Some(Decimal::ZERO)),
        ..Settings::default()
    })
    .await;
    let (id, _) = paid(&world, "order-1", "2000.00", "BTC").await;
    for block in 1..=3 {
        deliver(&world).await;
        assert_eq!(inbox.received().len(), 0, "block {block}");
        World::check_balances(&world.balances().await, &[]);
        world.mine("BTC").await;
    }
    deliver(&world).await;
    assert_eq!(inbox.received().len(), 1);
    let events = world.typed_events(&id).await;
    let deposits = events.iter().filter(|event| event["type"].as_str().unwrap().starts_with("deposit."));
    let told = deposits.map(|event| {
        let deposit = &event["data"];
        let counted = deposit["confirmations"].as_u64().zip(deposit["requiredConfirmations"].as_u64());
        (event["type"].as_str().unwrap(), counted)
    });
    let told: Vec<_> = told.collect();
    let expected = [
        ("deposit.seen", Some((0, 3))),
        ("deposit.confirmed", Some((3, 3))),
        ("deposit.final", Some((3, 3))),
    ];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn a_reorganisation_takes_the_confirmations_of_a_large_deposit() {
    let world = world(Settings::default()).await;
    let (id, transaction) = paid(&world, "order-1", "2000.00", "BTC").await;
    let reorganise = async |depth: u32| {
        world.sandbox("reorgs", json!({"network": "BTC", "depth": depth})).await;
    };
    world.mine("BTC").await;
    world.mine("BTC").await;
    check(&shown(&world, &id).await, "AWAITING", Some((2, 3)), "two blocks");
    reorganise(2).await;
    check(&shown(&world, &id).await, "AWAITING", Some((0, 3)), "in no block");
    world.mine("BTC").await;
    check(&shown(&world, &id).await, "AWAITING", Some((1, 3)), "another block");
    world.mine("BTC").await;
    reorganise(1).await;
    check(&shown(&world, &id).await, "AWAITING", Some((1, 3)), "the block above it left");
    world.mine("BTC").await;
    world.mine("BTC").await;
    check(&shown(&world, &id).await, "DEPOSITED", Some((3, 3)), "three");
    reorganise(3).await;
    check(&shown(&world, &id).await, "AWAITING", Some((0, 3)), "after it was paid");
    world.mine("BTC").await;
    check(&shown(&world, &id).await, "AWAITING", Some((1, 3)), "it has to wait again");
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    assert_eq!(world.payment(&id).await["status"], "PENDING");
}

/// Nobody knows whether it is large.
#[tokio::test]
async fn a_deposit_without_a_rate_needs_the_most_confirmations() {
    let mut world = world(Settings::default()).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let before = Arc::clone(&world.app);
    change(&mut world, |app| app.rates = Arc::new(Stale));
    world.pay(&id, "0.00166667").await;
    change(&mut world, |app| app.rates = Arc::clone(&before.rates));
    for block in 0..6 {
        check(&shown(&world, &id).await, "AWAITING", Some((block, 6)), "a small one, but who knows");
        world.mine("BTC").await;
    }
    check(&shown(&world, &id).await, "DEPOSITED", Some((6, 6)), "six");
}

#[tokio::test]
async fn a_price_paid_in_parts_at_once_waits_like_one_that_is_paid_whole() {
    let world = world(Settings::default()).await;
    let (id, _) = world.quoted(json!({"displayAmount": "2000.00"}), "BTC", "BTC").await;
    for amount in ["0.00833334", "0.00833334", "0.00833334", "0.00833332"] {
        world.pay(&id, amount).await;
    }
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    let deposits = payment["deposits"].as_array().unwrap();
    let required = |deposit: &Value| deposit["requiredConfirmations"].as_u64();
    assert_eq!(deposits.iter().map(required).collect::<Vec<_>>(), [None, None, Some(3), Some(3)]);
    assert_eq!(payment["status"], "AWAITING");
    world.mine("BTC").await;
    assert_eq!(world.payment(&id).await["status"], "AWAITING");
    world.mine("BTC").await;
    assert_eq!(world.payment(&id).await["status"], "DEPOSITED");
}

/// What an amount needs was judged when it came: neither a rate nor a configuration of later changes that.
#[tokio::test]
async fn later_rates_and_rules_do_not_change_what_a_deposit_needs() {
    let mut world = world(Settings::default()).await;
    let (large, _) = paid(&world, "large", "2000.00", "BTC").await;
    let (small, _) = paid(&world, "small", "900.00", "BTC").await;
    set_rate(&world, "BTC", "90000").await;
    require(&mut world, &[(100, 12)]);
    world.mine("BTC").await;
    check(&shown(&world, &small).await, "DEPOSITED", None, "small");
    check(&shown(&world, &large).await, "AWAITING", Some((1, 3)), "large");
    change(&mut world, |app| app.policy.confirmations = Confirmations::default());
    world.mine("BTC").await;
    check(&shown(&world, &large).await, "AWAITING", Some((2, 3)), "large");
    world.mine("BTC").await;
    check(&shown(&world, &large).await, "DEPOSITED", Some((3, 3)), "large");
}

/// A network that counts by itself counts first, and whichever asks for more holds.
#[tokio::test]
async fn a_network_that_needs_several_and_an_amount_that_needs_more() {
    for (of_network, price, required) in
        [(2, "500.00", 2), (2, "2000.00", 3), (4, "2000.00", 4), (4, "20000.00", 6)]
    {
        let mut world = world(Settings::default()).await;
        let chain = SimulatedChain::new(Network::Eth, world.database.clone()).with_confirmations(of_network);
        change(&mut world, |app| drop(app.chains.insert(Network::Eth, Arc::new(chain))));
        let (id, _) = paid(&world, "order-1", price, "ETH").await;
        for block in 0..=required {
            let status = if block < required { "AWAITING" } else { "DEPOSITED" };
            check(&shown(&world, &id).await, status, Some((block, required)), &format!("{price} {block}"));
            world.mine("ETH").await;
        }
    }
}

/// An instant deposit is the merchant's own risk: it counts from the first sight on, in a block as before it.
#[tokio::test]
async fn an_instant_deposit_counts_while_its_confirmations_are_counted() {
    let world =
        world(Settings { instant_deposit_limit: Some(Some(Decimal::from(5_000))), ..Settings::default() })
            .await;
    let (id, _) = paid(&world, "order-1", "2000.00", "BTC").await;
    for block in 0..=3 {
        let payment = world.payment(&id).await;
        assert_eq!(payment["actualDisplayAmount"], "2000.00", "block {block}: {payment:#}");
        world.mine("BTC").await;
    }
}
