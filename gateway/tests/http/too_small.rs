//! A price that nodes would not relay in a pair: the pair is not offered, and not quoted.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::World;

/// Creates the payment without the pair, and returns whether the pair is offered, and the answer of choosing it.
async fn choose(world: &World, price: &Value, pair: (&str, &str)) -> (bool, StatusCode, Value) {
    let created = world.create(price.clone()).await;
    let (id, session) = (created.payment_id(), created.session_token());
    let view = world.get(&format!("/api/v1/checkout/{id}"), &session).await.json;
    let mut options = view["options"].as_array().unwrap().iter();
    let offered =
        options.any(|option| (&option["currency"], &option["network"]) == (&json!(pair.0), &json!(pair.1)));
    let body = json!({"depositCurrency": pair.0, "network": pair.1});
    let chosen = world.patch(&format!("/api/v1/payments/{id}"), &session, &body).await;
    assert_eq!(chosen.status == StatusCode::OK, world.payment(&id).await["status"] == "PENDING");
    (offered, chosen.status, chosen.json["errors"].clone())
}

/// At €60,000 for a BTC, 294 satoshis are just below €0.18.
#[tokio::test]
async fn offered_chosen_and_created_by_one_rule() {
    let world = World::new().await;
    let btc = "0.00000284 BTC; the BTC network relays no transfer below 0.00000294 BTC";
    for (price, pair, refused) in [
        ("0.17", ("BTC", "BTC"), Some(btc)),
        ("0.18", ("BTC", "BTC"), None),
        ("0.01", ("USDT", "TRX"), None),
        ("0.01", ("XRP", "XRP"), None),
    ] {
        let open = json!({"clientPaymentId": format!("{price} {pair:?}"), "displayAmount": price});
        let (offered, status, errors) = choose(&world, &open, pair).await;
        let given = json!({
            "clientPaymentId": format!("{price} {pair:?}, given"), "displayAmount": price,
            "depositCurrency": pair.0, "network": pair.1,
        });
        let created = world.create(given).await;
        let Some(why) = refused else {
            assert_eq!(
                (offered, status, created.status),
                (true, StatusCode::OK, StatusCode::CREATED),
                "{pair:?}"
            );
            continue;
        };
        assert_eq!((offered, status), (false, StatusCode::UNPROCESSABLE_ENTITY), "{pair:?}");
        let detail = format!("cannot be sent: the price is {why}");
        assert_eq!(errors, json!([{"pointer": "/depositCurrency", "code": "too_small", "detail": detail}]));
        assert_eq!(created.status, StatusCode::UNPROCESSABLE_ENTITY);
        let detail = format!("is {why}");
        let expected = json!([{"pointer": "/displayAmount", "code": "too_small", "detail": detail}]);
        assert_eq!(created.json["errors"], expected);
    }
}

#[tokio::test]
async fn a_price_in_coins() {
    let world = World::new().await;
    let price = |amount: &str| {
        json!({
            "clientPaymentId": amount, "displayAmount": null, "depositAmount": amount, "depositCurrency": "BTC",
        })
    };
    let refused = world.create(price("0.00000293")).await;
    assert_eq!(refused.errors(), [("/depositAmount".to_owned(), "too_small".to_owned())]);
    assert_eq!(world.create(price("0.00000294")).await.status, StatusCode::CREATED);
}

/// The coin becomes dearer: what was shown still pays, and nothing smaller is shown.
#[tokio::test]
async fn a_quote_that_was_shown_stays() {
    for rate_type in ["FIXED", "FLOATING"] {
        let world = World::new().await;
        let order = json!({"displayAmount": "0.20", "rateType": rate_type});
        let (id, session) = world.quoted(order, "BTC", "BTC").await;
        world.sandbox("rates", json!({"from": "BTC", "to": "EUR", "rate": "600000"})).await;
        let body = json!({"depositCurrency": "BTC", "network": "BTC"});
        let again = world.patch(&format!("/api/v1/payments/{id}"), &session, &body).await;
        let expected = if rate_type == "FIXED" { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
        assert_eq!(again.status, expected, "{rate_type}: {}", again.json);
        let payment = world.payment(&id).await;
        assert_eq!(
            (&payment["status"], &payment["expectedDepositAmount"]),
            (&json!("PENDING"), &json!("0.00000334")),
            "{rate_type}"
        );
        world.pay(&id, "0.00000334").await;
        world.mine("BTC").await;
        let status = world.payment(&id).await["status"].clone();
        assert!(status == "DEPOSITED" || status == "OVERPAID", "{rate_type}: {status}");
    }
}
