//! Refunds of excess and of follow-up deposits; sent and confirmed like any transfer.

use checkout_core::Network;
use checkout_core::address::Address;
use checkout_domain::business::settings::Settings;
use serde_json::{Value, json};

use super::golden::check_fields;
use super::{START, World};
use crate::fixture::Look as _;

pub(super) async fn world() -> World {
    World::with(Settings {
        name: Some("Fair".to_owned()),
        refund_excess: Some(true),
        refund_follow_ups: Some(true),
        ..Settings::default()
    })
    .await
}

/// A refund as `(type, status, reason, amount, fee, displayAmount, displayFee)`.
#[track_caller]
fn check(deposit: &Value, expected: [&str; 7]) {
    let refund = &deposit["refund"];
    let names = ["type", "status", "reason", "amount", "fee", "displayAmount", "displayFee"];
    assert_eq!(names.map(|name| refund[name].as_str().unwrap_or("nothing")), expected, "{deposit:#}");
}

async fn outgoing(world: &World) -> Vec<(String, String)> {
    let rows = world.database.texts(
        "SELECT address, amount FROM sim_transfers
         WHERE transaction_id IN (SELECT transaction_id FROM payouts) AND dropped = 0 ORDER BY revision",
    );
    let text = |text: &Option<String>| text.clone().unwrap();
    rows.await.iter().map(|row| (text(&row[0]), text(&row[1]))).collect()
}

#[tokio::test]
async fn the_excess_is_refunded() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00266667").await;
    let seen = world.payment(&id).await;
    assert!(seen["deposits"][0].get("refund").is_none(), "nothing is refunded before it is confirmed");
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    assert_eq!(payment["status"], "OVERPAID");
    let deposit = &payment["deposits"][0];
    check(deposit, ["PARTIAL", "PENDING", "OVERPAYMENT", "0.00097", "0.00003", "58.20", "1.80"]);
    check_fields(&deposit["refund"], "Refund", &["transactionId"]);
    assert_eq!(deposit["refund"]["displayCurrency"], "EUR");
    world.advance(60).await;
    world.mine("BTC").await;
    let deposit = world.payment(&id).await["deposits"][0].clone();
    check(&deposit, ["PARTIAL", "CONFIRMED", "OVERPAYMENT", "0.00097", "0.00003", "58.20", "1.80"]);
    assert_eq!(deposit["refund"]["confirmedAt"], START + 60);
    assert_eq!(outgoing(&world).await, [(deposit["fromAddress"].as_str().unwrap().into(), "97000".into())]);
    let expected = [
        ("CHAIN BTC", "-0.00169667"),
        ("COSTS BTC", "0.00003"),
        ("EXCHANGE BTC", "0.00166667"),
        ("EXCHANGE EUR", "-100.00"),
        ("FEES EUR", "0.50"),
        ("FIAT EUR", "99.50"),
    ];
    World::check_balances(&world.balances().await, &expected);
}

#[tokio::test]
async fn a_follow_up_is_refunded_in_full() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "LTC", "LTC").await;
    world.pay(&id, "1.33333334").await;
    world.mine("LTC").await;
    world.pay(&id, "0.5").await;
    world.mine("LTC").await;
    world.mine("LTC").await;
    let payment = world.payment(&id).await;
    assert_eq!(payment["status"], "DEPOSITED");
    assert!(payment["deposits"][0].get("refund").is_none());
    check(
        &payment["deposits"][1],
        ["FULL", "CONFIRMED", "FOLLOW_UP_DEPOSIT", "0.4999", "0.0001", "37.49", "0.01"],
    );
    assert_eq!(world.balances().await["FIAT EUR"], "99.50", "the first one only");
}

/// Without its tag, a refund to an exchange could not be credited to a customer.
#[tokio::test]
async fn a_refund_carries_the_tag_of_the_sender() {
    let check = async |network: Network, sender: &str, tag: Option<u64>, amount: &str| {
        let world = world().await;
        let account = Address::parse(network, sender).unwrap();
        let from = tag.map_or_else(|| account, |tag| account.with_tag(tag).unwrap()).to_string();
        let (id, _) = world.quoted(json!({}), network.code(), network.code()).await;
        let payment = world.payment(&id).await;
        let (address, own_tag) = (&payment["walletAddress"], &payment["destinationTag"]);
        let body = json!({"network": network.code(), "currency": network.code(), "address": address, "destinationTag": own_tag,
            "amount": amount, "fromAddress": from});
        world.sandbox("transfers", body).await;
        world.mine(network.code()).await;
        world.mine(network.code()).await;
        let rows = world.database.texts(
            "SELECT address, tag FROM sim_transfers
             WHERE transaction_id IN (SELECT transaction_id FROM payouts) AND dropped = 0",
        );
        let expected = [Some(sender.to_owned()), tag.map(|tag| tag.to_string())];
        assert_eq!(rows.await, [expected], "{from}");
    };
    let (xrp, xlm) = (Network::Xrp.spec().example, Network::Xlm.spec().example);
    check(Network::Xrp, xrp, Some(495), "500").await;
    check(Network::Xrp, xrp, Some(0), "500").await;
    check(Network::Xrp, xrp, None, "500").await;
    check(Network::Xlm, xlm, Some(1 << 40), "5000").await;
}

/// With two deposits at once, the one confirmed last is refunded as a whole.
#[tokio::test]
async fn two_at_once() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00166667").await;
    world.pay(&id, "0.00166667").await;
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    let with: Vec<_> =
        payment["deposits"].as_array().unwrap().iter().filter(|d| d.get("refund").is_some()).collect();
    assert_eq!(with.len(), 1);
    check(with[0], ["FULL", "PENDING", "OVERPAYMENT", "0.00163667", "0.00003", "98.20", "1.80"]);
}

/// An amount that is too small to refund stays with the merchant.
#[tokio::test]
async fn refunds_that_are_not_possible() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00169667").await;
    world.mine("BTC").await;
    world.mine("BTC").await;
    let deposit = world.payment(&id).await["deposits"][0].clone();
    check(&deposit, ["PARTIAL", "NON_REFUNDABLE", "OVERPAYMENT", "0.00003", "0", "1.80", "0.00"]);
    assert!(deposit["refund"].get("transactionId").is_none());
    assert_eq!(world.balances().await["FIAT EUR"], "101.30", "101.80 less half a percent");
    assert!(outgoing(&world).await.is_empty());
}

/// Both are in the payment, on every network.
#[tokio::test]
async fn amount_and_fee_of_a_refund_are_the_excess() {
    let world = world().await;
    for pair in checkout_core::pair::PAIRS.iter().filter(|pair| pair.deposit) {
        for excess in ["much", "little"] {
            let case = format!("{} on {}, {excess}", pair.currency, pair.network);
            let (currency, network) = (pair.currency.code(), pair.network.code());
            let (id, _) = world.quoted(json!({"clientPaymentId": case}), currency, network).await;
            let atoms = |text: &Value| {
                checkout_core::Amount::parse(text.as_str().unwrap(), pair.decimals).unwrap().atoms()
            };
            let expected = atoms(&world.payment(&id).await["expectedDepositAmount"]);
            let excess = if excess == "much" { expected + 7 } else { 7 };
            let paid = checkout_core::Amount::from_atoms(expected + excess).unwrap();
            world.pay(&id, &paid.to_text(pair.decimals)).await;
            world.mine(network).await;
            let payment = world.payment(&id).await;
            let refund = &payment["deposits"][0]["refund"];
            let have = atoms(&refund["amount"]) + atoms(&refund["fee"]);
            assert_eq!(have, atoms(&payment["actualDepositAmount"]) - expected, "{case}: {payment:#}");
            assert_eq!(have, excess, "{case}: {payment:#}");
        }
    }
}

#[tokio::test]
async fn the_merchant_can_disable_refunds() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    for _ in 0..2 {
        world.pay(&id, "0.00266667").await;
        world.mine("BTC").await;
    }
    for deposit in world.payment(&id).await["deposits"].as_array().unwrap() {
        assert!(deposit.get("refund").is_none(), "{deposit:#}");
    }
    assert_eq!(world.balances().await["CHAIN BTC"], "-0.00533334");
    // A REUSABLE payment has no refunds either.
    let world = self::world().await;
    let (id, _) = world.quoted(json!({"type": "REUSABLE"}), "BTC", "BTC").await;
    world.pay(&id, "0.00266667").await;
    world.mine("BTC").await;
    assert!(world.payment(&id).await["deposits"][0].get("refund").is_none());
}

/// A sent refund is kept. Its deposit can vanish and return without a second refund.
#[tokio::test]
async fn reorganisations_cause_no_second_refund() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let first = world.pay(&id, "0.001").await;
    world.mine("BTC").await;
    world.pay(&id, "0.002").await;
    world.mine("BTC").await;
    let refund = world.payment(&id).await["deposits"][1]["refund"].clone();
    assert_eq!(refund["amount"], "0.00130333");
    for _ in 0..3 {
        world.sandbox("reorgs", json!({"network": "BTC", "depth": 2})).await;
        world.mine("BTC").await;
        let payment = world.payment(&id).await;
        assert_eq!(payment["deposits"][1]["refund"]["transactionId"], refund["transactionId"]);
        assert!(payment["deposits"][0].get("refund").is_none(), "{payment:#}");
    }
    assert_eq!(outgoing(&world).await.len(), 1);
    // The first deposit vanishes after the excess was refunded, so the rest is less than the price.
    world.sandbox("drops", json!({"transactionId": first})).await;
    let payment = world.payment(&id).await;
    assert_eq!(payment["deposits"][0]["refund"]["transactionId"], refund["transactionId"]);
    assert_eq!(outgoing(&world).await.len(), 1);
    assert_eq!(world.balances().await["CHAIN BTC"], "-0.00069667", "the remaining balance");
}

/// A planned refund that was not sent is cancelled when its cause disappears.
#[tokio::test]
async fn an_unsent_refund_is_cancelled() {
    let mut world = world().await;
    let app = checkout_gateway::service::App {
        broadcasters: std::collections::BTreeMap::new(),
        ..(*world.app).clone()
    };
    world.router = crate::router(&std::sync::Arc::new(app), &world.simulated);
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let first = world.pay(&id, "0.00166667").await;
    world.mine("BTC").await;
    world.pay(&id, "0.00166667").await;
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    check(
        &payment["deposits"][1],
        ["FULL", "PENDING", "FOLLOW_UP_DEPOSIT", "0.00163667", "0.00003", "98.20", "1.80"],
    );
    assert!(payment["deposits"][1]["refund"].get("transactionId").is_none());
    world.sandbox("drops", json!({"transactionId": first})).await;
    let payment = world.payment(&id).await;
    assert_eq!(payment["status"], "DEPOSITED");
    assert!(payment["deposits"][0].get("refund").is_none(), "it now covers the payment: {payment:#}");
    let app = std::sync::Arc::clone(&world.app);
    checkout_gateway::service::payouts::pay_out::run(&app).await.unwrap();
    assert!(outgoing(&world).await.is_empty());
    assert_eq!(world.balances().await["FIAT EUR"], "99.50");
}
