//! Many payers behind one address: an event, a shop's till, a proxy that is not trusted. They do not limit each other, and
//! somebody who guesses is limited as before.

use std::net::SocketAddr;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, StatusCode, header};
use checkout_domain::access::rate_limits::RateLimits;
use checkout_gateway::site;
use futures::future::join_all;
use serde_json::json;
use uuid::Uuid;

use super::rate_limits::{LIMITS, limited_by, quota};
use super::{Answer, World};

const PAYERS: usize = 300;

const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");

/// With `{id}` and `{token}`. The token of a call of the API is in its header.
const CALLS: [(&str, &str, &str); 10] = [
    ("GET", "/checkout/{id}?sessionToken={token}&locale=de-DE", ""),
    ("GET", "/checkout/{id}/lookup?sessionToken={token}", ""),
    ("POST", "/checkout/{id}/lookup?sessionToken={token}", "transaction=7"),
    ("POST", "/checkout/{id}/receipt?sessionToken={token}", "email=anna@shop.example"),
    ("POST", "/checkout/{id}/claim?sessionToken={token}", "claim=1&to=2"),
    ("POST", "/checkout/{id}?sessionToken={token}", "choose=BTC.BTC"),
    ("GET", "/checkout/{id}/wallet?sessionToken={token}", ""),
    ("GET", "/api/v1/checkout/{id}", ""),
    ("GET", "/api/v1/payments/{id}", ""),
    ("PATCH", "/api/v1/payments/{id}", "{\"depositCurrency\": \"BTC\"}"),
];

async fn ask(
    world: &World,
    from: [u8; 4],
    (method, path, body): (&str, &str, &str),
    payer: &(String, String),
) -> Answer {
    let (id, token) = payer;
    let form = path.starts_with("/checkout");
    let kind = if form { "application/x-www-form-urlencoded" } else { "application/json" };
    let path = path.replace("{id}", id).replace("{token}", token);
    let mut request = Request::builder().method(method).uri(path).header(header::CONTENT_TYPE, kind);
    let bearer = if form { Uuid::new_v4().to_string() } else { token.clone() };
    // The page does not read what stands in the header.
    if !form || from[3] % 2 == 1 {
        request = request.header(header::AUTHORIZATION, format!("Bearer {bearer}"));
    }
    let mut request = request.body(Body::from(body.to_owned())).unwrap();
    request.extensions_mut().insert(ConnectInfo(SocketAddr::from((from, 1))));
    world.send(request).await
}

/// A gateway that has just started, with payments.
async fn payers(limits: RateLimits, count: usize) -> (World, Vec<(String, String)>) {
    let (world, ..) = limited_by(RateLimits { enabled: false, ..limits }).await;
    let mut payers = Vec::new();
    for order in 0..count {
        let created = world.create(json!({"clientPaymentId": format!("order-{order}")})).await;
        payers.push((created.payment_id(), created.session_token()));
    }
    (restarted(world, limits), payers)
}

fn restarted(mut world: World, limits: RateLimits) -> World {
    world.router = axum::Router::new();
    std::sync::Arc::get_mut(&mut world.app).unwrap().policy.limits = limits;
    world.router = crate::router(&world.app, &world.simulated);
    world
}

#[tokio::test]
async fn a_burst_of_payers_behind_one_address_is_answered() {
    let limits = RateLimits { trusted_proxies: 0, ..RateLimits::standard(true) };
    let (mut world, payers) = payers(limits, PAYERS).await;
    for call in CALLS {
        world = restarted(world, limits);
        let answers = join_all(payers.iter().map(|payer| ask(&world, [9, 9, 9, 9], call, payer))).await;
        let refused = answers.iter().filter(|answer| answer.status == StatusCode::TOO_MANY_REQUESTS).count();
        assert_eq!(refused, 0, "{call:?}");
        assert!(answers.iter().all(|answer| answer.status.as_u16() < 400), "{call:?}: {}", answers[0].json);
        // What is counted for the address is what came without a right token.
        let path = "/api/v1/currencies";
        let stranger = (String::new(), String::new());
        for asked in 0..limits.client.burst {
            let answer = ask(&world, [9, 9, 9, 9], ("GET", path, ""), &stranger).await;
            assert_eq!(answer.status, StatusCode::OK, "{call:?} {asked}");
        }
    }
}

/// Also with the id of a payment that exists: each wrong token counts for the address.
#[tokio::test]
async fn who_guesses_is_limited_by_address() {
    let limits = RateLimits { trusted_proxies: 0, ..LIMITS };
    let (mut world, payers) = payers(limits, 1).await;
    for (method, path, body) in CALLS {
        world = restarted(world, limits);
        let from = [9, 9, 9, 9];
        for asked in 0..5 {
            let guess = (payers[0].0.clone(), format!("0007abff000{asked}.guess"));
            let answer = ask(&world, from, (method, path, body), &guess).await;
            assert_eq!(answer.status == StatusCode::TOO_MANY_REQUESTS, asked >= 2, "{path} {asked}");
        }
        let answer = ask(&world, from, (method, path, body), &payers[0]).await;
        assert_ne!(answer.status, StatusCode::TOO_MANY_REQUESTS, "{path}: the payer beside");
    }
}

/// One token is one payer, wherever it comes from.
#[tokio::test]
async fn a_token_that_is_hammered_is_limited_alone() {
    let (mut world, payers) = payers(RateLimits { trusted_proxies: 0, ..LIMITS }, 2).await;
    for (call, allowed) in CALLS.into_iter().zip([2, 2, 2, 2, 2, 2, 2, 3, 3, 2]) {
        world = restarted(world, RateLimits { trusted_proxies: 0, ..LIMITS });
        for asked in 0..6_u8 {
            let answer = ask(&world, [9, 9, 9, asked], call, &payers[0]).await;
            assert_eq!(answer.status == StatusCode::TOO_MANY_REQUESTS, asked >= allowed, "{call:?} {asked}");
        }
        let answer = ask(&world, [9, 9, 9, 0], call, &payers[1]).await;
        assert_ne!(answer.status, StatusCode::TOO_MANY_REQUESTS, "{call:?}: another payer");
    }
}

/// A person gets a page that opens by itself; a program gets a problem.
#[tokio::test]
async fn a_person_over_a_limit_gets_a_page_that_tries_again() {
    site::fixture::install();
    let (world, payers) = payers(RateLimits { client: quota(1), ..LIMITS }, 1).await;
    let page = format!("/checkout/{}?sessionToken={}", payers[0].0, payers[0].1);
    let open = async |method: Method, path: &str, headers: &[(&str, &str)]| {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        world.send(request.body(Body::empty()).unwrap()).await
    };
    assert_eq!(open(Method::GET, &page, &[BROWSER]).await.status, StatusCode::OK);
    for (locale, lang, word) in [
        ("", "en", "One moment"),
        ("&locale=de-DE", "de", "Einen Moment"),
        ("&locale=xx", "en", "One moment"),
    ] {
        for headers in [&[BROWSER][..], &[("sec-fetch-mode", "navigate")]] {
            let answer = open(Method::GET, &format!("{page}{locale}"), headers).await;
            assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
            let seconds = answer.header("retry-after").unwrap().to_owned();
            let text = String::from_utf8(answer.bytes.clone()).unwrap();
            assert!(answer.header("content-type").unwrap().starts_with("text/html"), "{text}");
            assert_eq!(answer.header("cache-control"), Some("no-store, no-transform"));
            assert!(answer.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
            assert!(text.contains(&format!("<meta http-equiv=\"refresh\" content=\"{seconds}\">")), "{text}");
            assert!(text.contains(word) && text.contains(&format!("<html lang=\"{lang}")), "{text}");
            assert!(!text.contains(&payers[0].1), "no token in it");
        }
    }
    let bearer = ("authorization", "Bearer 0007abff0001.guess");
    let programs = [&[][..], &[("accept", "*/*")], &[("accept", "application/json")], &[BROWSER, bearer]];
    for headers in programs {
        open(Method::GET, &page, headers).await;
        let answer = open(Method::GET, &page, headers).await;
        assert_eq!(
            (answer.status, &answer.json["code"]),
            (StatusCode::TOO_MANY_REQUESTS, &json!("too_many_requests"))
        );
    }
    for path in ["/api/v1/currencies", "/checkout/7"] {
        while open(Method::GET, path, &[BROWSER]).await.status != StatusCode::TOO_MANY_REQUESTS {}
        let answer = open(Method::GET, path, &[BROWSER]).await;
        assert!(answer.header("content-type").unwrap().starts_with("text/html"), "{path}");
    }
}
