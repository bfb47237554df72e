//! What was credited while a refund of the merchant lasted can be spent. Then its payer's excess would be paid by the coins of others.

use axum::http::{Method, StatusCode};
use checkout_core::{Currency, Network};
use checkout_domain::business::settings::Settings;
use checkout_domain::ports::Store as _;
use serde_json::{Value, json};

use super::World;
use super::merchant_refund_stage::{BTC, paid_in_part, refunding_excess, world_with, world_with_finality};

/// A refund of the merchant lasts while an excess of 0.0095 BTC is credited.
async fn credited_meanwhile(world: &World) -> Value {
    let id = paid_in_part(world).await;
    let refund = world.refunded(&id, json!({"amount": "0.0001"})).await;
    world.pay(&id, "0.01").await;
    world.mine("BTC").await;
    refund
}

/// The credit of the excess leaves, and the refund of the merchant ends.
async fn spend_the_excess(world: &World) {
    let refund = credited_meanwhile(world).await;
    withdrawn(world, json!({"targetAmount": "0.0105"})).await;
    world.run().await;
    world.decide_refund(&refund, "cancel", None).await;
}

async fn withdrawn(world: &World, fields: Value) -> String {
    let all = json!({"withdrawCurrency": "BTC", "network": "BTC", "recipientAddress": BTC, "targetAmountPolicy": "CRYPTO",
        "withdrawalAccount": "CRYPTO"});
    let made = world.withdraw(super::over(all, fields)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
    made.json["withdrawId"].as_str().unwrap().to_owned()
}

fn euros(amount: f64) -> Value {
    json!({"targetAmountPolicy": "FIAT", "targetAmount": format!("{amount:.2}"), "withdrawalAccount": "FIAT"})
}

/// How many refunds have left to payers. What the merchant asks for goes to another address.
async fn returned(world: &World) -> usize {
    world.run().await;
    for network in ["BTC", "ETH"] {
        world.mine(network).await;
    }
    world.run().await;
    world.sent().await.iter().filter(|(to, ..)| to != BTC).count()
}

/// Why the refunds of a currency wait.
async fn waiting(world: &World, currency: &str) -> Vec<Value> {
    let refunds = world.get(&format!("/api/v1/refunds?currency={currency}"), &world.token).await.json;
    let whys = refunds.as_array().unwrap().iter().filter_map(|refund| refund.get("waitingReason"));
    whys.cloned().collect()
}

async fn is_below_zero(world: &World, balance: &str) -> bool {
    world.balances().await.get(balance).is_some_and(|amount| amount.starts_with('-'))
}

fn named() -> Settings {
    Settings { name: Some("Fair".to_owned()), ..refunding_excess() }
}

#[tokio::test]
async fn an_excess_whose_credit_was_withdrawn_waits_until_the_balance_is_made_up_for() {
    let world = World::settling("1", Currency::Btc, named()).await;
    spend_the_excess(&world).await;
    assert_eq!(returned(&world).await, 0);
    assert!(is_below_zero(&world, "CRYPTO BTC").await);
    assert_eq!(waiting(&world, "BTC").await, ["OVERDRAWN"]);
    world.deposit("another", "1000.00").await;
    assert_eq!(returned(&world).await, 1);
    assert!(!is_below_zero(&world, "CRYPTO BTC").await);
}

/// The money was there when they were asked for. Whoever is signed before the withdrawal gets it.
#[tokio::test]
async fn a_withdrawal_that_is_not_signed_waits_and_refunds_leave() {
    let world = world_with(named()).await;
    let refund = credited_meanwhile(&world).await;
    let another = world.deposit("another", "100.00").await;
    let second = json!({"clientRefundId": "r-2", "amount": "0.0005", "address": BTC});
    let second = world.refunded(&another, second).await;
    let spent = world.balances().await["CRYPTO BTC"].parse::<f64>().unwrap() - 0.0005;
    let withdrawal = withdrawn(&world, json!({"targetAmount": format!("{spent:.8}")})).await;
    world.decide_refund(&refund, "cancel", None).await;
    assert_eq!(returned(&world).await, 1);
    assert_eq!(world.sent().await.len(), 2);
    assert_eq!(world.refund_now(&second).await["status"], "CONFIRMED");
    let path = format!("/api/v1/withdrawals/{withdrawal}");
    assert_eq!(world.get(&path, &world.token).await.json["waitingReason"], "OVERDRAWN");
    assert!(is_below_zero(&world, "CRYPTO BTC").await);
    let key = world.organisation_key().await;
    world.call(Method::POST, &format!("{path}/cancel"), Some(&key), None).await;
    world.run().await;
    assert!(!is_below_zero(&world, "CRYPTO BTC").await);
}

#[tokio::test]
async fn a_balance_of_another_coin_below_zero_stops_no_refund() {
    let own = Settings { settlement_ratio: Some(1.into()), settlement_crypto: Some(None), ..named() };
    let world = World::with(own).await;
    spend_the_excess(&world).await;
    assert_eq!(returned(&world).await, 0);
    assert!(is_below_zero(&world, "CRYPTO BTC").await);
    let (id, _) = world.quoted(json!({"clientPaymentId": "in ether"}), "ETH", "ETH").await;
    world.pay(&id, "1").await;
    world.mine("ETH").await;
    assert_eq!(returned(&world).await, 1);
    assert_eq!(waiting(&world, "BTC").await, ["OVERDRAWN"]);
    assert_eq!(waiting(&world, "ETH").await, [] as [Value; 0]);
}

/// Coins of a deposit that can still leave its chain make up for nothing.
#[tokio::test]
async fn pending_money_pays_for_no_excess() {
    let world = world_with_finality(named()).await;
    let refund = credited_meanwhile(&world).await;
    let finally = async || {
        world.advance(3_600).await;
        world.sandbox("blocks", json!({"network": "BTC", "count": 6})).await;
    };
    finally().await;
    let all = world.balances().await["FIAT EUR"].parse::<f64>().unwrap() - 20.0;
    withdrawn(&world, euros(all)).await;
    world.run().await;
    world.decide_refund(&refund, "cancel", None).await;
    world.run().await;
    assert!(is_below_zero(&world, "FIAT EUR").await);
    assert_eq!(waiting(&world, "BTC").await, ["OVERDRAWN"]);
    world.deposit("another", "1000.00").await;
    assert!(!is_below_zero(&world, "FIAT EUR").await);
    assert_eq!(returned(&world).await, 0);
    assert_eq!(waiting(&world, "BTC").await, ["NOT_FINAL"]);
    finally().await;
    assert_eq!(returned(&world).await, 1);
}

/// Then the merchant keeps the excess, which makes up for the balance.
#[tokio::test]
async fn an_excess_that_is_not_worth_its_fee_is_given_up_although_the_balance_is_below_zero() {
    let world = World::settling("1", Currency::Btc, named()).await;
    spend_the_excess(&world).await;
    world.sandbox("fees", json!({"network": "BTC", "fee": "0.02"})).await;
    assert_eq!(returned(&world).await, 0);
    assert!(is_below_zero(&world, "CRYPTO BTC").await);
    world.advance(90_000).await;
    assert_eq!(returned(&world).await, 0);
    assert!(!is_below_zero(&world, "CRYPTO BTC").await);
    assert_eq!(waiting(&world, "BTC").await, [] as [Value; 0]);
}

/// It cannot leave until its deposit is back, and takes nothing that is there.
#[tokio::test]
async fn a_refund_whose_deposit_left_its_chain_stops_no_withdrawal_of_final_money() {
    let world = world_with_finality(named()).await;
    let all = world.balances().await["FIAT EUR"].parse::<f64>().unwrap();
    let (id, _) = world.quoted(json!({"clientPaymentId": "lost"}), "BTC", "BTC").await;
    let lost = world.pay(&id, "0.00166667").await;
    world.mine("BTC").await;
    world.refunded(&id, json!({"amount": "0.0005", "address": BTC})).await;
    let withdrawal = withdrawn(&world, euros(all - 20.0)).await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    world.sandbox("drops", json!({"transactionId": lost})).await;
    assert!(is_below_zero(&world, "FIAT EUR").await);
    world.run().await;
    let path = format!("/api/v1/withdrawals/{withdrawal}");
    let withdrawal = world.get(&path, &world.token).await.json;
    assert_eq!(withdrawal["status"], "COMPLETED", "{withdrawal:#}");
    assert_eq!(world.sent().await.len(), 1);
}

/// Its address became one of ours: its money returns.
#[tokio::test]
async fn a_withdrawal_to_ourselves_ends_although_the_balance_is_below_zero() {
    let world = World::settling("1", Currency::Btc, named()).await;
    let refund = credited_meanwhile(&world).await;
    let (id, _) = world.quoted(json!({"clientPaymentId": "other"}), "ETH", "ETH").await;
    let withdrawal = withdrawn(&world, json!({"targetAmount": "0.0105"})).await;
    world.decide_refund(&refund, "cancel", None).await;
    world.run().await;
    let mut tx = world.database.begin().await.unwrap();
    assert!(tx.insert_address(id.parse().unwrap(), Network::Btc, BTC, None, 0).await.unwrap());
    tx.commit().await.unwrap();
    world.advance(600).await;
    assert_eq!(returned(&world).await, 1);
    let path = format!("/api/v1/withdrawals/{withdrawal}");
    assert_eq!(world.get(&path, &world.token).await.json["status"], "FAILED");
}
