//! Counters in the API: fields, wrong input, whose they are, a secret that is shown once, and the page.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use checkout_domain::business::settings::Settings;
use serde_json::{Value, json};

use super::golden::check_fields;
use super::wrong_input::{Faults, check_all};
use super::{Answer, START, World, over};
use crate::fixture::{Look as _, create_business};

pub(super) const PATH: &str = "/api/v1/counters";

pub(super) fn body(fields: Value) -> Value {
    over(json!({"title": "Market stall", "displayCurrency": "EUR", "maxAmount": "500"}), fields)
}

impl World {
    /// A counter, and the secret in its link.
    pub(super) async fn counter(&self, fields: Value) -> (Value, String) {
        let made = self.post(PATH, &self.token, &body(fields)).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
        let url = made.json["url"].as_str().unwrap();
        let secret = url.strip_prefix("http://pay.test/counter#").unwrap().to_owned();
        (made.json, secret)
    }

    pub(super) async fn withdraw_counter(&self, counter: &Value, token: &str) -> Answer {
        let path = format!("{PATH}/{}/withdraw", counter["counterId"].as_str().unwrap());
        self.call(Method::POST, &path, Some(token), None).await
    }
}

#[tokio::test]
async fn fields() {
    let world = World::new().await;
    let (made, secret) = world.counter(json!({})).await;
    check_fields(&made, "CreatedCounter", &[]);
    let expected = json!({
        "counterId": made["counterId"], "title": "Market stall", "displayCurrency": "EUR", "maxAmount": "500.00",
        "createdAt": START, "url": format!("http://pay.test/counter#{secret}"),
    });
    assert_eq!(made, expected);
    assert!(secret.starts_with("ctr_") && secret.len() == 47, "nobody guesses {secret}");
    let (second, other) = world.counter(json!({"displayCurrency": "JPY", "maxAmount": 50000})).await;
    assert_ne!(secret, other);
    let listed = world.get(PATH, &world.token).await;
    check_fields(&listed.json[0], "Counter", &[]);
    let ids = json!([listed.json[0]["counterId"], listed.json[1]["counterId"]]);
    assert_eq!(ids, json!([second["counterId"], made["counterId"]]));
    // It is not shown again, and not stored.
    assert!(!listed.json.to_string().contains("ctr_"), "{}", listed.json);
    let stored = format!("SELECT COUNT(*) FROM counters WHERE secret_hash LIKE '%{}%'", &secret[4..]);
    assert_eq!(world.database.count(stored).await, 0);
}

#[tokio::test]
async fn wrong_input() {
    let world = World::new().await;
    let b = body;
    let cases: Vec<(Value, Faults)> = vec![
        (json!({}), &[("/title", "required"), ("/displayCurrency", "required"), ("/maxAmount", "required")]),
        (
            json!({"title": 1, "displayCurrency": 1, "maxAmount": []}),
            &[("/title", "wrong_type"), ("/displayCurrency", "wrong_type"), ("/maxAmount", "wrong_type")],
        ),
        (b(json!({"title": "\u{200b}"})), &[("/title", "empty")]),
        (b(json!({"title": "x".repeat(121)})), &[("/title", "too_long")]),
        (b(json!({"displayCurrency": "BTC"})), &[("/displayCurrency", "unknown_currency")]),
        (b(json!({"maxAmount": "0"})), &[("/maxAmount", "zero")]),
        (b(json!({"maxAmount": "-1"})), &[("/maxAmount", "sign")]),
        (b(json!({"maxAmount": "1.001"})), &[("/maxAmount", "too_many_decimals")]),
        (b(json!({"maxAmount": "1000000000001"})), &[("/maxAmount", "too_large")]),
    ];
    check_all(&world, Method::POST, PATH, Some(&world.token), cases).await;
}

#[tokio::test]
async fn another_business_has_no_access() {
    let world = World::new().await;
    let (counter, _) = world.counter(json!({})).await;
    let other = Settings { name: Some("Other".to_owned()), ..Settings::default() };
    let (_, foreign) = create_business(&world.app, other).await;
    let mut watch = world.watch().await;
    assert_eq!(world.withdraw_counter(&counter, &foreign).await.status, StatusCode::NOT_FOUND);
    assert_eq!(world.get(PATH, &foreign).await.json, json!([]));
    let cursor = format!("{PATH}?after={}", counter["counterId"].as_str().unwrap());
    let errors = world.get(&cursor, &foreign).await.errors();
    assert_eq!(errors, [("/after".to_owned(), "unknown_cursor".to_owned())]);
    for path in ["1/withdraw", "00000000-0000-0000-0000-000000000000/withdraw"] {
        let answer = world.call(Method::POST, &format!("{PATH}/{path}"), Some(&world.token), None).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
    let now = watch.now().await;
    watch.assert_same(now, "requests of another business");
}

#[tokio::test]
async fn a_withdrawn_counter_stays_withdrawn() {
    let world = World::new().await;
    let (made, secret) = world.counter(json!({})).await;
    let (_, other) = world.counter(json!({})).await;
    assert_eq!(world.get("/api/v1/counter", &secret).await.status, StatusCode::OK);
    world.advance(5).await;
    let withdrawn = world.withdraw_counter(&made, &world.token).await;
    assert_eq!(withdrawn.status, StatusCode::OK);
    let mut expected = over(made.clone(), json!({"withdrawnAt": START + 5}));
    expected.as_object_mut().unwrap().remove("url");
    assert_eq!(withdrawn.json, expected);
    world.advance(5).await;
    assert_eq!(world.withdraw_counter(&made, &world.token).await.json, expected);
    assert_eq!(world.get("/api/v1/counter", &secret).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(world.get("/api/v1/counter", &other).await.status, StatusCode::OK);
}

/// The secret is in no path, so that it is in no log of a gateway or proxy, and the page sends no `Referer`.
#[tokio::test]
async fn one_page_for_all_in_the_language_of_the_browser() {
    let world = World::new().await;
    for (accepted, expected) in [("de-AT,de;q=0.9", "lang=\"de-DE\""), ("nl", "lang=\"en-US\"")] {
        let request = Request::get("/counter").header("accept-language", accepted);
        let page = world.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(page.status, StatusCode::OK);
        assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
        let policy = page.header("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'none'") && policy.ends_with("frame-ancestors 'none'"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe"), "{policy}");
        let page = String::from_utf8(page.bytes.clone()).unwrap();
        assert!(page.contains(expected), "{page}");
    }
    assert_eq!(world.get("/counter/ctr_x", &world.token).await.status, StatusCode::NOT_FOUND);
}
