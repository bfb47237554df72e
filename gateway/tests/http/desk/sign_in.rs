//! Nobody gets in without name, password and a fresh code, and a refusal tells nothing.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use checkout_domain::access::operator::Role;
use checkout_gateway::http::desk::table::TABLE;
use checkout_gateway::service::access::operators::{self, Changes};
use serde_json::{Value, json};

use super::{CLIENT, Desk, PASSWORD, name, session};

#[tokio::test]
async fn nothing_is_reachable_without_signing_in() {
    let desk = Desk::new().await;
    desk.add("anna", Role::Manager, None).await;
    let passed = TABLE
        .iter()
        .map(|(method, path, _)| (method.clone(), format!("/desk/gateway{}", path.replace(['{', '}'], ""))));
    let own = [
        (Method::DELETE, "/desk/session"),
        (Method::GET, "/desk/audit"),
        (Method::GET, "/desk/csv/api/v1/payments"),
        (Method::GET, "/desk/gateway/sandbox/overview"),
    ];
    let own = own.into_iter().map(|(method, path)| (method, path.to_owned()));
    for (method, path) in passed.chain(own) {
        let answer = desk.call(None, method.clone(), &path, None).await;
        assert_eq!(
            (answer.status.as_u16(), answer.json["code"].as_str()),
            (401, Some("signed_out")),
            "{path}"
        );
    }
    // The public API is not on this listener, whoever asks.
    let token = format!("Bearer {}", desk.world.token);
    for path in ["/api/v1/currencies", "/api/v1/payments", "/healthz", "/metrics", "/sandbox", "/pay/x"] {
        let request = Request::get(path).header("host", "desk.test").header("authorization", &token);
        let answer = desk.send(request.body(Body::empty()).unwrap(), CLIENT).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
    let answer = desk.call(None, Method::GET, "/desk/session", None).await;
    assert_eq!(
        answer.json,
        json!({"operator": null, "takesPasswords": true, "isNamed": false, "sandbox": false})
    );
}

#[tokio::test]
async fn every_refusal_of_a_sign_in_is_the_same() {
    let desk = Desk::new().await;
    let key = desk.add("anna", Role::Viewer, None).await;
    let gone = desk.add("gone", Role::Viewer, None).await;
    let changes = Changes { is_disabled: Some(true), ..Changes::default() };
    operators::change(&desk.world.database, &name("gone"), changes, 0).await.unwrap();
    let (right, late) = (desk.code(&key), desk.code(&gone));
    let used = desk.sign_in("anna", PASSWORD, &right).await;
    assert_eq!(used.status, StatusCode::OK, "{}", used.json);
    desk.world.advance(30).await;
    let next = desk.code(&key);
    let mut refusals = Vec::new();
    for (name, password, code) in [
        ("nobody", PASSWORD, next.as_str()),
        ("anna", "wrong horse battery", &next),
        ("anna", PASSWORD, "000000"),
        ("anna", PASSWORD, &right),
        ("gone", PASSWORD, &late),
        ("two words", PASSWORD, &next),
    ] {
        let answer = desk.sign_in(name, password, code).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{name} {password} {code}: {}", answer.json);
        assert!(answer.header("set-cookie").is_none());
        let mut json = answer.json.clone();
        json["requestId"] = Value::Null;
        refusals.push(json);
    }
    refusals.dedup();
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    assert_eq!(desk.sign_in("ANNA", PASSWORD, &next).await.status, StatusCode::OK, "the code is still good");
    assert_eq!(desk.sign_in("anna", PASSWORD, &next).await.status, StatusCode::UNAUTHORIZED, "once");
    // People type passwords into the wrong field: what is no operator's name is not kept.
    let noted: Vec<String> = desk.audit().await.into_iter().map(|(operator, ..)| operator).collect();
    assert!(noted.contains(&"unknown".to_owned()) && !noted.contains(&"nobody".to_owned()), "{noted:?}");
}

#[tokio::test]
async fn passwords_and_codes_are_not_guessed() {
    let desk = Desk::new().await;
    let key = desk.add("anna", Role::Viewer, None).await;
    for name in ["anna", "nobody"] {
        let mut statuses = Vec::new();
        for place in 0..11 {
            let client = format!("198.51.100.{place}:1");
            let body = json!({"name": name, "password": PASSWORD, "code": "000000"}).to_string();
            let request = Request::post("/desk/session").header("content-type", "application/json");
            let answer = desk.send(request.body(Body::from(body)).unwrap(), &client).await;
            statuses.push(answer.status.as_u16());
        }
        let expected: Vec<u16> = std::iter::repeat_n(401, 10).chain([429]).collect();
        assert_eq!(statuses, expected, "{name}: from eleven addresses");
    }
    assert_eq!(desk.sign_in("anna", PASSWORD, &desk.code(&key)).await.status, 429);
    let mut last = 0;
    for place in 0..25 {
        last = desk.sign_in(&format!("name-{place}"), PASSWORD, "000000").await.status.as_u16();
    }
    assert_eq!(last, 429, "many names from one address");
}

#[tokio::test]
async fn a_cookie_that_scripts_and_other_sites_do_not_get() {
    let desk = Desk::new().await;
    let key = desk.add("anna", Role::Manager, None).await;
    let answer = desk.sign_in("anna", PASSWORD, &desk.code(&key)).await;
    let cookie = answer.header("set-cookie").unwrap();
    let (value, attributes) = cookie.split_once("; ").unwrap();
    assert!(value.starts_with("__Host-desk=desk_"), "{value}");
    assert_eq!(attributes, "Path=/; Secure; HttpOnly; SameSite=Strict");
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let session = session(&answer);
    let operator = &answer.json["operator"];
    assert_eq!((operator["name"].as_str(), operator["role"].as_str()), (Some("anna"), Some("manager")));
    assert_eq!(operator["businesses"][0]["name"], "Kettle & Co");
    // The browser never gets a token of the API, and the database has neither session nor password.
    let stored = String::from_utf8_lossy(&desk.world.place.contents().await).into_owned();
    let token = session.cookie.strip_prefix("__Host-desk=").unwrap();
    for secret in [token, PASSWORD, &session.csrf_token] {
        assert!(!stored.contains(secret), "{secret}");
    }
    for path in ["/desk/session", "/desk/gateway/api/v1/currencies"] {
        let text = String::from_utf8(desk.get(&session, path).await.bytes).unwrap();
        assert!(!text.contains("biz_") && !text.contains("org_") && !text.contains(token), "{path}");
    }
}
