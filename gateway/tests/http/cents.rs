//! Display amounts add up to the cent.

use checkout_core::{Decimal, decimal};
use serde_json::{Value, json};

use super::{World, refunds};

fn sum<'a>(values: impl IntoIterator<Item = &'a Value>) -> Decimal {
    values.into_iter().map(|value| decimal::parse(value.as_str().unwrap(), 2).unwrap()).sum()
}

/// A price paid in parts is worth the price, whatever the parts are.
#[tokio::test]
async fn the_values_of_the_parts_are_the_price() {
    for (price, currency, network, parts) in [
        ("100.00", "BTC", "BTC", &["0.00055555", "0.00055556", "0.00055556"][..]),
        ("99.99", "ETH", "ETH", &["0.01111", "0.01111", "0.01111"]),
        ("0.10", "XRP", "XRP", &["0.07", "0.07", "0.06"]),
    ] {
        let world = World::new().await;
        let (id, _) = world.quoted(json!({"displayAmount": price}), currency, network).await;
        for part in parts {
            world.pay(&id, part).await;
        }
        world.mine(network).await;
        let payment = world.payment(&id).await;
        assert_eq!(payment["status"], "DEPOSITED", "{payment:#}");
        assert_eq!(payment["actualDisplayAmount"], price, "{payment:#}");
        let deposits = payment["deposits"].as_array().unwrap();
        let values = deposits.iter().map(|deposit| &deposit["displayAmount"]);
        assert_eq!(sum(values), decimal::parse(price, 2).unwrap(), "{payment:#}");
    }
}

/// Amount and fee of a refund are worth what goes back, and the fee is worth what the list of fees says.
#[tokio::test]
async fn the_values_of_a_refund_and_its_fee_are_what_goes_back() {
    for (currency, network) in
        [("BTC", "BTC"), ("XRP", "XRP"), ("XLM", "XLM"), ("ETH", "ETH"), ("USDT", "TRX")]
    {
        let world = refunds::world().await;
        let (id, _) = world.quoted(json!({"displayAmount": "100.00"}), currency, network).await;
        let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
        for _ in 0..2 {
            world.pay(&id, &amount).await;
            world.mine(network).await;
        }
        let payment = world.payment(&id).await;
        let deposit = &payment["deposits"][1];
        let refund = &deposit["refund"];
        assert_eq!(refund["type"], "FULL", "{payment:#}");
        assert_eq!(deposit["displayAmount"], "100.00");
        assert_eq!(
            sum([&refund["displayAmount"], &refund["displayFee"]]),
            Decimal::ONE_HUNDRED,
            "{refund:#}"
        );
        assert_ne!(refund["displayFee"], "0.00", "a fee is worth something: {refund:#}");
    }
}

/// A withdrawal of 250.00 EUR is a withdrawal of 250.00 EUR.
#[tokio::test]
async fn a_withdrawal_of_a_fiat_amount_estimates_that_amount() {
    let world = World::rich().await;
    for (number, amount) in ["250.00", "99.99", "33.33"].into_iter().enumerate() {
        let id = format!("out-{number}");
        let target = json!({"clientWithdrawalId": id, "targetAmountPolicy": "FIAT", "targetAmount": amount});
        let answer = world.withdraw(target).await;
        assert_eq!(answer.status, 201, "{:#}", answer.json);
        assert_eq!(answer.json["estimatedDisplayAmount"], amount, "{:#}", answer.json);
        assert_eq!(answer.json["uniformAmount"], amount, "{:#}", answer.json);
    }
}

/// USDC quoted on one network at one rate, then on another at another: what is paid on the first covers the price
/// that is shown now.
#[tokio::test]
async fn actual_amounts_are_of_the_network_of_the_expected_ones() {
    let world = World::new().await;
    let created = world.create(json!({"displayAmount": "100.00"})).await;
    let id = created.payment_id();
    let path = format!("/api/v1/payments/{id}");
    let choose = async |network: &str| {
        let body = json!({"depositCurrency": "USDC", "network": network});
        world.patch(&path, &world.token, &body).await.json["paymentInfo"].clone()
    };
    let first = choose("TRX").await;
    world.sandbox("rates", json!({"from": "USDC", "to": "EUR", "rate": "0.8"})).await;
    let second = choose("BSC").await;
    assert_ne!(first["expectedDepositAmount"], second["expectedDepositAmount"]);
    let transfer = json!({"network": "TRX", "currency": "USDC", "address": first["walletAddress"],
        "amount": first["expectedDepositAmount"]});
    world.sandbox("transfers", transfer).await;
    world.mine("TRX").await;
    let payment = world.payment(&id).await;
    assert_eq!(payment["status"], "DEPOSITED", "{payment:#}");
    assert_eq!(payment["expectedNetwork"], "BSC");
    assert_eq!(payment["actualDepositAmount"], payment["expectedDepositAmount"], "{payment:#}");
    assert_eq!(payment["actualDisplayAmount"], "100.00", "{payment:#}");
    assert_eq!(payment["deposits"][0]["depositAmount"], first["expectedDepositAmount"]);
}
