//! The page of a payment with a single offer: the gateway chooses it before it draws the page, which then needs no script.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use checkout_core::Currency;
use checkout_gateway::adapters::http_rates::{FeedSettings, HttpRates};
use checkout_gateway::adapters::system_clock::SystemClock;
use checkout_gateway::service::App;
use checkout_gateway::service::create_business::NewBusiness;
use serde_json::json;

use super::World;

async fn world(currencies: &[Currency]) -> World {
    World::with(NewBusiness {
        name: "Kettle & Co".to_owned(),
        deposit_currencies: currencies.to_vec(),
        ..NewBusiness::default()
    })
    .await
}

/// Opens the page with this token and header, and returns the payment's status and address.
async fn open(world: &World, id: &str, query: &str, purpose: Option<&str>) -> (String, Option<String>) {
    ask(world, Method::GET, (id, query), purpose).await
}

async fn ask(
    world: &World,
    method: Method,
    (id, query): (&str, &str),
    purpose: Option<&str>,
) -> (String, Option<String>) {
    let mut request = Request::builder().method(method).uri(format!("/checkout/{id}?{query}"));
    if let Some(purpose) = purpose {
        request = request.header("sec-purpose", purpose);
    }
    let page = world.send(request.body(Body::empty()).unwrap()).await;
    assert!(matches!(page.status, StatusCode::OK | StatusCode::SERVICE_UNAVAILABLE), "{}", page.status);
    let payment = world.payment(id).await;
    let text = |name: &str| payment[name].as_str().map(str::to_owned);
    (text("status").unwrap(), text("walletAddress"))
}

#[tokio::test]
async fn the_page_of_a_single_offer_asks_for_its_address_at_once() {
    let world = world(&[Currency::Ltc]).await;
    let created = world.create(json!({})).await;
    let (id, token) = (created.payment_id(), created.session_token());
    let session = format!("sessionToken={token}&theme=LIGHT");
    let business = format!("sessionToken={}", world.token);
    for (query, purpose) in [
        (&*session, Some("prefetch;prerender")),
        (&*business, None),
        ("sessionToken=wrong", None),
        ("", None),
        (&*format!("{session}&notice=no_rate"), None),
    ] {
        let (status, address) = open(&world, &id, query, purpose).await;
        assert_eq!((&*status, address), ("NEW", None), "{query} {purpose:?}");
    }
    let (status, address) = ask(&world, Method::HEAD, (&id, &session), None).await;
    assert_eq!((&*status, address), ("NEW", None), "HEAD");
    let first = open(&world, &id, &session, None).await;
    assert!(first.0 == "PENDING" && first.1.is_some(), "{first:?}");
    assert_eq!(open(&world, &id, &session, None).await, first, "a reload changes nothing");
    let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    world.pay(&id, &amount).await;
    world.mine("LTC").await;
    assert_eq!(open(&world, &id, &session, None).await.0, "DEPOSITED");
}

#[tokio::test]
async fn a_page_with_a_choice_leaves_it_to_the_payer() {
    for (currencies, fields, expected) in [
        (vec![Currency::Ltc, Currency::Btc], json!({}), "NEW"),
        (vec![Currency::Usdt], json!({}), "NEW"),
        (vec![Currency::Usdt], json!({"depositCurrency": "USDT", "network": "TRX"}), "PENDING"),
    ] {
        let world = world(&currencies).await;
        let created = world.create(fields.clone()).await;
        let query = format!("sessionToken={}", created.session_token());
        let (status, _) = open(&world, &created.payment_id(), &query, None).await;
        assert_eq!(status, expected, "{currencies:?} {fields}");
    }
}

#[tokio::test]
async fn a_single_offer_is_chosen_once_there_is_a_rate() {
    let mut world = world(&[Currency::Ltc]).await;
    let created = world.create(json!({})).await;
    let (id, query) = (created.payment_id(), format!("sessionToken={}", created.session_token()));
    let with_rates = Arc::clone(&world.app);
    let feed = FeedSettings { url: Some("http://127.0.0.1:1/rates".to_owned()), ..FeedSettings::default() };
    let rates = Arc::new(HttpRates::new(&feed, Arc::new(SystemClock)).unwrap().unwrap());
    world.app = Arc::new(App { rates, ..(*with_rates).clone() });
    world.router = crate::router(&world.app, &world.simulated);
    assert_eq!(open(&world, &id, &query, None).await, ("NEW".to_owned(), None));
    world.router = crate::router(&with_rates, &world.simulated);
    assert_eq!(open(&world, &id, &query, None).await.0, "PENDING");
}
