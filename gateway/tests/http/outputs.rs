//! Transactions with several outputs.

use axum::http::Method;
use serde_json::{Value, json};

use super::World;

/// The body that sends `amount` to a payment.
async fn transfer(world: &World, id: &str, amount: &str) -> Value {
    let payment = world.payment(id).await;
    json!({
        "network": payment["expectedNetwork"], "currency": payment["depositCurrency"],
        "address": payment["walletAddress"], "amount": amount,
    })
}

/// One transaction pays two payments, one of them twice.
#[tokio::test]
async fn each_output_of_a_transaction_is_credited_once() {
    let world = World::new().await;
    let (one, _) = world.quoted(json!({"clientPaymentId": "one"}), "BTC", "BTC").await;
    let (two, _) = world.quoted(json!({"clientPaymentId": "two"}), "BTC", "BTC").await;
    let sent = world.sandbox("transfers", transfer(&world, &one, "0.00166667").await).await;
    let transaction = sent["transactionId"].clone();
    for amount in ["0.00066667", "0.001"] {
        let mut output = transfer(&world, &two, amount).await;
        output["transactionId"] = transaction.clone();
        assert_eq!(world.sandbox("transfers", output).await["transactionId"], transaction);
    }
    let check = async |status: &str, one_has: &str, two_have: &[&str]| {
        for (id, expected) in [(&one, &[one_has][..]), (&two, two_have)] {
            let payment = world.payment(id).await;
            assert_eq!(payment["status"], status, "{payment:#}");
            let deposits = payment["deposits"].as_array().unwrap();
            assert!(deposits.iter().all(|deposit| deposit["transactionId"] == transaction));
            let amounts: Vec<&str> =
                deposits.iter().map(|deposit| deposit["depositAmount"].as_str().unwrap()).collect();
            assert_eq!(amounts, expected, "{payment:#}");
        }
    };
    check("AWAITING", "0.00166667", &["0.00066667", "0.001"]).await;
    world.mine("BTC").await;
    check("DEPOSITED", "0.00166667", &["0.00066667", "0.001"]).await;
    let booked = world.balances().await;
    assert_eq!(booked["CHAIN BTC"], "-0.00333334");
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    check("AWAITING", "0.00166667", &["0.00066667", "0.001"]).await;
    world.mine("BTC").await;
    check("DEPOSITED", "0.00166667", &["0.00066667", "0.001"]).await;
    assert_eq!(world.balances().await, booked);
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    assert!(world.payment(&two).await["deposits"].as_array().unwrap().is_empty());
    World::check_balances(&world.balances().await, &[]);
}

/// Only a pending transaction of the same network gets more outputs.
#[tokio::test]
async fn only_a_pending_transaction_gets_another_output() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let mined = world.pay(&id, "0.001").await;
    world.mine("BTC").await;
    for transaction in [mined.as_str(), "none"] {
        let mut output = transfer(&world, &id, "0.001").await;
        output["transactionId"] = json!(transaction);
        let refused = world.call(Method::POST, "/sandbox/transfers", None, Some(&output)).await;
        assert_eq!(refused.errors(), [("/transactionId".to_owned(), "unknown_transaction".to_owned())]);
    }
}
