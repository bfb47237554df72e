//! The contract with browsers: the page, CORS, entity tags, ids and times.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use checkout_gateway::service::App;
use checkout_gateway::service::app::Policy;
use serde_json::json;

use super::faults::wait;
use super::{Answer, START, World};

#[tokio::test]
async fn polling_by_entity_tag() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({}), "BTC", "BTC").await;
    let path = format!("/api/v1/payments/{id}");
    let poll = async |tag: &str| {
        let request = Request::get(&path)
            .header(header::AUTHORIZATION, format!("Bearer {session}"))
            .header(header::IF_NONE_MATCH, tag);
        world.send(request.body(Body::empty()).unwrap()).await
    };
    let first = world.get(&path, &session).await;
    let tag = first.header("etag").unwrap().to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"'), "a strong tag: {tag}");
    for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
        let answer = poll(&known).await;
        assert_eq!(answer.status, StatusCode::NOT_MODIFIED, "{known}");
        assert!(answer.bytes.is_empty());
        assert_eq!(answer.header("etag"), Some(tag.as_str()));
        assert_eq!(answer.header("x-server-time"), Some(format!("{START}250").as_str()));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
    assert_eq!(poll("\"other\"").await.status, StatusCode::OK);
    world.pay(&id, "0.001").await;
    let changed = poll(&tag).await;
    assert_eq!(changed.status, StatusCode::OK);
    assert_ne!(changed.header("etag"), Some(tag.as_str()));
}

#[tokio::test]
async fn request_ids() {
    let world = World::new().await;
    let long = "x".repeat(65);
    for (given, kept) in
        [("abc-1._Z", true), ("", false), ("a b", false), ("a\"b", false), (long.as_str(), false)]
    {
        let request = Request::get("/healthz").header("x-request-id", given).body(Body::empty()).unwrap();
        let answer = world.send(request).await;
        assert_eq!(answer.header("x-request-id") == Some(given), kept, "{given:?}");
    }
}

#[tokio::test]
async fn health() {
    let world = World::new().await;
    for path in ["/healthz", "/readyz"] {
        assert_eq!(world.call(Method::GET, path, None, None).await.status, StatusCode::OK, "{path}");
    }
    world.database.close().await;
    assert_eq!(world.call(Method::GET, "/healthz", None, None).await.status, StatusCode::OK);
    // The result of the last check is cached for a second.
    wait("the news", async || {
        let answer = world.call(Method::GET, "/readyz", None, None).await;
        answer.status == StatusCode::SERVICE_UNAVAILABLE && answer.json["code"] == "store_unavailable"
    })
    .await;
    let answer = world.create(json!({})).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "no partial answer");
}

async fn from_origin(world: &World, method: Method, path: &str, origin: &str, token: Option<&str>) -> Answer {
    let mut request = Request::builder().method(method).uri(path).header(header::ORIGIN, origin);
    if let Some(token) = token {
        request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    } else {
        request = request.header(header::ACCESS_CONTROL_REQUEST_METHOD, "PATCH");
    }
    world.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn cors_allows_the_merchants_origins_on_session_routes() {
    let world = World::new().await;
    let created = world.create(json!({})).await;
    let (id, session) = (created.payment_id(), created.session_token());
    let (shop, other) = ("https://shop.example", "https://evil.example");
    for path in [format!("/api/v1/payments/{id}"), format!("/api/v1/checkout/{id}")] {
        let preflight = from_origin(&world, Method::OPTIONS, &path, shop, None).await;
        assert_eq!(preflight.status, StatusCode::NO_CONTENT, "{path}");
        assert_eq!(preflight.header("access-control-allow-origin"), Some(shop));
        assert_eq!(preflight.header("access-control-allow-methods"), Some("GET, PATCH"));
        assert!(preflight.header("access-control-allow-headers").unwrap().contains("authorization"));
        assert_eq!(preflight.header("access-control-allow-credentials"), None);
        let preflight = from_origin(&world, Method::OPTIONS, &path, other, None).await;
        assert_eq!(preflight.status, StatusCode::NO_CONTENT, "a preflight does not use the store: {path}");

        let read = from_origin(&world, Method::GET, &path, shop, Some(&session)).await;
        assert_eq!(read.status, StatusCode::OK);
        assert_eq!(read.header("access-control-allow-origin"), Some(shop));
        assert!(read.header("access-control-expose-headers").unwrap().contains("x-server-time"));
        assert_eq!(read.header("vary"), Some("origin"));
        let read = from_origin(&world, Method::GET, &path, other, Some(&session)).await;
        assert_eq!(read.header("access-control-allow-origin"), None);
        let refused = from_origin(&world, Method::GET, &path, shop, Some("wrong")).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
        assert_eq!(
            refused.header("access-control-allow-origin"),
            Some(shop),
            "the page can read the problem"
        );
    }
    let business = format!("/api/v1/businesses/{}", world.business.id);
    for path in ["/api/v1/payments", business.as_str(), "/sandbox/transfers"] {
        let preflight = from_origin(&world, Method::OPTIONS, path, shop, None).await;
        assert_eq!(preflight.header("access-control-allow-origin"), None, "{path}");
    }
}

/// The page is served for every id, and only the merchant's origins may frame it. Without a renderer it is the same for
/// every payment.
#[tokio::test]
async fn the_hosted_page() {
    let world = World::new().await;
    let created = world.create(json!({})).await;
    let url =
        created.json["paymentUrl"].as_str().unwrap().strip_prefix("http://pay.test").unwrap().to_owned();
    let page = world.call(Method::GET, &url, None, None).await;
    let unknown = "/checkout/00000000-0000-0000-0000-000000000000?sessionToken=x".to_owned();
    for path in [&url, &unknown, &"/checkout/nonsense".to_owned()] {
        let answer = world.call(Method::GET, path, None, None).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert!(answer.header("content-type").unwrap().starts_with("text/html"));
        let policy = answer.header("content-security-policy").unwrap();
        assert_eq!(policy.contains("https://shop.example"), *path == url, "{path}: {policy}");
        assert_eq!(answer.bytes, page.bytes);
    }
}

#[tokio::test]
async fn a_gateway_behind_https_sends_strict_transport_security() {
    let mut world = World::new().await;
    let header = async |world: &World| {
        let answer = world.call(Method::GET, "/healthz", None, None).await;
        answer.header("strict-transport-security").map(str::to_owned)
    };
    assert_eq!(header(&world).await, None);
    let app = App { public_url: "https://pay.example".to_owned(), ..App::clone(&world.app) };
    world.router = super::router(&Arc::new(app), &world.simulated);
    assert_eq!(header(&world).await.as_deref(), Some("max-age=31536000"));
}

#[tokio::test]
async fn the_root_page_describes_the_gateway() {
    let mut world = World::new().await;
    for sandbox in [true, false] {
        let policy = Policy { sandbox, ..world.app.policy.clone() };
        let app = App { policy, ..App::clone(&world.app) };
        world.router = super::router(&Arc::new(app), &world.simulated);
        let answer = world.call(Method::GET, "/", None, None).await;
        let page = String::from_utf8(answer.bytes).unwrap();
        assert_eq!(answer.status, StatusCode::OK);
        assert!(page.contains("href=\"/docs/reference\""), "{page}");
        assert_eq!(page.contains("href=\"/desk\""), sandbox, "{page}");
    }
}
