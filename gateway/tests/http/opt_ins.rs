//! Networks beyond interface section 2.10: off unless the operator configures them and a business takes them; and a transfer on
//! another EVM network than the payment's.

use axum::http::{Method, StatusCode};
use checkout_core::currency::CURRENCIES;
use checkout_core::pair::PAIRS;
use checkout_core::{Currency, Network};
use checkout_domain::business::deposit_pairs::{self, DepositChoice};
use checkout_domain::business::settings::Settings;
use serde_json::{Value, json};

use super::fixture::Place;
use super::{World, at_once, document, document_with};

/// BIP-84, test vectors: account 0. On these networks any key has addresses.
const KEY: &str = "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";

const ACCOUNT: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// A gateway with all networks beyond the interface, and a business that takes these pairs; none for the default ones.
async fn with_networks(pairs: &str) -> World {
    let choices: Vec<DepositChoice> =
        pairs.split(',').filter(|pair| !pair.is_empty()).map(|pair| pair.parse().unwrap()).collect();
    let business = Settings {
        name: Some("Kettle & Co".to_owned()),
        deposit_currencies: Some(deposit_pairs::currencies(&choices)).filter(|some| !some.is_empty()),
        deposit_networks: Some(deposit_pairs::networks(&choices)),
        ..Settings::default()
    };
    let beyond = [Network::Polygon, Network::Base, Network::Arbitrum, Network::Doge];
    let keys = beyond.map(|network| (network, KEY.to_owned())).to_vec();
    World::with_keys(Place::chosen(), at_once(), business, keys).await
}

#[track_caller]
fn check(answer: &super::Answer, pointer: &str, code: &str) {
    assert_eq!(answer.errors(), [(pointer.to_owned(), code.to_owned())], "{}", answer.json);
}

fn withdrawal() -> Value {
    json!({
        "clientWithdrawalId": "w", "withdrawCurrency": "USDC", "network": "POLYGON", "recipientAddress": ACCOUNT,
        "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO", "targetAmount": "5",
    })
}

/// The answers to a business that takes nothing beyond the interface.
async fn answers(world: &World, code: &str) {
    check(&world.create(json!({"depositCurrency": "USDC", "network": "POLYGON"})).await, "/network", code);
    let (id, session) = world.quoted(json!({}), "USDC", "ETH").await;
    let path = format!("/api/v1/payments/{id}");
    let choice = json!({"depositCurrency": "USDC", "network": "POLYGON"});
    check(&world.patch(&path, &session, &choice).await, "/network", code);
    let kept = json!({"clientAddressId": "a", "currency": "USDC", "network": "POLYGON", "address": ACCOUNT});
    check(&world.post("/whitelist-addresses", &world.token, &kept).await, "/network", code);
    check(&world.post("/api/v1/withdrawals", &world.token, &withdrawal()).await, "/network", code);
    let view = world.get(&format!("/api/v1/checkout/{id}"), &session).await.json;
    assert_eq!(view["options"].as_array().unwrap().len(), PAIRS.len());
    let business = world.get(&format!("/api/v1/businesses/{}", world.business.id), &world.token).await.json;
    assert_eq!(business["supportedDepositCurrencies"].as_array().unwrap().len(), CURRENCIES.len());
}

#[tokio::test]
async fn a_gateway_without_them_knows_none_of_their_codes() {
    let world = World::new().await;
    answers(&world, "unknown_network").await;
    let path = format!("/api/v1/currency/USDC/network/POLYGON/address/{ACCOUNT}/valid");
    let verdict = world.call(Method::GET, &path, None, None).await.json;
    assert_eq!(verdict, json!({"valid": false, "supported": false}));
}

#[tokio::test]
async fn a_business_that_does_not_take_them_sees_the_interface_as_it_is() {
    let (world, usual) = (with_networks("").await, World::new().await);
    answers(&world, "unsupported_pair").await;
    for path in ["/api/v1/currencies", "/api/v1/fees/withdraw/ALL?displayCurrency=EUR"] {
        let [with, without] = [&world, &usual].map(|world| world.call(Method::GET, path, None, None));
        assert_eq!(with.await.bytes, without.await.bytes, "{path}");
    }
    let path = format!("/api/v1/currency/USDC/network/POLYGON/address/{ACCOUNT}/valid");
    let verdict = world.call(Method::GET, &path, None, None).await.json;
    assert_eq!(verdict, json!({"valid": true, "supported": true}));
}

#[test]
fn the_document_names_configured_networks() {
    let networks = |document: &Value| document["components"]["schemas"]["Network"]["enum"].clone();
    assert_eq!(networks(&document(false)), json!(["BTC", "BCH", "LTC", "ETH", "BSC", "TRX", "XRP", "XLM"]));
    let with =
        document_with(false, &checkout_domain::chain::opt_ins::OptIns::of([Network::Base, Network::Doge]));
    assert!(networks(&with).as_array().unwrap().ends_with(&[json!("BASE"), json!("DOGE")]));
    let currencies = with["components"]["schemas"]["Currency"]["enum"].as_array().unwrap().clone();
    assert_eq!(currencies.last(), Some(&json!("DOGE")));
}

#[tokio::test]
async fn a_business_that_takes_polygon_is_paid_there() {
    let world = with_networks("USDC,USDC/POLYGON,ETH/BASE,ETH/ARBITRUM").await;
    let shown = world.create(json!({"clientPaymentId": "shown"})).await;
    let path = format!("/api/v1/checkout/{}", shown.payment_id());
    let view = world.get(&path, &shown.session_token()).await.json;
    let pair = |option: &Value| {
        format!("{}/{}", option["currency"].as_str().unwrap(), option["network"].as_str().unwrap())
    };
    let pairs: Vec<String> = view["options"].as_array().unwrap().iter().map(pair).collect();
    assert_eq!(pairs, ["ETH/BASE", "ETH/ARBITRUM", "USDC/ETH", "USDC/BSC", "USDC/TRX", "USDC/POLYGON"]);

    for (currency, network) in [("USDC", "POLYGON"), ("ETH", "BASE"), ("ETH", "ARBITRUM")] {
        let (id, _) = world.quoted(json!({"clientPaymentId": network}), currency, network).await;
        let payment = world.payment(&id).await;
        assert_eq!(payment["expectedNetwork"], network);
        world.pay(&id, payment["expectedDepositAmount"].as_str().unwrap()).await;
        world.mine(network).await;
        assert_eq!(world.payment(&id).await["status"], "DEPOSITED", "{network}");
    }
    // Without a network, the one that the business takes.
    let open = world.create(json!({"clientPaymentId": "open"})).await;
    let path = format!("/api/v1/payments/{}", open.payment_id());
    let chosen = world.patch(&path, &world.token, &json!({"depositCurrency": "ETH"})).await;
    assert_eq!(chosen.json["paymentInfo"]["expectedNetwork"], "BASE");

    let kept = json!({"clientAddressId": "a", "currency": "USDC", "network": "POLYGON", "address": ACCOUNT});
    let kept = world.post("/whitelist-addresses", &world.token, &kept).await;
    assert_eq!(kept.status, StatusCode::CREATED, "{}", kept.json);
    check(
        &world.post("/api/v1/withdrawals", &world.token, &withdrawal()).await,
        "/targetAmount",
        "insufficient_balance",
    );
}

/// The first coin that the interface lacks.
#[tokio::test]
async fn a_business_that_takes_dogecoin_is_paid_in_it() {
    const ADDRESS: &str = "A7HRQk3GFCW2QasvdZxXuYj8kkQK5QrYLs";
    let path = format!("/api/v1/currency/DOGE/network/DOGE/address/{ADDRESS}/valid");
    let (without, beside) = (World::new().await, with_networks("").await);
    for (world, code) in [(&without, "unknown_currency"), (&beside, "unsupported_currency")] {
        let answer = world.create(json!({"depositCurrency": "DOGE"})).await;
        assert!(answer.errors().iter().any(|(_, said)| said == code), "{}", answer.json);
        let known = code == "unsupported_currency";
        let verdict = world.call(Method::GET, &path, None, None).await.json;
        assert_eq!(verdict, json!({"valid": known, "supported": known}));
    }

    let world = with_networks("DOGE,BTC").await;
    let (id, _) = world.quoted(json!({}), "DOGE", "DOGE").await;
    let payment = world.payment(&id).await;
    assert!(payment["walletAddress"].as_str().unwrap().starts_with('D'), "{payment:#}");
    world.pay(&id, payment["expectedDepositAmount"].as_str().unwrap()).await;
    world.mine("DOGE").await;
    assert_eq!(world.payment(&id).await["status"], "DEPOSITED");
    for (amount, code) in [("9.9", "below_minimum"), ("20", "insufficient_balance")] {
        let withdrawal = json!({
            "clientWithdrawalId": amount, "withdrawCurrency": "DOGE", "network": "DOGE", "recipientAddress": ADDRESS,
            "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO", "targetAmount": amount,
        });
        check(&world.post("/api/v1/withdrawals", &world.token, &withdrawal).await, "/targetAmount", code);
    }
}

/// Sends to the payment's address on another network than its own.
async fn astray(world: &World, id: &str, currency: &str, network: &str, amount: &str) {
    let address = world.payment(id).await["walletAddress"].clone();
    let body = json!({"network": network, "currency": currency, "address": address, "amount": amount});
    world.sandbox("transfers", body).await;
    world.mine(network).await;
}

/// An address is the same account on every EVM network: what arrives on another one than the payment's pays it, whether the
/// business takes that pair or not.
#[tokio::test]
async fn a_transfer_on_the_wrong_evm_network_pays() {
    for taken in ["", "USDC,USDC/POLYGON,USDC/BASE"] {
        let world = with_networks(taken).await;
        for (at, network) in ["POLYGON", "BASE", "ARBITRUM", "BSC", "ETH"].into_iter().enumerate() {
            let quoted = if network == "ETH" { "BSC" } else { "ETH" };
            let (id, _) = world.quoted(json!({"clientPaymentId": format!("{at}")}), "USDC", quoted).await;
            let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
            astray(&world, &id, "USDC", network, &amount).await;
            let payment = world.payment(&id).await;
            assert_eq!(payment["status"], "DEPOSITED", "{quoted}, paid on {network}: {payment:#}");
            assert_eq!(payment["actualDepositAmount"], amount, "{network}");
            assert_eq!(payment["deposits"].as_array().unwrap().len(), 1);
        }
    }
}

/// Another coin on another network is valued when it arrives if the business takes that pair, and is held if not.
#[tokio::test]
async fn another_coin_on_the_wrong_evm_network_is_held_unless_it_is_taken() {
    for (taken, hold) in [("USDC", json!("CURRENCY")), ("USDC,ETH/BASE", Value::Null)] {
        let world = with_networks(taken).await;
        let (id, _) = world.quoted(json!({}), "USDC", "ETH").await;
        // 100 EUR by the sandbox's rates, and a little.
        astray(&world, &id, "ETH", "BASE", "0.034").await;
        let payment = world.payment(&id).await;
        assert_eq!(payment["deposits"][0]["hold"], hold, "{taken}: {payment:#}");
        let expected = if hold.is_null() { "OVERPAID" } else { "PENDING" };
        assert_eq!(payment["status"], expected, "{taken}: {payment:#}");
    }
    assert!(!Currency::Eth.spec().opt_in);
}
