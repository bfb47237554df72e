//! The control API of the simulated world.

use checkout_domain::business::settings::Settings;
use std::collections::BTreeMap;
use std::sync::Arc;

use axum::http::{Method, StatusCode};
use checkout_domain::ports::system_clock::SystemClock;
use checkout_gateway::adapters::rule_screening::RuleScreening;
use checkout_gateway::http::Extra;
use checkout_gateway::service::App;
use checkout_gateway::service::app::Policy;
use checkout_simulator::Sandbox;
use serde_json::json;

use super::World;

#[tokio::test]
async fn answers() {
    let world = World::new().await;
    let sent = json!({
        "network": "BTC", "currency": "BTC", "address": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "amount": "1",
        "fromAddress": "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"
    });
    let id = world.sandbox("transfers", sent).await["transactionId"].as_str().unwrap().to_owned();
    assert_eq!(id.len(), 64, "an unwatched address is accepted");
    let height = |n| json!({"network": "BTC", "height": n});
    assert_eq!(world.sandbox("blocks", json!({"network": "BTC", "count": 3})).await, height(3));
    assert_eq!(world.sandbox("blocks", json!({"network": "BTC", "count": 1})).await, height(4));
    assert_eq!(world.sandbox("reorgs", json!({"network": "BTC", "depth": 2})).await, height(2));
    assert_eq!(world.sandbox("reorgs", json!({"network": "BTC", "depth": 9})).await, height(0));
    assert_eq!(world.sandbox("drops", json!({"transactionId": id})).await, json!({"transactionId": id}));
    let now = world.app.clock.now();
    assert_eq!(world.sandbox("clock", json!({"advanceSeconds": 90})).await, json!({"now": now + 90}));
    assert_eq!(world.sandbox("clock", json!({"advanceSeconds": 0})).await, json!({"now": now + 90}));
    let rate = json!({"from": "BTC", "to": "EUR", "rate": "61000.5"});
    assert_eq!(world.sandbox("rates", rate.clone()).await, rate);
}

#[tokio::test]
async fn a_block_of_one_network_confirms_nothing_on_another() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "USDT", "BSC").await;
    let expected = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    world.pay(&id, &expected).await;
    for network in ["ETH", "BTC", "TRX"] {
        world.mine(network).await;
    }
    assert_eq!(world.payment(&id).await["status"], "AWAITING");
    world.mine("BSC").await;
    assert_eq!(world.payment(&id).await["status"], "DEPOSITED");
}

#[tokio::test]
async fn without_the_sandbox_there_is_no_control_api() {
    let place = crate::fixture::Place::chosen();
    let database = place.open().await;
    let sandbox = Sandbox::new(&database);
    let rules = RuleScreening::new(&[]);
    let app = App {
        clock: Arc::new(SystemClock),
        chains: BTreeMap::new(),
        broadcasters: BTreeMap::new(),
        ..sandbox.app(Policy::default(), rules, Vec::new(), "https://pay.test".to_owned()).await.unwrap()
    };
    let world = World::new().await;
    let app = Arc::new(app);
    let business = Settings { name: Some("Live".to_owned()), ..Default::default() };
    let (business, token) = crate::fixture::create_business(&app, business).await;
    let router = checkout_gateway::http::router(Arc::clone(&app), Extra::default());
    let live = World { app, router, database, business, token, ..world };
    for path in ["transfers", "blocks", "reorgs", "drops", "clock", "rates"] {
        let answer = live.call(Method::POST, &format!("/sandbox/{path}"), None, Some(&json!({}))).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
    super::drawer_refused::is_not_there(&live).await;
    // No chain is watched, so no address is given out: transfers to it would be lost.
    let created = live.create(json!({})).await;
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let answer = live.patch(&path, &created.session_token(), &json!({"depositCurrency": "BTC"})).await;
    assert_eq!(
        (answer.status, &answer.json["code"]),
        (StatusCode::SERVICE_UNAVAILABLE, &json!("network_unavailable"))
    );
    assert!(answer.header("retry-after").is_some());
    let view =
        live.get(&format!("/api/v1/checkout/{}", created.payment_id()), &created.session_token()).await;
    assert_eq!(view.json["options"], json!([]));
    assert_eq!(view.json["sandbox"], false);
    let http = live.create(json!({"clientPaymentId": "http", "redirectUrl": "http://shop.example/"})).await;
    assert_eq!(http.errors(), [("/redirectUrl".to_owned(), "bad_scheme".to_owned())]);
}
