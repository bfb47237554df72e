//! Amounts at the limits of their range.

use axum::http::{Method, StatusCode};
use serde_json::json;

use super::World;

#[tokio::test]
async fn the_largest_and_the_smallest_price_can_be_quoted_in_every_pair() {
    let world = World::new().await;
    for (fiat, amount) in [
        ("EUR", "0.01"),
        ("JPY", "1"),
        ("RUB", "0.01"),
        ("EUR", "1000000000000"),
        ("JPY", "1000000000000"),
        ("RUB", "1000000000000"),
    ] {
        let id = format!("{fiat}-{amount}");
        let created = world
            .create(json!({"clientPaymentId": id, "displayCurrency": fiat, "displayAmount": amount}))
            .await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.json);
        let path = format!("/api/v1/payments/{}", created.payment_id());
        for pair in checkout_core::pair::PAIRS {
            let body = json!({"depositCurrency": pair.currency.code(), "network": pair.network.code()});
            let answer = world.patch(&path, &created.session_token(), &body).await;
            // Nodes do not relay a cent on these networks.
            if amount.len() < 5
                && pair.network.spec().smallest_transfer != "0"
                && answer.status != StatusCode::OK
            {
                assert_eq!(
                    answer.errors(),
                    [("/depositCurrency".to_owned(), "too_small".to_owned())],
                    "{body}"
                );
                continue;
            }
            assert_eq!(answer.status, StatusCode::OK, "{fiat} {amount} {body}: {}", answer.json);
            assert_ne!(answer.json["paymentInfo"]["expectedDepositAmount"], "0");
        }
    }
}

/// An over-long URL is refused with the usual problem.
#[tokio::test]
async fn overlong_urls_are_refused() {
    let world = World::new().await;
    let address = |length: usize| {
        let path = "/api/v1/currency/BTC/network/BTC/address/";
        format!("{path}{}/valid", "1".repeat(length - path.len() - "/valid".len()))
    };
    let query = |length: usize| {
        let path = "/whitelist-addresses?label=";
        format!("{path}{}", "x".repeat(length - path.len()))
    };
    for path in [address(8192), query(8192)] {
        let answer = world.get(&path, &world.token).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
    }
    for path in [address(8193), query(8193), query(60_000)] {
        let answer = world.call(Method::GET, &path, None, None).await;
        assert_eq!(answer.status, StatusCode::URI_TOO_LONG);
        answer.check_problem();
        assert_eq!(answer.json["code"], "address_too_long");
    }
}

#[tokio::test]
async fn huge_amounts_do_not_overflow() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "USDT", "BSC").await;
    for _ in 0..2 {
        world.pay(&id, "1000000000000000").await;
    }
    world.mine("BSC").await;
    let payment = world.payment(&id).await;
    assert_eq!(payment["status"], "OVERPAID");
    assert_eq!(payment["actualDepositAmount"], "2000000000000000");
}

#[tokio::test]
async fn crypto_prices_keep_every_digit() {
    let world = World::new().await;
    for (currency, network, amount) in [
        ("ETH", "ETH", "0.123456789012345678"),
        ("USDT", "BSC", "1.000000000000000001"),
        ("BTC", "BTC", "0.00000301"),
        ("XLM", "XLM", "50000000000.1234567"),
    ] {
        let fields = json!({
            "clientPaymentId": currency, "displayAmount": null, "depositCurrency": currency, "network": network,
            "depositAmount": amount
        });
        let (id, _) = world.quoted(fields, currency, network).await;
        assert_eq!(world.payment(&id).await["expectedDepositAmount"], amount);
        world.pay(&id, amount).await;
        world.mine(network).await;
        let payment = world.payment(&id).await;
        assert_eq!(
            (&payment["status"], &payment["actualDepositAmount"]),
            (&json!("DEPOSITED"), &json!(amount))
        );
    }
}

#[tokio::test]
async fn amounts_are_read_as_numbers_and_as_texts() {
    let world = World::new().await;
    for (order, amount) in [("text", json!("0.25")), ("number", json!(0.25))] {
        let crypto = json!({
            "clientPaymentId": order, "displayAmount": null, "depositCurrency": "ETH", "network": "ETH",
            "depositAmount": amount,
        });
        let (id, _) = world.quoted(crypto, "ETH", "ETH").await;
        assert_eq!(world.payment(&id).await["expectedDepositAmount"], "0.25", "{order}");
        let fiat = json!({"clientPaymentId": format!("{order}-fiat"), "displayAmount": amount});
        let created = world.create(fiat).await;
        assert_eq!(created.json["paymentInfo"]["expectedDisplayAmount"], "0.25", "{order}");
    }
}
