//! Internal errors of the gateway.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::{Method, StatusCode};
use checkout_core::{Currency, Decimal};
use checkout_domain::business::settings::Settings;
use checkout_domain::ports::NoRate;
use checkout_domain::ports::Rates;
use checkout_domain::rates::asset::Asset;
use checkout_gateway::http::Extra;
use checkout_gateway::service::App;
use checkout_gateway::service::app::Policy;
use checkout_gateway::service::payouts::pay_out;
use checkout_test_support::patience;
use serde_json::json;

use super::World;

struct Broken;

impl Rates for Broken {
    fn rate(&self, _: Asset, _: Asset) -> Result<Decimal, NoRate> {
        panic!("a fault in the middle of a change");
    }
}

pub(super) struct Stale;

impl Rates for Stale {
    fn rate(&self, _: Asset, _: Asset) -> Result<Decimal, NoRate> {
        Err(NoRate)
    }
}

/// Replaces the world's rates.
fn with_rates(world: &mut World, rates: Arc<dyn Rates>) {
    let app = App { rates, policy: Policy::default(), ..(*world.app).clone() };
    world.router = checkout_gateway::http::router(Arc::new(app), Extra::default());
}

#[tokio::test]
async fn a_panic_fails_only_its_request() {
    let mut world = World::new().await;
    let created = world.create(json!({})).await;
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let sound = world.router.clone();
    with_rates(&mut world, Arc::new(Broken));
    for _ in 0..3 {
        let answer = world.patch(&path, &created.session_token(), &json!({"depositCurrency": "BTC"})).await;
        assert_eq!(
            (answer.status, &answer.json["code"]),
            (StatusCode::INTERNAL_SERVER_ERROR, &json!("internal"))
        );
        assert!(
            !answer.json.to_string().contains("middle of a change"),
            "internal details leaked: {}",
            answer.json
        );
    }
    world.router = sound;
    let answer = world.patch(&path, &created.session_token(), &json!({"depositCurrency": "BTC"})).await;
    assert_eq!(answer.json["paymentInfo"]["status"], "PENDING");
}

#[tokio::test]
async fn without_a_fresh_rate_there_are_no_quotes_but_deposits_count() {
    let mut world = World::new().await;
    let (quoted, _) = world.quoted(json!({"rateType": "FLOATING"}), "BTC", "BTC").await;
    world.pay(&quoted, "0.00166667").await;
    let created = world.create(json!({"clientPaymentId": "order-2"})).await;
    with_rates(&mut world, Arc::new(Stale));
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let answer = world.patch(&path, &created.session_token(), &json!({"depositCurrency": "BTC"})).await;
    assert_eq!((answer.status, &answer.json["code"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("no_rate")));
    assert_eq!(answer.json["detail"], "There is no fresh rate from BTC to EUR. Try again.");
    let refused = world.withdraw(json!({})).await;
    let detail = "There is no fresh rate from ETH to EUR, which the account FIAT needs. Try again.";
    assert_eq!((&refused.json["code"], &refused.json["detail"]), (&json!("no_rate"), &json!(detail)));
    assert_eq!(world.payment(&created.payment_id()).await["status"], "NEW");
    let view =
        world.get(&format!("/api/v1/checkout/{}", created.payment_id()), &created.session_token()).await;
    assert!(view.json["options"][0].get("estimatedAmount").is_none());
    let rates = world.get("/api/v1/rates?from=BTC&to=EUR", &world.token).await;
    assert_eq!(rates.status, StatusCode::SERVICE_UNAVAILABLE);
    let crypto = json!({"clientPaymentId": "order-3", "displayAmount": null, "depositCurrency": "BTC", "depositAmount": "1"});
    let created = world.create(crypto).await;
    assert_eq!(created.status, StatusCode::CREATED, "a price in crypto needs no rate yet");
    assert!(created.json["paymentInfo"].get("expectedDisplayAmount").is_none());
}

/// The ledger of one asset was changed by hand: the balance check fails on every run and is reported. Work
/// for other assets continues, and all work resumes once the ledger balances.
#[tokio::test]
async fn a_background_error_is_reported_and_stops_nothing_else() {
    let world = World::settling("0.5", Currency::Btc, Settings::default()).await;
    world.deposit("order-1", "1000.00").await;
    world.withdraw(json!({"clientWithdrawalId": "a", "withdrawalAccount": "FIAT"})).await;
    world.withdraw(json!({"clientWithdrawalId": "b", "withdrawalAccount": "CRYPTO"})).await;
    let statuses = async || {
        let mut statuses: Vec<String> = world.stored("status").await.into_iter().flatten().collect();
        statuses.sort();
        statuses
    };
    let ready = async || {
        let answer = world.call(Method::GET, "/readyz", None, None).await;
        (answer.status.as_u16(), answer.json["code"].as_str().unwrap_or_default().to_owned())
    };
    let change = async |sql: &'static str| {
        world.database.apply(checkout_storage::query(sql)).await.unwrap();
    };
    assert_eq!(ready().await, (200, String::new()));
    change(
        "UPDATE ledger_balances SET balance = CAST(CAST(balance AS BIGINT) + 7 AS TEXT)
         WHERE asset = 'EUR' AND account = 'FIAT'",
    )
    .await;

    let (stop, stopped) = tokio::sync::watch::channel(false);
    let app = Arc::clone(&world.app);
    let pay = move || {
        let app = Arc::clone(&app);
        async move { pay_out::run(&app).await.map(drop) }
    };
    let health = &world.app.state.health;
    let tick = Duration::from_millis(20);
    let task = checkout_gateway::background::repeat(health, "payouts".to_owned(), stopped, tick, pay);
    wait("a fault", async || ready().await == (503, "background_fault".to_owned())).await;
    wait("the other withdrawal", async || statuses().await == ["COMPLETED", "NEW"]).await;
    let metrics = world.call(Method::GET, "/metrics", None, None).await.bytes;
    let metrics = String::from_utf8(metrics).unwrap();
    let count = metrics
        .lines()
        .find_map(|line| line.strip_prefix("checkout_background_panics_total{work=\"payouts\"} "));
    assert!(count.unwrap().parse::<u64>().unwrap() > 0, "{metrics}");

    change(
        "UPDATE ledger_balances SET balance = CAST(CAST(balance AS BIGINT) - 7 AS TEXT)
         WHERE asset = 'EUR' AND account = 'FIAT'",
    )
    .await;
    wait("the recovery", async || ready().await == (200, String::new())).await;
    assert_eq!(statuses().await, ["COMPLETED", "COMPLETED"]);
    assert_eq!(world.sent().await.len(), 2);
    stop.send(true).unwrap();
    task.await.unwrap();
}

pub(super) async fn wait(what: &str, mut is_there: impl AsyncFnMut() -> bool) {
    let started = Instant::now();
    while !is_there().await {
        assert!(started.elapsed() < patience(), "timed out: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
