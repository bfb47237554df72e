//! Who opens a wrong address in a browser reads a page; a program gets a problem.

use axum::body::Body;
use axum::http::{Request, StatusCode};

use super::World;

const TYPED: &[(&str, &str)] = &[("accept", "text/html,application/xhtml+xml,*/*;q=0.8")];
const CLICKED: &[(&str, &str)] = &[("sec-fetch-mode", "navigate")];
const PROGRAM: &[(&str, &str)] = &[("accept", "*/*")];

#[tokio::test]
async fn a_person_reads_a_page() {
    let world = World::new().await;
    for (path, headers, status, is_page) in [
        ("/nothing", TYPED, StatusCode::NOT_FOUND, true),
        ("/nothing/", CLICKED, StatusCode::NOT_FOUND, true),
        ("/docs/nothing", CLICKED, StatusCode::NOT_FOUND, true),
        ("/nothing", PROGRAM, StatusCode::NOT_FOUND, false),
        ("/nothing", &[], StatusCode::NOT_FOUND, false),
        // The API answers everybody in JSON.
        ("/api/v1/nothing", CLICKED, StatusCode::NOT_FOUND, false),
        ("/api/v1/payments", TYPED, StatusCode::UNAUTHORIZED, false),
        ("/whitelist-addresses", CLICKED, StatusCode::UNAUTHORIZED, false),
    ] {
        let request =
            headers.iter().fold(Request::get(path), |request, (name, value)| request.header(*name, *value));
        let answer = world.send(request.body(Body::empty()).unwrap()).await;
        let text = String::from_utf8(answer.bytes.clone()).unwrap();
        assert_eq!(answer.status, status, "{path}");
        let kind = if is_page { "text/html; charset=utf-8" } else { "application/problem+json" };
        assert_eq!(answer.header("content-type"), Some(kind), "{path}: {text}");
        assert_eq!(text.contains("<h1>") && !text.contains("{{"), is_page, "{path}: {text}");
        assert!(answer.header("x-request-id").is_some(), "{path}");
        assert!(answer.header("cache-control").is_some_and(|value| value.contains("no-store")), "{path}");
        if status == StatusCode::UNAUTHORIZED {
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{path}");
        }
    }
}
