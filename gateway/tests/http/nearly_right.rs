//! What libraries and people get wrong around a body that is right: the answer names it.

use axum::body::Body;
use axum::http::{Method, Request, header};
use serde_json::json;

use super::{World, payment_body};

#[tokio::test]
async fn a_request_that_is_nearly_right_is_told_what_is_wrong() {
    let world = World::new().await;
    let token = format!("Bearer {}", world.token);
    let body = payment_body(json!({})).to_string();
    let marked = |mark: &[u8]| [mark, body.as_bytes()].concat();
    let plain = || body.clone().into_bytes();
    let cases = [
        ("/api/v1/payments/", token.as_str(), plain(), 404, "ends with a slash. Ask for /api/v1/payments."),
        ("//api/v1/payments", &token, plain(), 404, "two slashes"),
        ("/api//v1/payments", &token, plain(), 404, "two slashes"),
        ("/api/v1/payment", &token, plain(), 404, "This path does not exist."),
        ("/api/v1/payments", &world.token, plain(), 401, "the word `Bearer`"),
        ("/api/v1/payments", "Basic dTpw", plain(), 401, "the word `Bearer`"),
        ("/api/v1/payments", "Bearer nonsense", plain(), 401, "unknown, revoked or expired"),
        ("/api/v1/payments", &token, marked(&[0xef, 0xbb, 0xbf]), 400, "byte order mark"),
        ("/api/v1/payments", &token, marked(&[0xff, 0xfe]), 400, "UTF-16"),
        ("/api/v1/payments", &token, plain(), 201, ""),
    ];
    for (path, authorization, body, status, part) in cases {
        let request = Request::builder().method(Method::POST).uri(path);
        let request = request.header(header::AUTHORIZATION, authorization);
        let request =
            request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body)).unwrap();
        let answer = world.send(request).await;
        assert_eq!(answer.status.as_u16(), status, "{path} {}", answer.json);
        assert!(answer.json["detail"].as_str().unwrap_or_default().contains(part), "{path} {}", answer.json);
    }
}
