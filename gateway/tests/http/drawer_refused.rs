//! Requests that the routes of the drawer refuse.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};

use super::World;
use super::drawer::started;

/// Every route, with a body if it accepts one.
const ROUTES: [(Method, &str, Option<&str>); 11] = [
    (Method::GET, "/sandbox", None),
    (Method::GET, "/sandbox/drawer.js", None),
    (Method::GET, "/sandbox/wallet.js", None),
    (Method::GET, "/sandbox/overview", None),
    (Method::GET, "/sandbox/credentials", None),
    (Method::GET, "/sandbox/payments/00000000-0000-0000-0000-000000000000/checkout", None),
    (Method::GET, "/sandbox/payments/00000000-0000-0000-0000-000000000000/wallet", None),
    (Method::POST, "/sandbox/business", Some(r#"{"overpaymentPolicy": "EXCESS_REFUND"}"#)),
    (Method::GET, "/sandbox/inbox", None),
    (Method::POST, "/sandbox/inbox", Some("{}")),
    (Method::POST, "/sandbox/inbox/answers", Some(r#"{"status": 500, "times": 1}"#)),
];

/// Fails when a route is missing from the list.
#[test]
fn every_route_is_listed() {
    let source = include_str!("../../../sandbox/src/http/drawer.rs");
    let added = source.split(".route(\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut added: Vec<String> =
        added.map(|path| path.replace("{id}", "00000000-0000-0000-0000-000000000000")).collect();
    added.push("/sandbox".to_owned());
    let mut listed: Vec<String> = ROUTES.iter().map(|(_, path, _)| (*path).to_owned()).collect();
    for paths in [&mut added, &mut listed] {
        paths.sort();
        paths.dedup();
    }
    assert_eq!(added, listed);
}

#[tokio::test]
async fn wrong_input() {
    let world = started().await;
    let mut watch = world.watch().await;
    let check =
        async |method: Method, path: &str, body: Option<Value>, status: u16, faults: &[(&str, &str)]| {
            let answer = world.call(method, path, None, body.as_ref()).await;
            assert_eq!(answer.status.as_u16(), status, "{path} {body:?}: {}", answer.json);
            let found = answer.errors();
            let found: Vec<_> =
                found.iter().map(|(pointer, code)| (pointer.as_str(), code.as_str())).collect();
            assert_eq!(found, faults, "{path} {body:?}");
        };
    let get = Method::GET;
    for (query, pointer, code) in [
        ("before=x", "/before", "bad_uuid"),
        ("limit=0", "/limit", "out_of_range"),
        ("limit=101", "/limit", "out_of_range"),
        ("limit=x", "/limit", "wrong_type"),
        ("limit=1&limit=2", "/limit", "duplicate_field"),
    ] {
        check(get.clone(), &format!("/sandbox/inbox?{query}"), None, 422, &[(pointer, code)]).await;
    }
    check(get.clone(), "/sandbox/nothing", None, 404, &[]).await;
    let post = Method::POST;
    check(post.clone(), "/sandbox/business", None, 415, &[]).await;
    for (field, value, code) in [
        ("overpaymentPolicy", json!("KEEP"), "unknown_value"),
        ("refundFollowUpDepositsForOneTimePayments", json!("yes"), "wrong_type"),
        ("settlementCryptoCurrency", json!("NOPE"), "unknown_currency"),
        ("settlementCryptoRatio", json!("1.1"), "out_of_range"),
        ("settlementCryptoRatio", json!("-1"), "sign"),
    ] {
        check(
            post.clone(),
            "/sandbox/business",
            Some(json!({field: value})),
            422,
            &[(&format!("/{field}"), code)],
        )
        .await;
    }
    let answers = "/sandbox/inbox/answers";
    check(post.clone(), answers, Some(json!({})), 422, &[("/status", "required"), ("/times", "required")])
        .await;
    for (field, value, code) in [
        ("status", json!(199), "out_of_range"),
        ("status", json!(600), "out_of_range"),
        ("status", json!("500"), "wrong_type"),
        ("times", json!(-1), "out_of_range"),
        ("times", json!(1_001), "out_of_range"),
        ("delaySeconds", json!(26), "out_of_range"),
    ] {
        let mut body = json!({"status": 500, "times": 1});
        body[field] = value;
        check(post.clone(), answers, Some(body), 422, &[(&format!("/{field}"), code)]).await;
    }
    check(Method::DELETE, "/sandbox/inbox", None, 405, &[]).await;
    check(Method::POST, "/sandbox", Some(json!({})), 405, &[]).await;
    let now = watch.now().await;
    watch.assert_same(now, "a refused request");
}

/// Requests by another site's page in the developer's browser, in every way that browsers allow.
#[tokio::test]
async fn other_sites_are_refused_everywhere() {
    let world = started().await;
    let mut watch = world.watch().await;
    let control = ["transfers", "blocks", "reorgs", "drops", "flags", "clock", "rates"]
        .map(|name| (Method::POST, format!("/sandbox/{name}"), Some("{}")));
    let routes = ROUTES.map(|(method, path, body)| (method, path.to_owned(), body));
    for (method, path, body) in routes.into_iter().chain(control) {
        for (headers, code) in [
            (vec![("host", "127.0.0.1:8080"), ("origin", "http://127.0.0.1:8081")], "cross_origin"),
            (vec![("host", "127.0.0.1:8080"), ("origin", "https://evil.example")], "cross_origin"),
            (vec![("host", "127.0.0.1:8080"), ("origin", "null")], "cross_origin"),
            (vec![("host", "127.0.0.1:8080"), ("sec-fetch-site", "cross-site")], "cross_origin"),
            (vec![("host", "127.0.0.1:8080"), ("sec-fetch-site", "same-site")], "cross_origin"),
            (vec![("host", "evil.example:8080")], "unknown_host"),
            (
                vec![
                    ("host", "evil.example:8080"),
                    ("origin", "http://evil.example:8080"),
                    ("sec-fetch-site", "same-origin"),
                ],
                "unknown_host",
            ),
        ] {
            let mut request = Request::builder().method(method.clone()).uri(&path);
            for (name, value) in &headers {
                request = request.header(*name, *value);
            }
            if body.is_some() {
                request = request.header(header::CONTENT_TYPE, "application/json");
            }
            let answer = world.send(request.body(Body::from(body.unwrap_or_default())).unwrap()).await;
            assert_eq!(
                (answer.status, &answer.json["code"]),
                (StatusCode::FORBIDDEN, &json!(code)),
                "{method} {path} {headers:?}"
            );
            assert_eq!(answer.header("access-control-allow-origin"), None);
        }
    }
    let now = watch.now().await;
    watch.assert_same(now, "a request of another site");
    let own = Request::post("/sandbox/clock")
        .header(header::HOST, "127.0.0.1:8080")
        .header(header::ORIGIN, "http://127.0.0.1:8080")
        .header("sec-fetch-site", "same-origin")
        .header(header::CONTENT_TYPE, "application/json");
    let answer = world.send(own.body(Body::from(r#"{"advanceSeconds": 1}"#)).unwrap()).await;
    assert_eq!(answer.status, StatusCode::OK);
}

/// Without the sandbox's business, nothing acts for it.
#[tokio::test]
async fn before_the_first_start() {
    let world = World::new().await;
    assert_eq!(world.act("/sandbox/business", json!({})).await.status, StatusCode::NOT_FOUND);
    let credentials = world.call(Method::GET, "/sandbox/credentials", None, None).await;
    assert_eq!(credentials.status, StatusCode::NOT_FOUND);
    let forged = Request::post("/sandbox/inbox")
        .header("webhook-id", "x")
        .header("webhook-timestamp", "1")
        .header("webhook-signature", "v1,AAAA");
    assert_eq!(world.send(forged.body(Body::from("{}")).unwrap()).await.status, StatusCode::NO_CONTENT);
    assert_eq!(world.look("/sandbox/inbox").await[0]["verdict"], "WRONG");
}

/// Called by the test of the production gateway.
pub(super) async fn is_not_there(live: &World) {
    for (method, path, body) in ROUTES {
        let body: Option<Value> = body.map(|body| serde_json::from_str(body).unwrap());
        let answer = live.call(method.clone(), path, None, body.as_ref()).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{method} {path}");
    }
}
