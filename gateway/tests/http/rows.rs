//! Details of the interface that no other test covers: each value of a field, each default, each amount in a currency
//! other than EUR.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::http::{Method, StatusCode};
use checkout_core::currency::CURRENCIES;
use checkout_core::{Currency, decimal};
use checkout_domain::business::settings::Settings;
use checkout_gateway::service::App;
use checkout_wire::{LOCALES, Theme};
use serde_json::{Value, json};

use super::{START, World};

const EVM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const TRON: &str = "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC";

fn particular() -> Settings {
    Settings {
        name: Some("Particular".to_owned()),
        deposit_callback: Some("https://shop.example/deposits".to_owned()),
        withdrawal_callback: Some("https://shop.example/withdrawals".to_owned()),
        settlement_crypto: Some(Some(Currency::Eth)),
        settlement_ratio: Some(decimal::parse("0.25", 8).unwrap()),
        refund_excess: Some(true),
        refund_follow_ups: Some(true),
        deposit_currencies: Some(vec![Currency::Btc, Currency::Ltc]),
        display_currencies: Some(vec!["USD".parse().unwrap(), "EUR".parse().unwrap()]),
        theme: Some(Theme::Dark),
        ..Settings::default()
    }
}

/// Section 2.4, each setting at a non-default value.
#[tokio::test]
async fn a_business_returns_its_settings() {
    let world = World::with(particular()).await;
    let answer = world.get(&format!("/api/v1/businesses/{}", world.business.id), &world.token).await;
    let expected = json!({
        "id": world.business.id.to_string(),
        "name": "Particular",
        "createdAt": START,
        "depositReceivedCallbackUrl": "https://shop.example/deposits",
        "withdrawalCallbackUrl": "https://shop.example/withdrawals",
        "settlementCryptoCurrency": "ETH",
        "settlementCryptoRatio": "0.25",
        "settlementFiatCurrency": "EUR",
        "supportedDepositCurrencies": ["BTC", "LTC"],
        "supportedDisplayCurrencies": ["USD", "EUR"],
        "overpaymentPolicy": "EXCESS_REFUND",
        "refundFollowUpDepositsForOneTimePayments": true,
        "theme": "DARK",
    });
    assert_eq!(answer.json, expected);
}

/// Sections 2.1 and 4.1: settings that a payment copies from its business.
#[tokio::test]
async fn a_payment_returns_the_settings_of_its_business() {
    let world = World::with(particular()).await;
    let created = world.create(json!({})).await;
    let info = &created.json["paymentInfo"];
    assert_eq!(info["overpaymentPolicy"], "EXCESS_REFUND");
    assert_eq!(info["refundFollowUpDepositsForOneTimePayments"], true);
    let url = created.json["paymentUrl"].as_str().unwrap();
    assert!(url.ends_with("&theme=DARK&locale=en-US"), "{url}");
}

/// Section 4.1: the default of `displayCurrency` is EUR if the business displays it, otherwise its first
/// display currency.
#[tokio::test]
async fn the_default_display_currency() {
    for (shown, expected) in [(["USD", "EUR"], "EUR"), (["USD", "GBP"], "USD"), (["JPY", "USD"], "JPY")] {
        let display_currencies = shown.map(|code| code.parse().unwrap()).to_vec();
        let world =
            World::with(Settings { display_currencies: Some(display_currencies), ..Settings::default() })
                .await;
        let created = world.create(json!({"displayCurrency": null, "displayAmount": "100"})).await;
        assert_eq!(created.json["paymentInfo"]["displayCurrency"], expected, "{}", created.json);
    }
}

/// Section 4.1: `locale`.
#[tokio::test]
async fn every_locale() {
    let world = World::new().await;
    for locale in LOCALES {
        let created = world.create(json!({"clientPaymentId": locale, "locale": locale})).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.json);
        assert_eq!(created.json["paymentInfo"]["locale"], locale);
        let url = created.json["paymentUrl"].as_str().unwrap();
        assert!(url.ends_with(&format!("&locale={locale}")), "{url}");
    }
    for locale in ["en", "en-GB", "EN-US", "en_US", "it-IT"] {
        let refused = world.create(json!({"clientPaymentId": locale, "locale": locale})).await;
        assert_eq!(refused.errors(), [("/locale".to_owned(), "unknown_locale".to_owned())]);
    }
}

/// Sections 4.1 and 8: `expirationMinutes`, `type` and `rateType`; their answers, and the last second of the window.
#[tokio::test]
async fn windows() {
    const NEVER: u64 = 9 * 365 * 86_400;
    for (fields, minutes, rate_type, end) in [
        (json!({}), 30, "FIXED", Some(30 * 60)),
        (json!({"expirationMinutes": 1}), 1, "FIXED", Some(60)),
        (json!({"expirationMinutes": 45, "rateType": "FLOATING"}), 45, "FLOATING", Some(45 * 60)),
        (json!({"expirationMinutes": 0, "type": "ONE_TIME"}), 0, "FIXED", Some(7 * 86_400)),
        (json!({"expirationMinutes": 525_600, "rateType": "FIXED"}), 525_600, "FIXED", Some(525_600 * 60)),
        (json!({"type": "REUSABLE"}), 0, "FLOATING", None),
        (json!({"type": "REUSABLE", "expirationMinutes": 15}), 15, "FLOATING", None),
        (json!({"type": "REUSABLE", "rateType": "FIXED"}), 0, "FIXED", None),
    ] {
        let world = World::new().await;
        let created = world.create(fields.clone()).await;
        let info = &created.json["paymentInfo"];
        let kind = fields.get("type").cloned().unwrap_or(json!("ONE_TIME"));
        let said = ["expirationMinutes", "rateType", "type"].map(|name| info[name].clone());
        assert_eq!(said, [json!(minutes), json!(rate_type), kind], "{fields}");
        let id = created.payment_id();
        world.advance(end.map_or(NEVER, |end| end - 1)).await;
        assert_eq!(world.payment(&id).await["status"], "NEW", "{fields}: the last second");
        world.advance(1).await;
        let status = if end.is_some() { "EXPIRED" } else { "NEW" };
        assert_eq!(world.payment(&id).await["status"], status, "{fields}: the end");
    }
}

/// Sections 2.1 to 2.3 with a price in USD, at 1.08 for a euro: display amounts in USD, uniform ones in EUR.
#[tokio::test]
async fn a_price_in_another_fiat_currency() {
    let world = World::with(particular()).await;
    let (id, _) =
        world.quoted(json!({"displayCurrency": "USD", "displayAmount": "108.00"}), "BTC", "BTC").await;
    world.pay(&id, "0.00266667").await;
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    let names = [
        "displayCurrency",
        "expectedDisplayAmount",
        "expectedUniformAmount",
        "actualDisplayAmount",
        "actualUniformAmount",
    ];
    assert_eq!(names.map(|name| &payment[name]), ["USD", "108.00", "100.00", "172.80", "160.00"]);
    let deposit = &payment["deposits"][0];
    assert_eq!((&deposit["displayCurrency"], &deposit["displayAmount"]), (&json!("USD"), &json!("172.80")));
    let refund = &deposit["refund"];
    let names = ["displayCurrency", "amount", "displayAmount", "fee", "displayFee"];
    assert_eq!(names.map(|name| &refund[name]), ["USD", "0.00097", "62.85", "0.00003", "1.95"]);
}

/// Section 4.2 and the change history: LTC has one address, and no field for the legacy form.
#[tokio::test]
async fn litecoin_has_one_address() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "LTC", "LTC").await;
    let payment = world.payment(&id).await;
    let names: Vec<&String> = payment.as_object().unwrap().keys().collect();
    assert!(!names.iter().any(|name| name.to_ascii_lowercase().contains("ltc3")), "{names:?}");
    assert!(payment["walletAddress"].as_str().unwrap().starts_with("ltc1"), "{payment:#}");
}

/// Section 2.1: GET before the choice has none of the fields that the choice adds.
#[tokio::test]
async fn before_the_choice() {
    let world = World::new().await;
    let created = world.create(json!({})).await;
    let payment = world.payment(&created.payment_id()).await;
    assert_eq!(payment, created.json["paymentInfo"]);
    for name in [
        "depositCurrency",
        "expectedNetwork",
        "expectedDepositAmount",
        "expectedUniformAmount",
        "paymentRequestedAt",
        "walletAddress",
        "redirectUrl",
        "destinationTag",
    ] {
        assert!(payment.get(name).is_none(), "{name}");
    }
}

/// Section 2.6: a currency that no broadcaster can send cannot be withdrawn.
#[tokio::test]
async fn a_coin_without_withdrawals_is_refused() {
    let mut world = World::new().await;
    let mut broadcasters = world.app.broadcasters.clone();
    broadcasters.retain(|network, _| network.code() == "TRX");
    world.router = crate::router(&Arc::new(App { broadcasters, ..(*world.app).clone() }), &world.simulated);
    let fees = world.call(Method::GET, "/api/v1/fees/withdraw/ALL", None, None).await.json;
    let rows = fees["fees"].as_array().unwrap().iter();
    let available: BTreeMap<&str, bool> = rows
        .map(|row| (row["withdrawCurrency"].as_str().unwrap(), row["withdrawAvailable"].as_bool().unwrap()))
        .collect();
    assert_eq!(available.len(), CURRENCIES.len());
    for (coin, available) in available {
        assert_eq!(available, matches!(coin, "USDT" | "USDC"), "{coin}");
    }
}

/// Sections 2.7 and 4.8: the requester, the business and the balance.
#[tokio::test]
async fn the_requester_and_the_balance_of_a_withdrawal() {
    let world = World::settling("1", Currency::Btc, Settings::default()).await;
    world.deposit("order-1", "1000.00").await;
    let key = world.organisation_key().await;
    let own = world.business.id.to_string();
    let path = "/api/v1/withdrawals";
    let body = |id: &str, fields: Value| {
        let body = json!({
            "clientWithdrawalId": id, "recipientAddress": EVM, "withdrawCurrency": "ETH", "displayCurrency": "EUR",
            "targetAmountPolicy": "CRYPTO", "targetAmount": "0.02",
        });
        super::over(body, fields)
    };
    let refused = world.post(path, &key, &body("w-0", json!({}))).await;
    assert_eq!(refused.errors(), [("/businessId".to_owned(), "required".to_owned())]);
    for (id, token, fields, initiated_by) in [
        ("w-1", &world.token, json!({}), "BUSINESS_TOKEN"),
        ("w-2", &world.token, json!({"businessId": own}), "BUSINESS_TOKEN"),
        ("w-3", &key, json!({"businessId": own}), "ORGANISATION_KEY"),
        ("w-4", &world.token, json!({"withdrawalAccount": "CRYPTO"}), "BUSINESS_TOKEN"),
    ] {
        let made = world.post(path, token, &body(id, fields)).await;
        assert_eq!(made.status, StatusCode::CREATED, "{id}: {}", made.json);
        let have = ["clientWithdrawId", "initiatedBy", "settlementCurrency"].map(|name| &made.json[name]);
        assert_eq!(have, [id, initiated_by, "BTC"], "CRYPTO by default");
    }
    let empty = world.post(path, &world.token, &body("w-5", json!({"withdrawalAccount": "FIAT"}))).await;
    assert_eq!(empty.errors(), [("/targetAmount".to_owned(), "insufficient_balance".to_owned())]);
}

/// Section 4.8, rule 3: the recipient's address must be valid on the requested network.
#[tokio::test]
async fn the_recipient_must_be_on_the_network() {
    let world = World::new().await;
    for (network, address, fits) in [
        ("TRX", TRON, true),
        ("TRX", EVM, false),
        ("BSC", EVM, true),
        ("BSC", TRON, false),
        ("ETH", TRON, false),
    ] {
        let body = json!({
            "clientWithdrawalId": "w-1", "recipientAddress": address, "withdrawCurrency": "USDT", "network": network,
            "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO", "targetAmount": "20",
        });
        let refused = world.post("/api/v1/withdrawals", &world.token, &body).await;
        let (pointer, code) = if fits {
            ("/targetAmount", "insufficient_balance")
        } else {
            ("/recipientAddress", "bad_address")
        };
        assert_eq!(refused.errors(), [(pointer.to_owned(), code.to_owned())], "{address} on {network}");
    }
}

/// Section 4.10: the tag of each currency that has one; a currency without tags ignores it.
#[tokio::test]
async fn a_tag_of_every_kind() {
    let world = World::new().await;
    let (xrp, xlm) = (
        "XRP/network/XRP/address/rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY",
        "XLM/network/XLM/address/GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
    );
    let eth = format!("ETH/network/ETH/address/{EVM}");
    for (place, tag, valid, supported) in [
        (xrp, "0", true, true),
        (xrp, "4294967295", true, true),
        (xrp, "4294967296", false, true),
        (xlm, "18446744073709551615", true, true),
        (xlm, "a memo of twenty-eight bytes", true, true),
        (xlm, "a memo of twenty-nine bytes..", false, true),
        (eth.as_str(), "1", true, true),
        ("XRP/network/ETH/address/rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", "1", false, false),
    ] {
        let path = format!("/api/v1/currency/{place}/destinationTag/{}/valid", tag.replace(' ', "%20"));
        let verdict = world.call(Method::GET, &path, None, None).await;
        assert_eq!(verdict.json, json!({"valid": valid, "supported": supported}), "{path}");
    }
}

/// Section 4.11: the form deprecated on 2022-05-09 answers like its replacement, and reports its deprecation.
#[tokio::test]
async fn the_deprecated_validation() {
    let world = World::new().await;
    for (fields, valid, supported) in [
        (json!({"currency": "ETH", "network": "BSC", "address": EVM}), true, true),
        (json!({"currency": "ETH", "network": "TRX", "address": TRON}), false, false),
        (json!({"currency": "USDT", "network": "TRX", "address": EVM}), false, true),
    ] {
        let answer = world.call(Method::POST, "/api/v1/addresses/validate", None, Some(&fields)).await;
        assert_eq!(answer.json, json!({"valid": valid, "supported": supported}), "{fields}");
        assert_eq!(answer.header("deprecation"), Some("@1652054400"), "2022-05-09");
        assert!(answer.header("link").unwrap().contains("rel=\"deprecation\""));
    }
}

/// Section 9: these paths have no version or version 1, and no other paths lead to them.
#[tokio::test]
async fn versions() {
    let world = World::new().await;
    let id = world.create(json!({})).await.payment_id();
    for (path, status) in [
        (format!("/api/v1/payments/{id}"), 200),
        (format!("/payments/{id}"), 404),
        (format!("/api/v2/payments/{id}"), 404),
        (format!("/api/payments/{id}"), 404),
        ("/whitelist-addresses".to_owned(), 200),
        ("/api/v1/whitelist-addresses".to_owned(), 404),
    ] {
        assert_eq!(world.get(&path, &world.token).await.status.as_u16(), status, "{path}");
    }
}
