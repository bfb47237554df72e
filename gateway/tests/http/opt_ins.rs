//! Networks beyond interface section 2.10: off unless the operator configures them and a business takes them.

use axum::http::{Method, StatusCode};
use checkout_core::Network;
use checkout_core::chain::CHAINS;
use checkout_core::currency::CURRENCIES;
use checkout_core::pair::PAIRS;
use checkout_domain::business::deposit_pairs::{self, DepositChoice};
use checkout_domain::business::settings::Settings;
use serde_json::{Value, json};

use super::fixture::Place;
use super::{World, at_once, document, document_with};

/// BIP-84, test vectors: account 0. On these networks any key has addresses.
const KEY: &str = "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";

const ACCOUNT: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// A gateway with all networks beyond the interface, and a business that takes these pairs; none for the default ones.
pub(super) async fn with_networks(pairs: &str) -> World {
    with_networks_and(pairs, Settings::default()).await
}

/// The same with these settings of the business.
pub(super) async fn with_networks_and(pairs: &str, settings: Settings) -> World {
    let choices: Vec<DepositChoice> =
        pairs.split(',').filter(|pair| !pair.is_empty()).map(|pair| pair.parse().unwrap()).collect();
    let business = Settings {
        name: Some("Kettle & Co".to_owned()),
        deposit_currencies: Some(deposit_pairs::currencies(&choices)).filter(|some| !some.is_empty()),
        deposit_networks: Some(deposit_pairs::networks(&choices)),
        ..settings
    };
    let beyond = CHAINS.iter().map(|row| row.network).filter(|network| network.is_opt_in());
    let keys = beyond.map(|network| (network, KEY.to_owned())).collect();
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

/// What a refusal says of networks is true of this gateway.
#[tokio::test]
async fn a_refusal_names_the_networks_of_this_gateway() {
    let usual = World::new().await;
    let more = with_networks("").await;
    for (world, beyond) in [(&usual, ""), (&more, ", POLYGON, BASE, ARBITRUM")] {
        let said = async |path: &str, body: Value| {
            let answer = world.post(path, &world.token, &body).await;
            let errors = answer.json["errors"].as_array().unwrap();
            let network = errors.iter().find(|error| error["pointer"] == "/network").unwrap();
            network["detail"].as_str().unwrap().to_owned()
        };
        let asked = json!({
            "clientPaymentId": "said", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "25",
            "depositCurrency": "USDC", "network": "BTC",
        });
        let detail = said("/api/v1/payments", asked).await;
        assert_eq!(detail, format!("USDC can be deposited on ETH, BSC, TRX{beyond} only"));
        let mut wrong = withdrawal();
        wrong["network"] = json!("BTC");
        let detail = said("/api/v1/withdrawals", wrong).await;
        assert_eq!(detail, format!("USDC can be withdrawn on ETH, BSC, TRX{beyond} only"));
    }
}

#[tokio::test]
async fn a_business_is_not_offered_on_a_network_that_the_gateway_lacks() {
    let make = async |world: &World, pairs: Value| {
        let key = world.organisation_key().await;
        world.post("/api/v1/businesses", &key, &json!({"name": "Tea", "depositPairs": pairs})).await
    };
    let (without, with) = (World::new().await, with_networks("").await);
    for pairs in [json!(["BTC", "USDC/POLYGON"]), json!(["DOGE"]), json!(["DOGE/DOGE"])] {
        assert_eq!(make(&with, pairs.clone()).await.status, StatusCode::CREATED, "{pairs}");
        let refused = make(&without, pairs.clone()).await;
        check(&refused, "/depositPairs", "unsupported_pair");
        let detail = refused.json["detail"].as_str().unwrap();
        assert!(detail.contains("not configured"), "{pairs}: {detail}");
    }
    assert_eq!(make(&without, json!(["BTC", "USDC/ETH"])).await.status, StatusCode::CREATED);
}
