//! Refunds go to an account that receives them, and only when they are worth more than their fee.

use checkout_core::Network;
use checkout_core::address::Address;
use checkout_domain::business::settings::Settings;
use checkout_domain::ports::refunds::{RefundStore as _, WaitingRefund};
use checkout_gateway::service::payouts::pay_out;
use checkout_gateway::service::refunds::send_refund;
use checkout_gateway::service::refunds::send_refund::Decided;
use serde_json::{Value, json};

use super::World;
use crate::fixture::Look as _;

const CONTRACT: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const PERSON: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";
const EXCHANGE: &str = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";

async fn world() -> World {
    World::with(Settings {
        name: Some("Fair".to_owned()),
        refund_excess: Some(true),
        refund_follow_ups: Some(true),
        ..Settings::default()
    })
    .await
}

/// Pays with these fields of the transfer over the default ones, and mines a block.
async fn pay(world: &World, id: &str, amount: &str, fields: Value) {
    let payment = world.payment(id).await;
    let mut body = json!({
        "network": payment["expectedNetwork"], "currency": payment["depositCurrency"],
        "address": payment["walletAddress"], "amount": amount,
    });
    if let Some(tag) = payment.get("destinationTag") {
        body["destinationTag"] = tag.clone();
    }
    world.sandbox("transfers", super::over(body, fields)).await;
    world.mine(payment["expectedNetwork"].as_str().unwrap()).await;
    pay_out::run(&world.app).await.unwrap();
}

async fn refund(world: &World, id: &str) -> Value {
    world.payment(id).await["deposits"][0]["refund"].clone()
}

/// Recipient, tag and atoms of everything that was sent.
async fn outgoing(world: &World) -> Vec<(String, Option<String>, String)> {
    let rows = world.database.texts(
        "SELECT address, tag, amount FROM sim_transfers
         WHERE transaction_id IN (SELECT transaction_id FROM payouts) AND dropped = 0 ORDER BY revision",
    );
    rows.await
        .into_iter()
        .map(|row| (row[0].clone().unwrap(), row[1].clone(), row[2].clone().unwrap()))
        .collect()
}

#[tokio::test]
async fn an_overpayment_of_hardly_more_than_the_fee_is_not_sent_back() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "USDT", "ETH").await;
    let expected: f64 = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().parse().unwrap();
    pay(&world, &id, &format!("{:.6}", expected + 1.500_001), json!({})).await;
    let refund = refund(&world, &id).await;
    assert_eq!(
        (&refund["status"], &refund["amount"]),
        (&json!("NON_REFUNDABLE"), &json!("1.500001")),
        "{refund:#}"
    );
    assert!(outgoing(&world).await.is_empty());
}

/// A refund to a contract, to nobody or to an account that needs a tag would not reach the payer.
#[tokio::test]
async fn a_refund_without_an_address_that_reaches_the_payer_waits() {
    let check = async |currency: &str, network: &str, fields: Value, reason: &str| {
        let world = world().await;
        let (id, _) = world.quoted(json!({}), currency, network).await;
        let expected: f64 =
            world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().parse().unwrap();
        pay(&world, &id, &format!("{:.6}", expected * 2.0), fields.clone()).await;
        let refund = refund(&world, &id).await;
        assert_eq!(refund["status"], "PENDING", "{fields}: {refund:#}");
        assert_eq!(refund["waitingFor"], "ADDRESS", "{fields}: {refund:#}");
        assert_eq!(refund["waitingReason"], reason, "{fields}: {refund:#}");
        assert!(refund.get("transactionId").is_none());
        world.mine(network).await;
        assert!(outgoing(&world).await.is_empty(), "{fields}");
        let balances = world.balances().await;
        assert!(balances.contains_key(&format!("REFUNDS {currency}")), "it is still owed: {balances:?}");
    };
    check("ETH", "ETH", json!({"fromAddress": CONTRACT, "sender": "CONTRACT"}), "CONTRACT").await;
    check("USDT", "TRX", json!({"sender": "CONTRACT"}), "CONTRACT").await;
    check("ETH", "ETH", json!({"fromAddress": CONTRACT, "sender": "INTERNAL"}), "INTERNAL_TRANSFER").await;
    check("BTC", "BTC", json!({"sender": "UNKNOWN"}), "UNKNOWN_SENDER").await;
    check("XRP", "XRP", json!({"fromAddress": EXCHANGE, "sender": "TAG_REQUIRED"}), "TAG_REQUIRED").await;
}

#[tokio::test]
async fn an_account_that_demands_a_tag_and_sent_one_is_refunded() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "XRP", "XRP").await;
    let from = Address::parse(Network::Xrp, EXCHANGE).unwrap().with_tag(7).unwrap().to_string();
    pay(&world, &id, "500", json!({"fromAddress": from, "sender": "TAG_REQUIRED"})).await;
    let sent = outgoing(&world).await;
    assert_eq!((sent[0].0.as_str(), sent[0].1.as_deref()), (EXCHANGE, Some("7")));
}

/// Its money is back, and the merchant hears of it.
#[tokio::test]
async fn a_withdrawal_that_reverts_in_its_block_fails_and_its_money_returns() {
    let world = World::rich().await;
    let before = world.balances().await;
    let made = world.withdraw(json!({"recipientAddress": PERSON})).await;
    assert_eq!(made.json["status"], "NEW", "{}", made.json);
    pay_out::run(&world.app).await.unwrap();
    assert_eq!(world.stored("status").await, [Some("COMPLETED".to_owned())]);
    let transaction = world.stored("transaction_id").await[0].clone().unwrap();
    world.sandbox("reverts", json!({"transactionId": transaction})).await;
    world.mine("ETH").await;
    pay_out::run(&world.app).await.unwrap();
    assert_eq!(world.stored("status").await, [Some("FAILED".to_owned())]);
    assert_eq!(world.balances().await, before, "as if nothing had been sent");
    for _ in 0..3 {
        assert_eq!(pay_out::run(&world.app).await.unwrap(), 0, "it is over");
    }
}

/// The payer still gets the money: at another address.
#[tokio::test]
async fn a_refund_that_reverts_in_its_block_waits_for_another_address() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "ETH", "ETH").await;
    pay(&world, &id, "0.2", json!({})).await;
    let sent = refund(&world, &id).await;
    world.sandbox("reverts", json!({"transactionId": sent["transactionId"]})).await;
    world.mine("ETH").await;
    pay_out::run(&world.app).await.unwrap();
    let refund = refund(&world, &id).await;
    assert_eq!(
        (&refund["status"], &refund["waitingFor"]),
        (&json!("PENDING"), &json!("ADDRESS")),
        "{refund:#}"
    );
    assert_eq!((&refund["waitingReason"], refund.get("transactionId")), (&json!("REVERTED"), None));
    let balances = world.balances().await;
    assert!(balances.contains_key("REFUNDS ETH"), "it is still owed: {balances:?}");
}

/// The price of gas is the payer's.
#[tokio::test]
async fn a_refund_pays_what_the_network_asks_now() {
    let check = async |fee: &str, shown: [&str; 4]| {
        let world = world().await;
        let (id, _) = world.quoted(json!({}), "USDT", "ETH").await;
        // 0.002 ETH at 3,000 EUR are 6 EUR, with the margin 7.50 EUR; a USDT is 0.92 EUR.
        world.sandbox("fees", json!({"network": "ETH", "fee": fee})).await;
        let expected: f64 =
            world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().parse().unwrap();
        pay(&world, &id, &format!("{:.6}", expected + 20.0), json!({})).await;
        let refund = refund(&world, &id).await;
        assert_eq!(refund["status"], "PENDING", "{fee}: {refund:#}");
        let have =
            ["amount", "fee", "displayAmount", "displayFee"].map(|name| refund[name].as_str().unwrap());
        assert_eq!(have, shown, "{fee}: {refund:#}");
        let sent = outgoing(&world).await;
        assert_eq!(sent.len(), 1, "{fee}");
        let balances = world.balances().await;
        assert!(!balances.contains_key("REFUNDS USDT"), "{fee}: {balances:?}");
        assert_eq!(balances["COSTS USDT"], shown[1], "{fee}");
    };
    check("0.0001", ["18.5", "1.5", "17.02", "1.38"]).await;
    check("0.002", ["11.847825", "8.152175", "10.89", "7.51"]).await;
}

/// One dear minute does not take a refund from its payer: it waits a day for a lower fee.
#[tokio::test]
async fn a_refund_waits_a_day_until_it_is_worth_more_than_its_fee() {
    for falls in [true, false] {
        let world = world().await;
        let (id, _) = world.quoted(json!({}), "USDT", "ETH").await;
        // 0.004 ETH at 3,000 EUR are 12 EUR, more than half of 20 USDT at 0.92 EUR.
        world.sandbox("fees", json!({"network": "ETH", "fee": "0.004"})).await;
        let expected: f64 =
            world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().parse().unwrap();
        pay(&world, &id, &format!("{:.6}", expected + 20.0), json!({})).await;
        pay_out::run(&world.app).await.unwrap();
        assert_eq!(refund(&world, &id).await["status"], "PENDING");
        world.advance(80_000).await;
        pay_out::run(&world.app).await.unwrap();
        assert_eq!(
            (refund(&world, &id).await["status"].clone(), outgoing(&world).await.len()),
            (json!("PENDING"), 0)
        );
        if falls {
            world.sandbox("fees", json!({"network": "ETH", "fee": "0.0001"})).await;
        }
        let before = world.balances().await["FIAT EUR"].clone();
        world.advance(6_400).await;
        pay_out::run(&world.app).await.unwrap();
        let refund = refund(&world, &id).await;
        let after = world.balances().await["FIAT EUR"].clone();
        if falls {
            assert_eq!((&refund["amount"], outgoing(&world).await.len()), (&json!("18.5"), 1), "{refund:#}");
        } else {
            assert_eq!(
                (&refund["status"], &refund["amount"]),
                (&json!("NON_REFUNDABLE"), &json!("20")),
                "{refund:#}"
            );
            // 18.40 EUR less the service fee: the merchant keeps it, and the callback of the deposit was sent before.
            assert_eq!((before.as_str(), after.as_str()), ("99.50", "117.81"));
        }
    }
}

/// The decision of `checkout refunds send`.
async fn give(world: &World, refund: &WaitingRefund, to: (&str, Option<&str>), amount: &str) -> Decided {
    let (app, deposit) = (&world.app, refund.deposit);
    let new = (app.new_id(), app.clock.now());
    send_refund::send(app.store.as_ref(), new, deposit, to, amount).await.unwrap()
}

/// What its recipient gets.
fn sent(refund: &WaitingRefund) -> String {
    refund.gross.saturating_sub(refund.fee).to_text(refund.pair.decimals)
}

/// An operator names the address that the payer gave; the core checks it.
#[tokio::test]
async fn a_refund_that_waits_is_sent_to_the_address_that_the_payer_names() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "XRP", "XRP").await;
    pay(&world, &id, "500", json!({"fromAddress": EXCHANGE, "sender": "TAG_REQUIRED"})).await;
    let waiting = world.database.waiting_refunds(None, 10).await.unwrap();
    assert_eq!(waiting.len(), 1);
    let own = world.payment(&id).await["walletAddress"].clone();
    let give = async |to| give(&world, &waiting[0], to, &sent(&waiting[0])).await;
    for (address, tag, reason) in [
        (PERSON, None, "is refused"),
        (EXCHANGE, Some("007"), "is refused"),
        (own.as_str().unwrap(), Some("1"), "is an account of this gateway"),
    ] {
        let refused = give((address, tag)).await.refusal().unwrap();
        assert!(refused.contains(reason), "{address}: {refused}");
    }
    assert!(outgoing(&world).await.is_empty());
    assert_eq!(give((EXCHANGE, Some("7"))).await.refusal(), None);
    assert!(give((EXCHANGE, Some("8"))).await.refusal().is_some(), "once");
    pay_out::run(&world.app).await.unwrap();
    let sent = outgoing(&world).await;
    assert_eq!((sent[0].0.as_str(), sent[0].1.as_deref()), (EXCHANGE, Some("7")));
    world.mine("XRP").await;
    pay_out::run(&world.app).await.unwrap();
    let refund = refund(&world, &id).await;
    assert_eq!((&refund["status"], refund.get("waitingFor")), (&json!("CONFIRMED"), None), "{refund:#}");
    assert!(!world.balances().await.contains_key("REFUNDS XRP"));
}

/// Nothing is sent to an address that the screening blocks.
#[tokio::test]
async fn an_address_for_a_refund_is_screened() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "ETH", "ETH").await;
    pay(&world, &id, "0.2", json!({"fromAddress": CONTRACT, "sender": "CONTRACT"})).await;
    let waiting = world.database.waiting_refunds(None, 10).await.unwrap();
    world.sandbox("flags", json!({"network": "ETH", "address": PERSON})).await;
    let refused = give(&world, &waiting[0], (PERSON, None), "1").await.refusal().unwrap();
    assert!(refused.contains("look at it again"), "another amount: {refused}");
    give(&world, &waiting[0], (PERSON, None), &sent(&waiting[0])).await;
    pay_out::run(&world.app).await.unwrap();
    assert_eq!(refund(&world, &id).await["waitingReason"], "BLOCKED");
    assert!(outgoing(&world).await.is_empty());
}

/// Somebody who pays again and again gets so many refunds a day without an operator.
#[tokio::test]
async fn the_sixth_refund_of_a_day_waits_for_an_operator() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "LTC", "LTC").await;
    let state = async || {
        let payment = world.payment(&id).await;
        let refunds =
            payment["deposits"].as_array().unwrap().iter().filter(|one| one.get("refund").is_some());
        refunds
            .map(|one| one["refund"]["waitingFor"].as_str().unwrap_or("sent").to_owned())
            .collect::<Vec<_>>()
    };
    pay(&world, &id, "1.33333334", json!({})).await;
    for _ in 0..6 {
        pay(&world, &id, "0.5", json!({})).await;
    }
    assert_eq!(state().await, ["sent", "sent", "sent", "sent", "sent", "APPROVAL"]);
    assert_eq!(outgoing(&world).await.len(), 5);
    let waiting = world.database.waiting_refunds(None, 10).await.unwrap();
    let app = &world.app;
    let decided = give(&world, &waiting[0], (&waiting[0].from, None), &sent(&waiting[0])).await;
    assert_eq!(decided.refusal(), None);
    pay_out::run(app).await.unwrap();
    assert_eq!(outgoing(&world).await.len(), 6);
    world.advance(86_401).await;
    pay(&world, &id, "0.5", json!({})).await;
    assert_eq!(outgoing(&world).await.len(), 7, "another day");
}
