//! The life cycle of a payment, transfer by transfer.

use crate::fixture::Look as _;
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{START, World};

#[track_caller]
fn check(payment: &Value, status: &str, deposits: &[&str], actual: &str, display: &str) {
    let seen: Vec<&str> =
        payment["deposits"].as_array().unwrap().iter().map(|d| d["status"].as_str().unwrap()).collect();
    let have = (
        payment["status"].as_str().unwrap(),
        seen.as_slice(),
        payment["actualDepositAmount"].as_str().unwrap(),
        payment["actualDisplayAmount"].as_str().unwrap(),
    );
    assert_eq!(have, (status, deposits, actual, display), "{payment:#}");
}

const SEEN: &str = "UNCONFIRMED";
const SURE: &str = "CONFIRMED";

/// Deposits of UTXO coins count before confirmation.
#[tokio::test]
async fn exact_on_a_utxo_chain() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    check(&world.payment(&id).await, "PENDING", &[], "0", "0.00");
    world.pay(&id, "0.00166667").await;
    check(&world.payment(&id).await, "AWAITING", &[SEEN], "0.00166667", "100.00");
    world.mine("BTC").await;
    check(&world.payment(&id).await, "DEPOSITED", &[SURE], "0.00166667", "100.00");
}

/// Deposits on account chains count with the first confirmation; the payer sees them earlier.
#[tokio::test]
async fn exact_on_an_account_chain() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "USDT", "TRX").await;
    world.pay(&id, "108.695653").await;
    check(&world.payment(&id).await, "AWAITING", &[SEEN], "0", "0.00");
    world.mine("ETH").await;
    check(&world.payment(&id).await, "AWAITING", &[SEEN], "0", "0.00");
    world.mine("TRX").await;
    check(&world.payment(&id).await, "DEPOSITED", &[SURE], "108.695653", "100.00");
}

/// All 14 pairs, each with its decimals.
#[tokio::test]
async fn every_pair_can_be_paid() {
    let world = World::new().await;
    for pair in checkout_core::pair::PAIRS {
        let (currency, network) = (pair.currency.code(), pair.network.code());
        let order = json!({"clientPaymentId": format!("{currency}-{network}")});
        let (id, _) = world.quoted(order, currency, network).await;
        let payment = world.payment(&id).await;
        let amount = payment["expectedDepositAmount"].as_str().unwrap().to_owned();
        let tag = payment["destinationTag"].as_str();
        let verdict =
            checkout_core::validate(currency, network, payment["walletAddress"].as_str().unwrap(), tag);
        assert!(verdict.valid && verdict.warnings.is_empty(), "{currency} {network} {verdict:?}");
        assert_eq!(tag.is_some(), matches!(network, "XRP" | "XLM"), "{payment:#}");
        world.pay(&id, &amount).await;
        world.mine(network).await;
        check(&world.payment(&id).await, "DEPOSITED", &[SURE], &amount, "100.00");
    }
}

#[tokio::test]
async fn partial_then_the_rest() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({}), "LTC", "LTC").await;
    world.pay(&id, "0.5").await;
    world.mine("LTC").await;
    check(&world.payment(&id).await, "AWAITING", &[SURE], "0.5", "37.50");
    let path = format!("/api/v1/payments/{id}");
    let other = world.patch(&path, &session, &json!({"depositCurrency": "BTC"})).await;
    assert_eq!((other.status, &other.json["code"]), (StatusCode::CONFLICT, &json!("deposit_seen")));
    world.pay(&id, "0.83333334").await;
    check(&world.payment(&id).await, "AWAITING", &[SURE, SEEN], "1.33333334", "100.00");
    world.mine("LTC").await;
    check(&world.payment(&id).await, "DEPOSITED", &[SURE, SURE], "1.33333334", "100.00");
}

#[tokio::test]
async fn too_much() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "ETH", "ETH").await;
    world.pay(&id, "0.05").await;
    world.mine("ETH").await;
    check(&world.payment(&id).await, "OVERPAID", &[SURE], "0.05", "150.00");
}

/// A follow-up deposit to a paid ONE_TIME payment is shown and counted, but does not change its status.
#[tokio::test]
async fn a_follow_up() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00166667").await;
    world.mine("BTC").await;
    world.pay(&id, "0.001").await;
    world.mine("BTC").await;
    check(&world.payment(&id).await, "DEPOSITED", &[SURE, SURE], "0.00266667", "160.00");
}

/// Two deposits in one block are an overpayment, not a payment and a follow-up.
#[tokio::test]
async fn two_at_once() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00166667").await;
    world.pay(&id, "0.00166667").await;
    world.mine("BTC").await;
    check(&world.payment(&id).await, "OVERPAID", &[SURE, SURE], "0.00333334", "200.00");
}

#[tokio::test]
async fn expiry() {
    let world = World::new().await;
    let new = world.create(json!({"clientPaymentId": "new"})).await.payment_id();
    let (pending, _) = world.quoted(json!({"clientPaymentId": "pending"}), "BTC", "BTC").await;
    let (partial, _) = world.quoted(json!({"clientPaymentId": "partial"}), "BTC", "BTC").await;
    world.pay(&partial, "0.001").await;
    let (covered, _) = world.quoted(json!({"clientPaymentId": "covered"}), "BTC", "BTC").await;
    world.pay(&covered, "0.00166667").await;
    let (week, _) =
        world.quoted(json!({"clientPaymentId": "week", "expirationMinutes": 0}), "BTC", "BTC").await;
    let (reusable, _) =
        world.quoted(json!({"clientPaymentId": "open", "type": "REUSABLE"}), "BTC", "BTC").await;
    let status = async |id: &str| world.payment(id).await["status"].as_str().unwrap().to_owned();

    world.advance(30 * 60 - 1).await;
    assert_eq!(status(&new).await, "NEW");
    assert_eq!(status(&pending).await, "PENDING");
    assert_eq!(status(&partial).await, "AWAITING");
    world.advance(1).await;
    assert_eq!(status(&new).await, "EXPIRED");
    assert_eq!(status(&pending).await, "EXPIRED");
    assert_eq!(status(&partial).await, "EXPIRED", "what was seen would not cover it");
    assert_eq!(status(&covered).await, "AWAITING", "what was seen would cover it");
    assert_eq!(status(&week).await, "PENDING");
    assert_eq!(status(&reusable).await, "PENDING");
    world.mine("BTC").await;
    assert_eq!(status(&covered).await, "DEPOSITED");
    world.advance(7 * 86_400).await;
    assert_eq!(status(&week).await, "EXPIRED");
    assert_eq!(status(&reusable).await, "PENDING", "a reusable payment never expires");
}

/// A background task updates the stored status; answers are correct before that.
#[tokio::test]
async fn the_answer_is_right_before_the_background_task() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.simulated.clock.run_ahead(30 * 60);
    let stored = async || -> String {
        world.database.texts("SELECT status FROM payments").await[0][0].clone().unwrap()
    };
    assert_eq!(stored().await, "PENDING");
    assert_eq!(world.payment(&id).await["status"], "EXPIRED");
    assert_eq!(
        checkout_gateway::service::payments::expire_payments::expire_due(&world.app).await.unwrap(),
        1
    );
    assert_eq!(stored().await, "EXPIRED");
    assert_eq!(
        checkout_gateway::service::payments::expire_payments::expire_due(&world.app).await.unwrap(),
        0
    );
}

/// More windows end at once than fit on a page, some of payments that cannot expire.
#[tokio::test]
async fn many_windows_end_at_once() {
    let world = World::new().await;
    for order in 0..230 {
        let (id, _) = world.quoted(json!({"clientPaymentId": order.to_string()}), "BTC", "BTC").await;
        if order < 110 {
            world.pay(&id, "0.00166667").await;
        }
    }
    world.advance(30 * 60).await;
    let count = world.database.count("SELECT COUNT(*) FROM payments WHERE status = 'EXPIRED'").await;
    assert_eq!(count, 120);
}

/// A late deposit is valued at the rate of its receipt.
#[tokio::test]
async fn late() {
    let world = World::new().await;
    let (same, _) = world.quoted(json!({"clientPaymentId": "same"}), "BTC", "BTC").await;
    let (moved, _) = world.quoted(json!({"clientPaymentId": "moved"}), "BTC", "BTC").await;
    let (enough, _) = world.quoted(json!({"clientPaymentId": "enough"}), "BTC", "BTC").await;
    world.advance(30 * 60).await;
    world.pay(&same, "0.00166667").await;
    check(&world.payment(&same).await, "AWAITING", &[SEEN], "0.00166667", "100.00");
    world.mine("BTC").await;
    check(&world.payment(&same).await, "DEPOSITED", &[SURE], "0.00166667", "100.00");

    world.sandbox("rates", json!({"from": "BTC", "to": "EUR", "rate": "30000"})).await;
    world.pay(&moved, "0.00166667").await;
    world.mine("BTC").await;
    check(&world.payment(&moved).await, "EXPIRED", &[SURE], "0.00166667", "50.00");
    world.pay(&enough, "0.00333334").await;
    world.mine("BTC").await;
    check(&world.payment(&enough).await, "DEPOSITED", &[SURE], "0.00333334", "100.00");
}

/// FIXED values a deposit at the quoted rate, FLOATING at the rate of receipt. The shown amount pays either.
#[tokio::test]
async fn rates_that_move() {
    let world = World::new().await;
    let (fixed, _) = world.quoted(json!({"clientPaymentId": "fixed"}), "BTC", "BTC").await;
    let floating = async |id: &str| {
        let order = json!({"clientPaymentId": id, "rateType": "FLOATING"});
        world.quoted(order, "BTC", "BTC").await.0
    };
    let (whole, parts) = (floating("whole").await, floating("parts").await);
    world.sandbox("rates", json!({"from": "BTC", "to": "EUR", "rate": "30000"})).await;
    for id in [&fixed, &whole] {
        world.pay(id, "0.00166667").await;
    }
    world.pay(&parts, "0.001").await;
    world.mine("BTC").await;
    check(&world.payment(&fixed).await, "DEPOSITED", &[SURE], "0.00166667", "100.00");
    check(&world.payment(&whole).await, "DEPOSITED", &[SURE], "0.00166667", "50.00");
    check(&world.payment(&parts).await, "AWAITING", &[SURE], "0.001", "30.00");
    world.sandbox("rates", json!({"from": "BTC", "to": "EUR", "rate": "60000"})).await;
    world.pay(&parts, "0.00065833").await;
    world.mine("BTC").await;
    check(&world.payment(&parts).await, "AWAITING", &[SURE, SURE], "0.00165833", "69.49");
    world.pay(&parts, "0.00000001").await;
    world.mine("BTC").await;
    check(&world.payment(&parts).await, "DEPOSITED", &[SURE, SURE, SURE], "0.00165834", "69.50");
}

/// A new quote after expiry has the same address, a current rate and a window of the same length.
#[tokio::test]
async fn an_expired_payment_is_quoted_again() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({}), "BTC", "BTC").await;
    let before = world.payment(&id).await;
    let path = format!("/api/v1/payments/{id}");
    world.advance(45 * 60).await;
    world.sandbox("rates", json!({"from": "BTC", "to": "EUR", "rate": "50000"})).await;
    let again = world.patch(&path, &session, &json!({"depositCurrency": "BTC"})).await;
    let info = &again.json["paymentInfo"];
    assert_eq!(again.status, StatusCode::OK);
    assert_eq!(info["status"], "PENDING");
    assert_eq!(info["walletAddress"], before["walletAddress"]);
    assert_eq!(info["expectedDepositAmount"], "0.002");
    assert_eq!(info["paymentRequestedAt"], START + 45 * 60);
    assert_eq!(info["expirationMinutes"], 30);
    world.advance(30 * 60 - 1).await;
    assert_eq!(world.payment(&id).await["status"], "PENDING");
    world.advance(1).await;
    assert_eq!(world.payment(&id).await["status"], "EXPIRED");

    // An expired payment with a deposit is not quoted again.
    world.pay(&id, "0.0001").await;
    let again = world.patch(&path, &session, &json!({"depositCurrency": "BTC"})).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn an_expired_payment_without_a_quote_can_be_quoted() {
    let world = World::new().await;
    let created = world.create(json!({})).await;
    world.advance(40 * 60).await;
    let path = format!("/api/v1/payments/{}", created.payment_id());
    assert_eq!(world.get(&path, &world.token).await.json["status"], "EXPIRED");
    let answer = world.patch(&path, &created.session_token(), &json!({"depositCurrency": "XLM"})).await;
    assert_eq!(answer.json["paymentInfo"]["status"], "PENDING");
}

/// A quoted address stays watched for its payment.
#[tokio::test]
async fn a_deposit_to_an_earlier_address_is_credited() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({}), "BTC", "BTC").await;
    let earlier = world.payment(&id).await["walletAddress"].clone();
    let body = json!({"depositCurrency": "USDT", "network": "TRX"});
    world.patch(&format!("/api/v1/payments/{id}"), &session, &body).await;
    let transfer = json!({"network": "BTC", "currency": "BTC", "address": earlier, "amount": "0.00166667"});
    world.sandbox("transfers", transfer).await;
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    assert_eq!(payment["deposits"][0]["depositCurrency"], "BTC");
    assert_eq!(payment["deposits"][0]["displayAmount"], "100.00");
    // The quote in BTC values it: its amount is the whole price.
    check(&payment, "DEPOSITED", &[SURE], "108.695653", "100.00");
}

/// Another supported token, and the other EVM network, count by their value.
#[tokio::test]
async fn the_wrong_token_and_the_wrong_evm_network() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({"clientPaymentId": "token"}), "USDT", "ETH").await;
    let address = world.payment(&id).await["walletAddress"].clone();
    world
        .sandbox(
            "transfers",
            json!({"network": "ETH", "currency": "USDC", "address": address, "amount": "108.695653"}),
        )
        .await;
    world.mine("ETH").await;
    check(&world.payment(&id).await, "DEPOSITED", &[SURE], "108.695653", "100.00");

    let (id, _) = world.quoted(json!({"clientPaymentId": "network"}), "USDT", "ETH").await;
    let address = world.payment(&id).await["walletAddress"].clone();
    let transfer =
        json!({"network": "BSC", "currency": "USDT", "address": address, "amount": "108.695653000000000001"});
    world.sandbox("transfers", transfer).await;
    world.mine("BSC").await;
    check(&world.payment(&id).await, "DEPOSITED", &[SURE], "108.695653", "100.00");
}

/// A transfer with an unknown tag belongs to no payment; the tag inside an X-address is used.
#[tokio::test]
async fn tags() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "XLM", "XLM").await;
    let payment = world.payment(&id).await;
    let tag: u64 = payment["destinationTag"].as_str().unwrap().parse().unwrap();
    assert!(tag >= 100_000_000, "a slip of the finger should not hit another payment");
    let send = async |tag: Value| {
        let mut body = json!({"network": "XLM", "currency": "XLM", "address": payment["walletAddress"], "amount": "500"});
        if !tag.is_null() {
            body["destinationTag"] = tag;
        }
        world.sandbox("transfers", body).await;
    };
    send(Value::Null).await;
    send(json!((tag + 1).to_string())).await;
    check(&world.payment(&id).await, "PENDING", &[], "0", "0.00");
    send(json!(tag)).await;
    check(&world.payment(&id).await, "AWAITING", &[SEEN], "0", "0.00");

    let (other, _) = world.quoted(json!({"clientPaymentId": "order-2"}), "XLM", "XLM").await;
    let other = world.payment(&other).await;
    assert_eq!(other["walletAddress"], payment["walletAddress"], "one account");
    assert_ne!(other["destinationTag"], payment["destinationTag"]);
}

/// A dropped deposit is un-credited; when it returns it is the same deposit.
#[tokio::test]
async fn drops_and_reorganisations() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({}), "BTC", "BTC").await;
    let transaction = world.pay(&id, "0.00166667").await;
    let deposit = world.payment(&id).await["deposits"][0]["id"].clone();
    world.mine("BTC").await;
    check(&world.payment(&id).await, "DEPOSITED", &[SURE], "0.00166667", "100.00");
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    check(&world.payment(&id).await, "AWAITING", &[SEEN], "0.00166667", "100.00");
    world.mine("BTC").await;
    check(&world.payment(&id).await, "DEPOSITED", &[SURE], "0.00166667", "100.00");
    assert_eq!(world.payment(&id).await["deposits"][0]["id"], deposit);
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    check(&world.payment(&id).await, "PENDING", &[], "0", "0.00");
    world.mine("BTC").await;
    check(&world.payment(&id).await, "PENDING", &[], "0", "0.00");
    let path = format!("/api/v1/payments/{id}");
    let other = world.patch(&path, &session, &json!({"depositCurrency": "ETH"})).await;
    assert_eq!(other.status, StatusCode::OK, "without deposits the currency can be changed again");

    // After the window, a drop makes the payment EXPIRED.
    let (id, _) = world.quoted(json!({"clientPaymentId": "order-2"}), "BTC", "BTC").await;
    let transaction = world.pay(&id, "0.00166667").await;
    world.advance(30 * 60).await;
    check(&world.payment(&id).await, "AWAITING", &[SEEN], "0.00166667", "100.00");
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    check(&world.payment(&id).await, "EXPIRED", &[], "0", "0.00");
}

/// A follow-up replaces a payment's dropped deposit.
#[tokio::test]
async fn a_follow_up_replaces_a_dropped_deposit() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let first = world.pay(&id, "0.00166667").await;
    world.mine("BTC").await;
    world.pay(&id, "0.002").await;
    world.mine("BTC").await;
    assert_eq!(world.payment(&id).await["status"], "DEPOSITED");
    world.sandbox("drops", json!({"transactionId": first})).await;
    check(&world.payment(&id).await, "OVERPAID", &[SURE], "0.002", "120.00");
}

/// A REUSABLE payment keeps accepting deposits.
#[tokio::test]
async fn reusable() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({"type": "REUSABLE"}), "BTC", "BTC").await;
    for _ in 0..3 {
        world.pay(&id, "0.00166667").await;
        world.mine("BTC").await;
        world.advance(86_400 * 30).await;
    }
    check(&world.payment(&id).await, "DEPOSITED", &[SURE, SURE, SURE], "0.00500001", "300.00");
}

/// Paying in many parts loses nothing to rounding.
#[tokio::test]
async fn in_ten_parts() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({"displayAmount": "0.10"}), "USDT", "TRX").await;
    assert_eq!(world.payment(&id).await["expectedDepositAmount"], "0.108696");
    for _ in 0..9 {
        world.pay(&id, "0.010869").await;
    }
    world.pay(&id, "0.010875").await;
    world.mine("TRX").await;
    let payment = world.payment(&id).await;
    assert_eq!(
        (payment["status"].as_str(), payment["actualDisplayAmount"].as_str()),
        (Some("DEPOSITED"), Some("0.10"))
    );
}
