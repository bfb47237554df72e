//! The page in a frame of another site: a refused one gets a sentence and a link, and decides nothing.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use checkout_core::Currency;
use checkout_domain::business::settings::Settings;
use serde_json::json;

use super::{Answer, World};

const SHOP: &str = "https://shop.example";

async fn ask(world: &World, path: &str, referrer: &str, site: &str) -> Answer {
    let headers = [
        ("sec-fetch-mode", "navigate"),
        ("sec-fetch-user", "?1"),
        ("sec-fetch-dest", "iframe"),
        ("sec-fetch-site", site),
        ("referer", referrer),
    ];
    let mut request = Request::get(path);
    for (name, value) in headers {
        request = request.header(name, value);
    }
    world.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_framed_refusal_has_nothing_of_the_payment() {
    let world = World::with(Settings {
        name: Some("Kettle & Co".to_owned()),
        allowed_origins: Some(vec![SHOP.to_owned()]),
        deposit_currencies: Some(vec![Currency::Ltc]),
        ..Settings::default()
    })
    .await;
    let created = world.create(json!({})).await;
    let (id, token) = (created.payment_id(), created.session_token());
    let path = format!("/checkout/{id}?sessionToken={token}");

    let refused = ask(&world, &path, "https://other.example/", "cross-site").await;
    assert_eq!(refused.status, StatusCode::OK);
    let text = String::from_utf8(refused.bytes.clone()).unwrap();
    assert!(text.contains("The checkout cannot be shown on this page."), "{text}");
    assert!(text.contains("<a href=\"\" target=\"_top\">"), "{text}");
    for secret in [&*id, &*token, "Kettle", SHOP, "LTC"] {
        assert!(!text.contains(secret), "{secret}");
    }
    let policy = refused.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("frame-ancestors"), "{policy}");
    assert_eq!(refused.header("cache-control"), Some("no-store, no-transform"));
    assert_eq!(world.payment(&id).await["status"], "NEW", "a single offer is not chosen for a refused frame");

    let unknown = "/checkout/0198c5a4-6f0e-7cc1-9c8f-0d4f5a1b2c3d?sessionToken=x";
    let unknown = ask(&world, unknown, "https://other.example/", "cross-site").await;
    assert_eq!(
        (unknown.status, unknown.bytes),
        (refused.status, refused.bytes),
        "an unknown payment is told alike"
    );

    for (referrer, site) in [(SHOP, "cross-site"), ("https://other.example/", "same-origin")] {
        let page = ask(&world, &path, referrer, site).await;
        assert_eq!(page.status, StatusCode::OK, "{referrer} {site}");
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.ends_with(&format!("frame-ancestors 'self' {SHOP}")), "{policy}");
    }
}
