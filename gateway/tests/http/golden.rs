//! The fields of interface sections 2.1, 2.2 and 2.4, and when they are present.

use std::collections::BTreeSet;

use axum::http::{Method, StatusCode};
use checkout_core::currency::CURRENCIES;
use checkout_domain::business::settings::Settings;
use serde_json::{Value, json};

use super::{START, World};
use crate::document;

/// The fields of `schema` that are required, and these of the others, are there; `contract.rs` checked their types.
#[track_caller]
pub(super) fn check_fields(value: &Value, schema: &str, others: &[&str]) {
    let document = document(true);
    let schema = &document["components"]["schemas"][schema];
    let required = schema["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
    for other in others {
        assert!(schema["properties"].get(other).is_some(), "{other} is described");
    }
    let expected: BTreeSet<&str> = required.chain(others.iter().copied()).collect();
    let have: BTreeSet<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(have, expected);
}

/// The fields that a payment always has, beyond those that the interface requires.
const CREATED: &[&str] = &[
    "businessId",
    "expectedDisplayAmount",
    "actualUniformAmount",
    "overpaymentPolicy",
    "refundFollowUpDepositsForOneTimePayments",
];

const CHOSEN: &[&str] = &[
    "depositCurrency",
    "expectedNetwork",
    "expectedDepositAmount",
    "expectedUniformAmount",
    "paymentRequestedAt",
    "walletAddress",
];

fn with<'a>(fields: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [fields, more].concat()
}

#[tokio::test]
async fn payment_in_post_patch_and_get() {
    let world = World::new().await;
    let created = world.create(json!({"redirectUrl": "https://shop.example/thanks"})).await;
    assert_eq!(created.status, StatusCode::CREATED);
    check_fields(&created.json, "CreatedPayment", &[]);
    let info = &created.json["paymentInfo"];
    check_fields(info, "Payment", &with(CREATED, &["redirectUrl"]));
    let id = created.payment_id();
    let expected = json!({
        "paymentId": id,
        "clientPaymentId": "order-1",
        "businessId": world.business.id.to_string(),
        "status": "NEW",
        "type": "ONE_TIME",
        "rateType": "FIXED",
        "processorType": "BLOCKCHAIN",
        "locale": "en-US",
        "displayCurrency": "EUR",
        "expectedDisplayAmount": "100.00",
        "actualDepositAmount": "0",
        "actualDisplayAmount": "0.00",
        "actualUniformAmount": "0.00",
        "expirationMinutes": 30,
        "paymentInitiatedAt": START,
        "deposits": [],
        "redirectUrl": "https://shop.example/thanks",
        "overpaymentPolicy": "PROCESS",
        "refundFollowUpDepositsForOneTimePayments": false,
    });
    assert_eq!(*info, expected);
    let url = created.json["paymentUrl"].as_str().unwrap();
    let token = created.session_token();
    assert_eq!(url, format!("http://pay.test/checkout/{id}?sessionToken={token}&theme=LIGHT&locale=en-US"));
    let (time, random) = token.split_once('.').unwrap();
    assert!(id.replace('-', "").starts_with(time), "sessions sort by the time of their payment");
    assert_eq!(random.len(), 43, "32 bytes in base64url");

    world.advance(60).await;
    let path = format!("/api/v1/payments/{id}");
    let patched = world.patch(&path, &token, &json!({"depositCurrency": "BTC"})).await;
    assert_eq!(patched.status, StatusCode::OK);
    check_fields(&patched.json, "UpdatedPayment", &["rate"]);
    let info = &patched.json["paymentInfo"];
    let fields = with(&with(CREATED, CHOSEN), &["redirectUrl"]);
    let of_payer: Vec<&str> = fields.into_iter().filter(|name| *name != "businessId").collect();
    check_fields(info, "Payment", &of_payer);
    assert_eq!(info["status"], "PENDING");
    assert_eq!(info["expectedNetwork"], "BTC");
    assert_eq!(info["expectedDepositAmount"], "0.00166667");
    assert_eq!(info["expectedUniformAmount"], "100.00");
    assert_eq!(info["paymentRequestedAt"], START + 60);
    assert_eq!(info["paymentInitiatedAt"], START);
    let verdict = checkout_core::validate("BTC", "BTC", info["walletAddress"].as_str().unwrap(), None);
    assert!(verdict.valid, "{verdict:?}");

    let read = world.get(&path, &token).await;
    assert_eq!(read.status, StatusCode::OK);
    assert_eq!(read.json, *info, "GET is the payment itself, not wrapped");
    let of_merchant = super::over(info.clone(), json!({"businessId": world.business.id.to_string()}));
    assert_eq!(world.get(&path, &world.token).await.json, of_merchant, "everything except the business");
    let view = world.get(&format!("/api/v1/checkout/{id}"), &token).await;
    assert_eq!(view.json["payment"], *info);
}

#[tokio::test]
async fn deposit() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "XRP", "XRP").await;
    let payment = world.payment(&id).await;
    check_fields(&payment, "Payment", &with(&with(CREATED, CHOSEN), &["destinationTag"]));
    let transaction = world.pay(&id, "200").await;
    world.mine("XRP").await;
    let payment = world.payment(&id).await;
    let deposit = &payment["deposits"][0];
    check_fields(deposit, "Deposit", &[]);
    let mut expected = json!({
        "depositAmount": "200",
        "depositCurrency": "XRP",
        "depositReceivedAt": START,
        "displayAmount": "100.00",
        "displayCurrency": "EUR",
        "status": "CONFIRMED",
        "fromAddress": "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY",
        "toAddress": payment["walletAddress"],
        "transactionId": transaction,
        "onChainFee": "0.000012",
    });
    expected["id"] = deposit["id"].clone();
    assert_eq!(*deposit, expected);
    assert_eq!(payment["status"], "DEPOSITED");
    assert_eq!(payment["actualDepositAmount"], "200");
    assert_eq!(payment["actualDisplayAmount"], "100.00");
    assert_eq!(payment["actualUniformAmount"], "100.00");
}

#[tokio::test]
async fn a_price_in_crypto() {
    let world = World::new().await;
    let fields = json!({
        "displayAmount": null, "displayCurrency": "USD", "depositCurrency": "USDT", "depositAmount": "54.25", "network": "TRX"
    });
    let created = world.create(fields).await;
    let info = &created.json["paymentInfo"];
    let more = ["depositCurrency", "expectedNetwork", "expectedDepositAmount"];
    check_fields(info, "Payment", &with(CREATED, &more));
    assert_eq!(info["status"], "NEW", "the address comes with PATCH");
    assert_eq!(info["expectedDepositAmount"], "54.25");
    assert_eq!(info["expectedDisplayAmount"], "53.90", "0.92 EUR, 1.08 USD per EUR");
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let patched = world.patch(&path, &created.session_token(), &json!({"depositCurrency": "USDT"})).await;
    let info = &patched.json["paymentInfo"];
    assert_eq!(info["expectedNetwork"], "TRX", "the network of the request");
    assert_eq!(info["expectedDepositAmount"], "54.25");
    assert_eq!(info["expectedDisplayAmount"], "53.90");
    assert_eq!(info["expectedUniformAmount"], "49.91");
}

#[tokio::test]
async fn a_display_currency_set_by_patch() {
    let world = World::new().await;
    let created = world.create(json!({"displayCurrency": null, "displayAmount": "108"})).await;
    assert_eq!(created.json["paymentInfo"]["displayCurrency"], "EUR", "the business's first");
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let body = json!({"depositCurrency": "BTC", "displayCurrency": "USD", "displayAmount": 108.00});
    let patched = world.patch(&path, &world.token, &body).await;
    let info = &patched.json["paymentInfo"];
    assert_eq!(patched.status, StatusCode::OK, "{}", patched.json);
    assert_eq!(info["displayCurrency"], "USD");
    assert_eq!(info["expectedDisplayAmount"], "108.00");
    assert_eq!(info["expectedDepositAmount"], "0.00166667");
    assert_eq!(info["expectedUniformAmount"], "100.00");
}

#[tokio::test]
async fn a_reusable_payment() {
    let world = World::new().await;
    let created = world.create(json!({"type": "REUSABLE"})).await;
    let info = &created.json["paymentInfo"];
    assert_eq!(info["type"], "REUSABLE");
    assert_eq!(info["rateType"], "FLOATING");
    assert_eq!(info["expirationMinutes"], 0);
}

#[tokio::test]
async fn business() {
    let world = World::new().await;
    let answer = world.get(&format!("/api/v1/businesses/{}", world.business.id), &world.token).await;
    check_fields(&answer.json, "Business", &[]);
    assert_eq!(answer.json["id"], world.business.id.to_string());
    assert_eq!(answer.json["settlementFiatCurrency"], "EUR");
    assert_eq!(answer.json["supportedDepositCurrencies"].as_array().unwrap().len(), CURRENCIES.len());
    assert_eq!(answer.json["theme"], "LIGHT");
}

#[tokio::test]
async fn business_with_callbacks() {
    let world = World::with(Settings {
        name: Some("Full".to_owned()),
        deposit_callback: Some("https://shop.example/deposits".to_owned()),
        withdrawal_callback: Some("https://shop.example/withdrawals".to_owned()),
        refund_excess: Some(true),
        ..Default::default()
    })
    .await;
    let answer = world.get(&format!("/api/v1/businesses/{}", world.business.id), &world.token).await;
    assert_eq!(answer.json["depositReceivedCallbackUrl"], "https://shop.example/deposits");
    assert_eq!(answer.json["withdrawalCallbackUrl"], "https://shop.example/withdrawals");
    assert_eq!(answer.json["overpaymentPolicy"], "EXCESS_REFUND");
}

#[tokio::test]
async fn checkout_view() {
    let world = World::new().await;
    let created = world.create(json!({"depositCurrency": "USDT", "network": "TRX"})).await;
    let path = format!("/api/v1/checkout/{}", created.payment_id());
    let view = world.get(&path, &created.session_token()).await.json;
    check_fields(&view, "CheckoutView", &[]);
    let chosen = json!({"depositCurrency": "USDT", "network": "TRX"});
    let payment = format!("/api/v1/payments/{}", created.payment_id());
    let chosen = world.patch(&payment, &created.session_token(), &chosen).await.json;
    let rate = &world.get(&path, &created.session_token()).await.json["rate"];
    assert!(rate.is_string(), "{rate}");
    assert_eq!(chosen["rate"], *rate, "the page has its rate before the next poll");
    let of_payer = super::over(created.json["paymentInfo"].clone(), json!({"businessId": null}));
    assert_eq!(view["payment"], of_payer);
    assert_eq!(view["merchantName"], "Kettle & Co");
    assert_eq!(view["allowedOrigins"], json!(["https://shop.example"]));
    assert_eq!(view["sandbox"], true);
    let options = view["options"].as_array().unwrap();
    assert_eq!(options.len(), checkout_core::pair::PAIRS.len());
    let first = json!({
        "currency": "USDT", "network": "TRX", "estimatedAmount": "108.695653", "requiredConfirmations": 1,
    });
    assert_eq!(options[0], first);
    for option in options {
        assert!(option["estimatedAmount"].is_string(), "{option}");
    }
}

#[tokio::test]
async fn currencies_rates_and_validation() {
    let world = World::new().await;
    let get = async |path: &str| {
        let answer = world.call(Method::GET, path, None, None).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.json);
        answer.json
    };
    let currencies = get("/api/v1/currencies").await;
    let usdt = currencies.as_array().unwrap().iter().find(|row| row["currency"] == "USDT").unwrap();
    let decimals: Vec<_> = usdt["networks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["network"].clone(), row["decimals"].clone()))
        .collect();
    assert_eq!(decimals, [(json!("ETH"), json!(6)), (json!("BSC"), json!(18)), (json!("TRX"), json!(6))]);

    let rates = get("/api/v1/rates?from=BTC,ETH&to=EUR,USD").await;
    let expected = json!([
        {"from": "BTC", "to": "EUR", "rate": "60000"},
        {"from": "BTC", "to": "USD", "rate": "64800"},
        {"from": "ETH", "to": "EUR", "rate": "3000"},
        {"from": "ETH", "to": "USD", "rate": "3240"},
    ]);
    assert_eq!(rates, expected);

    let base = "/api/v1/currency";
    for (path, valid, supported) in [
        ("BTC/network/BTC/address/1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2/valid", true, true),
        ("BTC/network/BTC/address/1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3/valid", false, true),
        ("BTC/network/MAIN/address/1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2/valid", false, false),
        ("BTC/network/ETH/address/1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2/valid", false, false),
        ("NOPE/network/BTC/address/x/valid", false, false),
        ("XRP/network/XRP/address/rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY/valid", true, true),
        ("XRP/network/XRP/address/rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY/destinationTag/12345/valid", true, true),
        ("XRP/network/XRP/address/rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY/destinationTag/+5/valid", false, true),
        ("BTC/network/BTC/address/%20x/valid", false, true),
        ("BTC/network/BTC/address/a%2Fb/valid", false, true),
    ] {
        let verdict = get(&format!("{base}/{path}")).await;
        assert_eq!(verdict, json!({"valid": valid, "supported": supported}), "{path}");
    }
}
