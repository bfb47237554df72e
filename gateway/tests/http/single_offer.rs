//! The page of a payment with a single offer: for a person the gateway chooses it before it draws the page, which then
//! needs no script.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use checkout_core::Currency;
use checkout_domain::business::settings::Settings;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_gateway::adapters::http_rates::{FeedSettings, HttpRates};
use checkout_gateway::service::App;
use serde_json::json;

use super::World;

async fn world(currencies: &[Currency]) -> World {
    World::with(Settings {
        name: Some("Kettle & Co".to_owned()),
        deposit_currencies: Some(currencies.to_vec()),
        ..Settings::default()
    })
    .await
}

type Headers<'a> = &'a [(&'a str, &'a str)];

/// The headers of a browser in which a person follows a link.
const PERSON: Headers<'_> =
    &[("sec-fetch-mode", "navigate"), ("sec-fetch-user", "?1"), ("sec-fetch-dest", "document")];

/// Opens the page with this token as a person, and returns the payment's status and address.
async fn open(world: &World, id: &str, query: &str) -> (String, Option<String>) {
    ask(world, Method::GET, (id, query), PERSON).await
}

async fn ask(
    world: &World,
    method: Method,
    (id, query): (&str, &str),
    headers: Headers<'_>,
) -> (String, Option<String>) {
    let mut request = Request::builder().method(method).uri(format!("/checkout/{id}?{query}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
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
    for query in [&*business, "sessionToken=wrong", "", &*format!("{session}&notice=no_rate")] {
        let (status, address) = open(&world, &id, query).await;
        assert_eq!((&*status, address), ("NEW", None), "{query}");
    }
    let first = open(&world, &id, &session).await;
    assert!(first.0 == "PENDING" && first.1.is_some(), "{first:?}");
    assert_eq!(open(&world, &id, &session).await, first, "a reload changes nothing");
    let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    world.pay(&id, &amount).await;
    world.mine("LTC").await;
    assert_eq!(open(&world, &id, &session).await.0, "DEPOSITED");
}

/// Previews of messengers, scanners of mail, prefetches of browsers: the rate's window starts when the payer comes.
#[tokio::test]
async fn a_robot_that_opens_the_link_decides_nothing() {
    let world = world(&[Currency::Ltc]).await;
    let created = world.create(json!({})).await;
    let (id, query) = (created.payment_id(), format!("sessionToken={}", created.session_token()));
    let robots: [Headers<'_>; 8] = [
        &[],
        &[("user-agent", "TelegramBot (like TwitterBot)")],
        &[("sec-purpose", "prefetch"), PERSON[0]],
        &[("sec-purpose", "prefetch;prerender"), PERSON[0], PERSON[1], PERSON[2]],
        &[("purpose", "prefetch"), PERSON[0], PERSON[1]],
        &[PERSON[0], PERSON[2]],
        &[PERSON[1]],
        &[PERSON[0], ("sec-fetch-dest", "iframe")],
    ];
    for headers in robots {
        let (status, address) = ask(&world, Method::GET, (&id, &query), headers).await;
        assert_eq!((&*status, address), ("NEW", None), "{headers:?}");
    }
    let (status, address) = ask(&world, Method::HEAD, (&id, &query), PERSON).await;
    assert_eq!((&*status, address), ("NEW", None), "HEAD");

    let form = Request::post(format!("/checkout/{id}?{query}")).body(Body::from("choose=LTC.LTC")).unwrap();
    assert_eq!(world.send(form).await.status, StatusCode::SEE_OTHER);
    assert_eq!(world.payment(&id).await["status"], "PENDING", "the button of the page works without script");
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
        let (status, _) = open(&world, &created.payment_id(), &query).await;
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
    assert_eq!(open(&world, &id, &query).await, ("NEW".to_owned(), None));
    world.router = crate::router(&with_rates, &world.simulated);
    assert_eq!(open(&world, &id, &query).await.0, "PENDING");
}
