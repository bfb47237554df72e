//! The feed of exchange rates is down for longer than its rates are valid: requests that need a rate get 503 until it
//! returns.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_gateway::adapters::http_rates::{FeedSettings, HttpRates};
use checkout_gateway::service::App;
use checkout_test_support::patience;
use serde_json::json;
use tokio::sync::watch;

use super::{Answer, World};

const RATES: &str = r#"{"BTC":{"EUR":60000,"USD":65000},"ETH":{"EUR":3000,"USD":3250}}"#;

/// Starts a feed that can be switched off. Returns its URL.
async fn feed(is_there: Arc<AtomicBool>) -> String {
    let answer = move || {
        let is_there = is_there.load(Ordering::SeqCst);
        async move { if is_there { Ok(RATES) } else { Err(StatusCode::BAD_GATEWAY) } }
    };
    checkout_test_nodes::serve(Router::new().route("/rates", get(answer))).await + "/rates"
}

async fn until(status: u16, ask: &impl AsyncFn() -> Answer) -> Answer {
    let started = Instant::now();
    loop {
        let answer = ask().await;
        if answer.status == status {
            return answer;
        }
        assert!(started.elapsed() < patience(), "not {status}: {answer:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_stale_rate_is_not_quoted() {
    let is_there = Arc::new(AtomicBool::new(true));
    let settings = FeedSettings {
        url: Some(feed(Arc::clone(&is_there)).await),
        refresh_seconds: 1,
        max_age_seconds: 2,
        ..FeedSettings::default()
    };
    assert_eq!(settings.check(), Ok(()));
    let rates = Arc::new(HttpRates::new(&settings, Arc::new(SystemClock)).unwrap().unwrap());
    let mut world = World::rich().await;
    world.app = Arc::new(App { rates: rates.clone(), ..(*world.app).clone() });
    world.router = crate::router(&world.app, &world.simulated);
    let (stop, stopped) = watch::channel(false);
    let fetching = tokio::spawn({
        let app = Arc::clone(&world.app);
        async move { app.rates.keep_fresh(stopped).await }
    });
    let created = world.create(json!({"clientPaymentId": "quoted"})).await;
    assert_eq!(created.status, 201, "a payment without a choice needs no rate");
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let choose = async || world.patch(&path, &world.token, &json!({"depositCurrency": "BTC"})).await;
    let quoted = until(200, &choose).await;
    assert_eq!(quoted.json["paymentInfo"]["expectedDepositAmount"], "0.00166667", "at the rate of the feed");

    is_there.store(false, Ordering::SeqCst);
    let other = world.create(json!({"clientPaymentId": "unquoted"})).await;
    let path = format!("/api/v1/payments/{}", other.payment_id());
    let choose = async || world.patch(&path, &world.token, &json!({"depositCurrency": "ETH"})).await;
    let withdraw = async || world.withdraw(json!({"clientWithdrawalId": "unpriced"})).await;
    let list = async || world.get("/api/v1/rates?from=BTC&to=EUR", &world.token).await;
    until(503, &list).await;
    for refused in [list().await, choose().await, withdraw().await] {
        assert_eq!((refused.status.as_u16(), &refused.json["code"]), (503, &json!("no_rate")), "{refused:?}");
    }
    let created = world.create(json!({"clientPaymentId": "meanwhile"})).await;
    assert_eq!(created.status, 201, "orders can still be created");

    is_there.store(true, Ordering::SeqCst);
    let quoted = until(200, &choose).await;
    assert_eq!(quoted.json["paymentInfo"]["depositCurrency"], "ETH");
    until(201, &withdraw).await;
    stop.send(true).unwrap();
    tokio::time::timeout(patience(), fetching).await.expect("it stops").unwrap();
}
