//! Requests over a limit are refused; clients do not affect each other.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, header};
use checkout_domain::access::rate_limits::{Quota, RateLimits};
use checkout_domain::ports::page::{
    Drawing, PageForm, PageRenderer, PageRequest, ReceiptText, WalletRequest,
};
use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::rules::Finding;
use checkout_wire::wallet_page::WalletPage;
use parking_lot::Mutex;
use serde_json::json;

use super::{Answer, World};

/// Refills so slowly that no request becomes available during a test.
pub(super) const fn quota(burst: u32) -> Quota {
    Quota { per_minute: 1, burst }
}

pub(super) const LIMITS: RateLimits = RateLimits {
    enabled: true,
    trusted_proxies: 1,
    merchant: quota(5),
    session: quota(3),
    session_changes: quota(2),
    client: quota(2),
    refused: quota(2),
    connections: None,
    connections_per_client: None,
};

async fn limited() -> (World, String, String) {
    limited_by(LIMITS).await
}

pub(super) async fn limited_by(limits: RateLimits) -> (World, String, String) {
    let mut world = World::new().await;
    let created = world.create(json!({})).await;
    world.router = Router::new(); // Drops the other reference to the application.
    Arc::get_mut(&mut world.app).unwrap().policy.limits = limits;
    world.router = crate::router(&world.app, &world.simulated);
    (world, format!("/api/v1/payments/{}", created.payment_id()), created.session_token())
}

async fn from(world: &World, client: &str, method: Method, path: &str, token: Option<&str>) -> Answer {
    let mut request = Request::builder().method(method).uri(path).header("x-forwarded-for", client);
    if let Some(token) = token {
        request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    }
    let mut request =
        request.header(header::CONTENT_TYPE, "application/json").body(Body::from("{}")).unwrap();
    request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([10, 0, 0, 1], 1))));
    world.send(request).await
}

#[tokio::test]
async fn each_token_has_its_own_limit() {
    let (world, path, session) = limited().await;
    let check = async |method: Method, token: &str, count: usize| {
        for asked in 0..count + 2 {
            let client = format!("1.1.1.{asked}");
            let answer = from(&world, &client, method.clone(), &path, Some(token)).await;
            assert_eq!(answer.status == 429, asked >= count, "{method} {asked}: {}", answer.json);
        }
    };
    check(Method::GET, &session, 3).await;
    check(Method::PATCH, &session, 2).await;
    check(Method::GET, &world.token, 5).await;
    let answer = from(&world, "1.1.1.1", Method::GET, &path, Some(&session)).await;
    assert_eq!(answer.json["code"], "too_many_requests");
    let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((59..=60).contains(&wait), "{wait}");
}

#[tokio::test]
async fn each_client_without_a_token_has_its_own_limit() {
    let (world, ..) = limited().await;
    let status =
        async |client: &str, path: &str| from(&world, client, Method::GET, path, None).await.status.as_u16();
    let path = "/api/v1/currencies";
    for expected in [200, 200, 429, 429] {
        assert_eq!(status("6.6.6.6, 1.1.1.1", path).await, expected);
    }
    assert_eq!(status("7.7.7.7, 1.1.1.1", path).await, 429, "the client's own entry does not count");
    assert_eq!(status("1.1.1.2", path).await, 200);
    for _ in 0..5 {
        assert_eq!(status("1.1.1.1", "/healthz").await, 200, "health checks are never limited");
    }
}

/// Guessing tokens is limited and does not affect callers with valid tokens.
#[tokio::test]
async fn refused_tokens_are_counted_by_client() {
    let (world, path, session) = limited().await;
    let status = async |client: &str, token: &str| {
        from(&world, client, Method::GET, &path, Some(token)).await.status.as_u16()
    };
    for (guess, expected) in [("biz_1", 401), ("biz_2", 401), ("biz_3", 429), ("biz_4", 429)] {
        assert_eq!(status("1.1.1.1", guess).await, expected, "{guess}");
    }
    assert_eq!(status("1.1.1.2", &session).await, 200);
}

#[tokio::test]
async fn look_ups_count_by_session() {
    let (world, path, session) = limited_by(RateLimits { client: quota(100), ..LIMITS }).await;
    let page = path.replace("/api/v1/payments", "/checkout");
    let look_up = async |page: &str, session: &str| {
        let path = format!("{page}/lookup?sessionToken={session}");
        from(&world, "1.1.1.1", Method::POST, &path, None).await.status.as_u16()
    };
    // The first request of a session counts once the token is known to be right.
    for expected in [303, 303, 429] {
        assert_eq!(look_up(&page, &session).await, expected);
    }
    assert_eq!(look_up(&page, "wrong.token").await, 303, "counts for the client alone");
}

#[tokio::test]
async fn what_wallets_have_signed_counts_by_session() {
    let (world, path, session) = limited_by(RateLimits { client: quota(100), ..LIMITS }).await;
    let page = path.replace("/api/v1/payments", "/checkout");
    for (token, expected) in [(&*session, 200), (&session, 200), (&session, 429), ("wrong.token", 404)] {
        let path = format!("{page}/wallet?sessionToken={token}");
        assert_eq!(from(&world, "1.1.1.1", Method::POST, &path, None).await.status, expected, "{token}");
    }
}

/// Keeps what the forms would say.
#[derive(Default)]
struct Findings(Mutex<Vec<Option<Finding>>>);

impl PageRenderer for Findings {
    fn draw(&self, request: PageRequest) -> Drawing {
        if let Some(PageForm::Lookup(typed)) = request.form {
            self.0.lock().push(typed.finding);
        }
        Drawing::default()
    }

    fn wallet(&self, _: WalletRequest) -> WalletPage {
        WalletPage::default()
    }

    fn receipt(&self, _: Box<CheckoutView>, _: &str, _: u64) -> Option<ReceiptText> {
        None
    }

    fn qr_code(&self, _: &str) -> String {
        String::new()
    }
}

/// A look-up asks nodes, also if each one comes from another payment.
#[tokio::test]
async fn look_ups_count_by_business() {
    let limits = RateLimits { client: quota(100), merchant: quota(100), ..LIMITS };
    let (mut world, ..) = limited_by(limits).await;
    let findings = Arc::new(Findings::default());
    world.router = Router::new();
    Arc::get_mut(&mut world.app).unwrap().page = Arc::<Findings>::clone(&findings);
    world.router = crate::router(&world.app, &world.simulated);
    for number in 0..4 {
        let fields = json!({"clientPaymentId": format!("look-{number}")});
        let (id, session) = world.quoted(fields, "BTC", "BTC").await;
        let form = format!("transaction={}", "7".repeat(64));
        let request = Request::post(format!("/checkout/{id}/lookup?sessionToken={session}"));
        assert_eq!(world.send(request.body(Body::from(form)).unwrap()).await.status, 200);
    }
    let [first, second, third, fourth] = &findings.0.lock()[..] else { panic!("four answers") };
    for asked in [first, second, third] {
        assert_eq!(asked, &Some(Finding::Unknown));
    }
    assert_eq!(fourth, &Some(Finding::NotAsked));
}

/// Only a verified token has its own quota, so invented tokens do not bypass the limit.
#[tokio::test]
async fn invented_tokens_count_by_client() {
    let (world, ..) = limited().await;
    for (number, expected) in [(1, 200), (2, 200), (3, 429), (4, 429)] {
        let token = format!("biz_{number}");
        let answer = from(&world, "1.1.1.1", Method::GET, "/api/v1/currencies", Some(&token)).await;
        assert_eq!(answer.status, expected, "{token}");
    }
}

#[tokio::test]
async fn wrong_tokens_do_not_block_valid_ones_of_the_same_address() {
    let (world, path, session) = limited_by(RateLimits { client: quota(100), ..LIMITS }).await;
    let status = async |token: &str| from(&world, "1.1.1.1", Method::GET, &path, Some(token)).await.status;
    for number in 0..20 {
        assert_eq!(status(&format!("biz_{number}")).await, if number < 2 { 401 } else { 429 }, "{number}");
    }
    assert_eq!(status(&session).await, 200);
    assert_eq!(status(&world.token).await, 200);
}

#[tokio::test]
async fn preflights_count_by_client() {
    let (world, path, _) = limited().await;
    for expected in [204, 204, 429] {
        let request = Request::options(&path)
            .header("x-forwarded-for", "1.1.1.1")
            .header(header::ORIGIN, "https://shop.example")
            .header(header::ACCESS_CONTROL_REQUEST_METHOD, "PATCH");
        assert_eq!(world.send(request.body(Body::empty()).unwrap()).await.status, expected);
    }
}

/// CORS headers let a browser read the refusal.
#[tokio::test]
async fn refusals_have_cors_headers() {
    let (world, path, session) = limited().await;
    let ask = async || {
        let request = Request::get(&path)
            .header(header::AUTHORIZATION, format!("Bearer {session}"))
            .header(header::ORIGIN, "https://shop.example");
        world.send(request.body(Body::empty()).unwrap()).await
    };
    while ask().await.status != 429 {}
    let answer = ask().await;
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://shop.example"));
    assert!(answer.header("access-control-expose-headers").unwrap().contains("retry-after"));
}

#[tokio::test]
async fn readyz_warns_of_an_untrusted_proxy() {
    for (proxies, warns) in [(1, false), (0, true)] {
        let (world, path, session) = limited_by(RateLimits { trusted_proxies: proxies, ..LIMITS }).await;
        let ready = async || world.call(Method::GET, "/readyz", None, None).await.json;
        assert_eq!(ready().await, json!({"status": "ready"}));
        from(&world, "1.1.1.1", Method::GET, &path, Some(&session)).await;
        let warnings = ready().await["warnings"].to_string();
        assert_eq!(warnings.contains("trusted_proxies"), warns, "{warnings}");
    }
}

#[tokio::test]
async fn a_preflight_is_answered_without_the_store_and_counted() {
    let (world, path, _) = limited().await;
    world.database.close().await;
    let preflight = async || {
        let request = Request::options(&path)
            .header(header::ORIGIN, "https://shop.example")
            .header(header::ACCESS_CONTROL_REQUEST_METHOD, "PATCH")
            .header("x-forwarded-for", "1.1.1.1");
        world.send(request.body(Body::empty()).unwrap()).await.status.as_u16()
    };
    assert_eq!([preflight().await, preflight().await, preflight().await], [204, 204, 429]);
}

/// The gateway has just started, so it has seen no token yet; the shop and a payer share an address with a flood.
#[tokio::test]
async fn a_right_token_is_answered_beside_a_flood_from_its_address() {
    for flood in ["without tokens", "of wrong tokens"] {
        let token = |number: usize| (flood == "of wrong tokens").then(|| format!("biz_{number}"));
        let (world, path, session) = limited_by(RateLimits { merchant: quota(100), ..LIMITS }).await;
        let ask = async |path: &str, token: Option<&str>| {
            from(&world, "1.1.1.1", Method::GET, path, token).await.status.as_u16()
        };
        for number in 0..50 {
            let token = token(number);
            for path in [&*path, "/api/v1/currencies"] {
                let status = ask(path, token.as_deref()).await;
                assert!(number < 5 || status == 429, "{flood} {number} {path}: {status}");
            }
            if number >= 10 {
                assert_eq!(ask(&path, Some(&world.token)).await, 200, "{flood} {number}");
            }
        }
        assert_eq!(ask("/api/v1/currencies", Some(&world.token)).await, 200, "{flood}");
        assert_eq!(ask(&path, Some(&session)).await, 200, "{flood}");
        let guess = if flood == "of wrong tokens" { 429 } else { 401 };
        assert_eq!(ask(&path, Some("biz_guess")).await, guess, "{flood}: what was right is not counted");
    }
}

#[tokio::test]
async fn a_right_token_is_found_in_a_crowd_of_wrong_ones() {
    let (world, path, session) = limited_by(LIMITS).await;
    let ask = async |token: String| from(&world, "1.1.1.1", Method::GET, &path, Some(&token)).await.status;
    let crowd = (0..200).map(|number| if number == 150 { session.clone() } else { format!("biz_{number}") });
    let statuses = futures::future::join_all(crowd.map(ask)).await;
    assert_eq!(statuses[150], 200);
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 197, "two guesses are 401");
}

/// Which origins are allowed is asked at the store, after the limit.
#[tokio::test]
async fn requests_with_an_origin_are_limited_before_the_store_is_asked() {
    let (world, path, _) = limited().await;
    world.database.close().await;
    let ask = async || {
        let request = Request::get(&path)
            .header(header::ORIGIN, "https://anybody.example")
            .header("x-forwarded-for", "1.1.1.1");
        world.send(request.body(Body::empty()).unwrap()).await
    };
    for (status, readable) in [(401, false), (401, false), (429, true), (429, true)] {
        let answer = ask().await;
        let origin = answer.header("access-control-allow-origin");
        assert_eq!((answer.status.as_u16(), origin.is_some()), (status, readable), "{}", answer.json);
    }
}

/// A page without script chooses by a form: ten times a minute, as by PATCH.
#[tokio::test]
async fn the_forms_choice_counts_as_a_change_of_the_session() {
    let limits = RateLimits { client: quota(100), session_changes: quota(10), ..LIMITS };
    let (world, path, session) = limited_by(limits).await;
    let page = format!("/checkout/{}?sessionToken={session}", path.rsplit('/').next().unwrap());
    let choose = async |page: &str, choice: &str| {
        let request = Request::post(page)
            .header("x-forwarded-for", "1.1.1.1")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        world.send(request.body(Body::from(format!("choose={choice}"))).unwrap()).await.status.as_u16()
    };
    for asked in 0..60 {
        let choice = if asked % 2 == 0 { "BTC.BTC" } else { "LTC.LTC" };
        assert_eq!(choose(&page, choice).await, if asked < 10 { 303 } else { 429 }, "{asked}");
    }
    let answer = from(&world, "1.1.1.2", Method::PATCH, &path, Some(&session)).await;
    assert_eq!(answer.status, 429, "one limit for both");
    assert_eq!(
        from(&world, "1.1.1.1", Method::GET, &path, Some(&session)).await.status,
        200,
        "it can still look"
    );
    let invented = page.replace(&session, "invented");
    assert_eq!(choose(&invented, "BTC.BTC").await, 303, "counts for the client, and changes nothing");
}
