//! Withdrawal fees, and the limits in the list of currencies.

use axum::http::{Method, StatusCode};
use checkout_core::currency::CURRENCIES;
use serde_json::json;

use super::World;
use super::golden::check_fields;

#[tokio::test]
async fn one_coin() {
    let world = World::new().await;
    let get = async |path: &str| {
        world.call(Method::GET, &format!("/api/v1/fees/withdraw/{path}"), None, None).await
    };
    let answer = get("BTC").await;
    assert_eq!(answer.status, StatusCode::OK);
    check_fields(&answer.json, "WithdrawFees", &[]);
    check_fields(&answer.json["fees"][0], "WithdrawFee", &[]);
    let expected = json!({"displayCurrency": "EUR", "fees": [{
        "withdrawCurrency": "BTC", "withdrawFee": "0.00003", "displayWithdrawFee": "1.80",
        "mininumWithdrawableAmount": "0.0005", "displayMinimumWithdrawableAmount": "30.00",
        "withdrawAvailable": true, "withdrawPrecision": 8,
    }]});
    assert_eq!(answer.json, expected);

    // A currency with several networks has the limits that hold on each of them.
    let answer = get("USDT?displayCurrency=JPY").await.json;
    let fee = &answer["fees"][0];
    assert_eq!(answer["displayCurrency"], "JPY");
    assert_eq!(
        (&fee["withdrawFee"], &fee["displayWithdrawFee"]),
        (&json!("1.5"), &json!("221")),
        "rounded up"
    );
    assert_eq!(fee["withdrawPrecision"], 6);

    let coins = |answer: &serde_json::Value| -> Vec<String> {
        let rows = answer["fees"].as_array().unwrap().iter();
        rows.map(|row| row["withdrawCurrency"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(coins(&get("XRP,ETH").await.json), ["XRP", "ETH"]);
    let all: Vec<&str> = CURRENCIES.iter().map(|row| row.code).collect();
    assert_eq!(coins(&get("ALL").await.json), all);

    for path in ["NOPE", "btc", "BTC,", "BTC,NOPE", "EUR"] {
        assert_eq!(get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    let wrong = get("BTC?displayCurrency=XXX").await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(wrong.errors(), [("/displayCurrency".to_owned(), "unknown_currency".to_owned())]);
}

#[tokio::test]
async fn limits_of_every_pair() {
    let world = World::new().await;
    let answer = world.call(Method::GET, "/api/v1/currencies", None, None).await;
    for row in answer.json.as_array().unwrap() {
        for network in row["networks"].as_array().unwrap() {
            let decimals = u8::try_from(network["decimals"].as_u64().unwrap()).unwrap();
            let amount = |name: &str| {
                checkout_core::Amount::parse(network[name].as_str().expect(name), decimals).unwrap()
            };
            let [fee, least, most] = ["withdrawFee", "minimum", "maxAmount"].map(amount);
            assert!(fee < least && least < most, "{network}");
        }
    }
}
