//! Wrong input at every endpoint: the right status, every error of the body at once, and nothing stored.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use checkout_domain::business::settings::Settings;
use serde_json::{Value, json};

use super::{World, payment_body};
use crate::fixture::Look as _;

pub(super) type Faults = &'static [(&'static str, &'static str)];

pub(super) async fn check_all(
    world: &World,
    method: Method,
    path: &str,
    token: Option<&str>,
    cases: Vec<(Value, Faults)>,
) {
    let mut watch = world.watch().await;
    for (body, expected) in cases {
        let answer = world.call(method.clone(), path, token, Some(&body)).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{body} {}", answer.json);
        assert_eq!(answer.json["code"], "validation_failed");
        let mut expected: Vec<_> = expected.iter().map(|(p, c)| ((*p).to_owned(), (*c).to_owned())).collect();
        expected.sort();
        assert_eq!(answer.errors(), expected, "{body}");
        let now = watch.now().await;
        watch.assert_same(now, &body.to_string());
    }
}

#[tokio::test]
async fn post_payments() {
    let world = World::new().await;
    let p = payment_body;
    let crypto = |fields: Value| {
        let mut body = p(json!({"displayAmount": null, "depositCurrency": "BTC", "depositAmount": "0.001"}));
        for (name, value) in fields.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    };
    let cases: Vec<(Value, Faults)> = vec![
        (
            json!({}),
            &[("/clientPaymentId", "required"), ("/locale", "required"), ("/displayAmount", "required")],
        ),
        (
            json!({
                "clientPaymentId": "", "locale": "xx", "type": "SOMETIMES", "rateType": "LOOSE", "displayCurrency": "XXX",
                "displayAmount": "-1", "depositCurrency": "NOPE", "network": "MAIN", "expirationMinutes": -1,
                "redirectUrl": "javascript:alert(1)", "businessId": "7"
            }),
            &[
                ("/businessId", "bad_uuid"),
                ("/clientPaymentId", "empty"),
                ("/locale", "unknown_locale"),
                ("/type", "unknown_value"),
                ("/rateType", "unknown_value"),
                ("/displayCurrency", "unknown_currency"),
                ("/displayAmount", "sign"),
                ("/depositCurrency", "unknown_currency"),
                ("/network", "unknown_network"),
                ("/expirationMinutes", "out_of_range"),
                ("/redirectUrl", "bad_url"),
            ],
        ),
        (
            json!({
                "clientPaymentId": 7, "locale": [], "type": {}, "rateType": true, "displayCurrency": 1,
                "displayAmount": false, "depositCurrency": 1, "depositAmount": [], "network": 1,
                "expirationMinutes": "30", "redirectUrl": 1, "businessId": 1
            }),
            &[
                ("/businessId", "wrong_type"),
                ("/clientPaymentId", "wrong_type"),
                ("/locale", "wrong_type"),
                ("/type", "wrong_type"),
                ("/rateType", "wrong_type"),
                ("/displayCurrency", "wrong_type"),
                ("/displayAmount", "wrong_type"),
                ("/displayAmount", "conflicting_amounts"),
                ("/depositCurrency", "wrong_type"),
                ("/depositAmount", "wrong_type"),
                ("/depositAmount", "conflicting_amounts"),
                ("/network", "wrong_type"),
                ("/expirationMinutes", "wrong_type"),
                ("/redirectUrl", "wrong_type"),
            ],
        ),
        (p(json!({"displayAmount": "0"})), &[("/displayAmount", "zero")]),
        (p(json!({"displayAmount": 0.00})), &[("/displayAmount", "zero")]),
        (p(json!({"displayAmount": "19.999"})), &[("/displayAmount", "too_many_decimals")]),
        (
            p(json!({"displayCurrency": "JPY", "displayAmount": "1.5"})),
            &[("/displayAmount", "too_many_decimals")],
        ),
        (p(json!({"displayAmount": "1e5"})), &[("/displayAmount", "exponent")]),
        (p(json!({"displayAmount": -5})), &[("/displayAmount", "sign")]),
        (p(json!({"displayAmount": ""})), &[("/displayAmount", "empty")]),
        (p(json!({"displayAmount": " 5"})), &[("/displayAmount", "blank")]),
        (p(json!({"displayAmount": "1,5"})), &[("/displayAmount", "character")]),
        (p(json!({"displayAmount": "9999999999999999999"})), &[("/displayAmount", "too_large")]),
        (p(json!({"displayAmount": "1000000000000.01"})), &[("/displayAmount", "too_large")]),
        (
            p(json!({"depositCurrency": "BTC", "depositAmount": "0.1"})),
            &[("/displayAmount", "conflicting_amounts"), ("/depositAmount", "conflicting_amounts")],
        ),
        (p(json!({"displayAmount": null})), &[("/displayAmount", "required")]),
        (
            json!({"clientPaymentId": "x", "locale": "en-US", "depositAmount": "1"}),
            &[("/displayCurrency", "required"), ("/depositCurrency", "required")],
        ),
        (crypto(json!({"depositAmount": "0.000000001"})), &[("/depositAmount", "too_many_decimals")]),
        (crypto(json!({"depositAmount": "0"})), &[("/depositAmount", "zero")]),
        (crypto(json!({"depositAmount": "-0.1"})), &[("/depositAmount", "sign")]),
        (crypto(json!({"depositAmount": "9999999999999"})), &[("/depositAmount", "too_large")]),
        // USDT has 18 decimals on BSC and 6 elsewhere; without a network, the smallest number applies.
        (
            crypto(json!({"depositCurrency": "USDT", "depositAmount": "0.0000001"})),
            &[("/depositAmount", "too_many_decimals")],
        ),
        (p(json!({"depositCurrency": "BTC", "network": "ETH"})), &[("/network", "unsupported_pair")]),
        (p(json!({"depositCurrency": "LINK", "network": "BSC"})), &[("/network", "unsupported_pair")]),
        (p(json!({"depositCurrency": "USDT", "network": "MAIN"})), &[("/network", "unknown_network")]),
        (p(json!({"depositCurrency": "btc"})), &[("/depositCurrency", "unknown_currency")]),
        (p(json!({"displayCurrency": "BTC"})), &[("/displayCurrency", "unknown_currency")]),
        (p(json!({"clientPaymentId": "x".repeat(256)})), &[("/clientPaymentId", "too_long")]),
        (p(json!({"clientPaymentId": "a\u{0}b"})), &[("/clientPaymentId", "control_character")]),
        (p(json!({"expirationMinutes": 525_601})), &[("/expirationMinutes", "out_of_range")]),
        (p(json!({"expirationMinutes": 1.5})), &[("/expirationMinutes", "wrong_type")]),
        (p(json!({"expirationMinutes": u64::MAX})), &[("/expirationMinutes", "out_of_range")]),
        (p(json!({"redirectUrl": "ftp://shop.example/"})), &[("/redirectUrl", "bad_scheme")]),
        (p(json!({"redirectUrl": "//shop.example/"})), &[("/redirectUrl", "bad_url")]),
        (p(json!({"redirectUrl": "https://a:b@shop.example/"})), &[("/redirectUrl", "credentials_in_url")]),
        (p(json!({"businessId": uuid::Uuid::nil().to_string()})), &[("/businessId", "unknown_business")]),
    ];
    check_all(&world, Method::POST, "/api/v1/payments", Some(&world.token), cases).await;
}

#[tokio::test]
async fn post_payments_with_an_organisation_key_names_a_business() {
    let world = World::new().await;
    let key = world.organisation_key().await;
    let cases: Vec<(Value, Faults)> = vec![
        (payment_body(json!({})), &[("/businessId", "required")]),
        (
            payment_body(json!({"businessId": uuid::Uuid::nil().to_string()})),
            &[("/businessId", "unknown_business")],
        ),
        (
            payment_body(json!({"businessId": "x", "locale": null})),
            &[("/businessId", "bad_uuid"), ("/locale", "required")],
        ),
    ];
    check_all(&world, Method::POST, "/api/v1/payments", Some(&key), cases).await;
}

#[tokio::test]
async fn a_business_takes_what_its_settings_say() {
    let world = World::with(Settings {
        deposit_currencies: Some(vec![checkout_core::Currency::Btc]),
        display_currencies: Some(vec!["EUR".parse().unwrap()]),
        ..Default::default()
    })
    .await;
    let cases: Vec<(Value, Faults)> = vec![(
        payment_body(json!({"displayCurrency": "USD", "depositCurrency": "ETH"})),
        &[("/displayCurrency", "unsupported_currency"), ("/depositCurrency", "unsupported_currency")],
    )];
    check_all(&world, Method::POST, "/api/v1/payments", Some(&world.token), cases).await;
    let created = world.create(json!({})).await;
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let cases: Vec<(Value, Faults)> =
        vec![(json!({"depositCurrency": "ETH"}), &[("/depositCurrency", "unsupported_currency")])];
    check_all(&world, Method::PATCH, &path, Some(&created.session_token()), cases).await;
}

#[tokio::test]
async fn patch_payments() {
    let world = World::new().await;
    let created = world.create(json!({})).await;
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let by_payer: Vec<(Value, Faults)> = vec![
        (json!({}), &[("/depositCurrency", "required")]),
        (json!({"depositCurrency": null}), &[("/depositCurrency", "required")]),
        (
            json!({"depositCurrency": 5, "network": []}),
            &[("/depositCurrency", "wrong_type"), ("/network", "wrong_type")],
        ),
        (json!({"depositCurrency": "NOPE"}), &[("/depositCurrency", "unknown_currency")]),
        (
            json!({"depositCurrency": "NOPE", "network": "MAIN"}),
            &[("/depositCurrency", "unknown_currency"), ("/network", "unknown_network")],
        ),
        (json!({"depositCurrency": "BTC", "network": "ETH"}), &[("/network", "unsupported_pair")]),
        (json!({"depositCurrency": "BTC", "network": "MAIN"}), &[("/network", "unknown_network")]),
        (
            json!({"depositCurrency": "BTC", "displayAmount": 1, "displayCurrency": "EUR"}),
            &[("/displayAmount", "not_allowed"), ("/displayCurrency", "not_allowed")],
        ),
    ];
    check_all(&world, Method::PATCH, &path, Some(&created.session_token()), by_payer).await;
    let by_merchant: Vec<(Value, Faults)> = vec![
        (json!({"depositCurrency": "BTC", "displayAmount": 99.99}), &[("/displayAmount", "already_set")]),
        (json!({"depositCurrency": "BTC", "displayCurrency": "USD"}), &[("/displayCurrency", "already_set")]),
        (
            json!({"depositCurrency": "BTC", "displayAmount": "-1", "displayCurrency": "XXX"}),
            &[("/displayAmount", "sign"), ("/displayCurrency", "unknown_currency")],
        ),
    ];
    check_all(&world, Method::PATCH, &path, Some(&world.token), by_merchant).await;
    let answer = world.get(&path, &world.token).await;
    assert_eq!(answer.json["status"], "NEW");
}

#[tokio::test]
async fn patch_of_a_crypto_price_keeps_its_currency() {
    let world = World::new().await;
    let fields =
        json!({"displayAmount": null, "depositCurrency": "USDT", "depositAmount": "25.5", "network": "TRX"});
    let created = world.create(fields).await;
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let cases: Vec<(Value, Faults)> = vec![
        (json!({"depositCurrency": "BTC"}), &[("/depositCurrency", "fixed_currency")]),
        (json!({"depositCurrency": "USDT", "network": "BSC"}), &[("/network", "fixed_network")]),
    ];
    check_all(&world, Method::PATCH, &path, Some(&created.session_token()), cases).await;
    let cases: Vec<(Value, Faults)> = vec![(
        json!({"depositCurrency": "USDT", "displayAmount": 20}),
        &[("/displayAmount", "conflicting_amounts")],
    )];
    check_all(&world, Method::PATCH, &path, Some(&world.token), cases).await;
}

#[tokio::test]
async fn sandbox_control() {
    let world = World::new().await;
    let btc = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    let xrp = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";
    let cases: Vec<(Value, Faults)> = vec![
        (
            json!({}),
            &[
                ("/network", "required"),
                ("/currency", "required"),
                ("/address", "required"),
                ("/amount", "required"),
            ],
        ),
        (
            json!({"network": "MAIN", "currency": "NOPE", "address": btc, "amount": "1"}),
            &[("/network", "unknown_network"), ("/currency", "unknown_currency")],
        ),
        (
            json!({"network": "ETH", "currency": "BTC", "address": btc, "amount": "1"}),
            &[("/network", "unsupported_pair")],
        ),
        (
            json!({"network": "BTC", "currency": "BTC", "address": "bc1qqq", "amount": "0.000000001"}),
            &[("/address", "bad_address"), ("/amount", "too_many_decimals")],
        ),
        (json!({"network": "BTC", "currency": "BTC", "address": btc, "amount": "0"}), &[("/amount", "zero")]),
        (
            json!({"network": "BTC", "currency": "BTC", "address": btc, "amount": "-1"}),
            &[("/amount", "sign")],
        ),
        (
            json!({"network": "BTC", "currency": "BTC", "address": btc, "amount": []}),
            &[("/amount", "wrong_type")],
        ),
        (
            json!({"network": "BTC", "currency": "BTC", "address": btc, "amount": "1", "fromAddress": "x"}),
            &[("/fromAddress", "bad_address")],
        ),
        (
            json!({"network": "XRP", "currency": "XRP", "address": xrp, "amount": "1", "destinationTag": "-7"}),
            &[("/destinationTag", "bad_tag")],
        ),
    ];
    check_all(&world, Method::POST, "/sandbox/transfers", None, cases).await;
    let cases: Vec<(Value, Faults)> = vec![
        (json!({}), &[("/network", "required"), ("/count", "required")]),
        (
            json!({"network": "MAIN", "count": 0}),
            &[("/network", "unknown_network"), ("/count", "out_of_range")],
        ),
        (json!({"network": "BTC", "count": 1001}), &[("/count", "out_of_range")]),
        (json!({"network": "BTC", "count": "1"}), &[("/count", "wrong_type")]),
    ];
    check_all(&world, Method::POST, "/sandbox/blocks", None, cases).await;
    let cases: Vec<(Value, Faults)> =
        vec![(json!({"network": "BTC", "depth": -1}), &[("/depth", "out_of_range")])];
    check_all(&world, Method::POST, "/sandbox/reorgs", None, cases).await;
    let cases: Vec<(Value, Faults)> = vec![
        (json!({}), &[("/transactionId", "required")]),
        (json!({"transactionId": 5}), &[("/transactionId", "wrong_type")]),
    ];
    check_all(&world, Method::POST, "/sandbox/drops", None, cases).await;
    let cases: Vec<(Value, Faults)> = vec![
        (json!({}), &[("/network", "required"), ("/address", "required")]),
        (json!({"network": "ETH", "address": btc}), &[("/address", "bad_address")]),
        (json!({"network": "BTC", "address": btc, "flagged": "no"}), &[("/flagged", "wrong_type")]),
    ];
    check_all(&world, Method::POST, "/sandbox/flags", None, cases).await;
    let cases: Vec<(Value, Faults)> = vec![
        (json!({}), &[("/advanceSeconds", "required")]),
        (json!({"advanceSeconds": -1}), &[("/advanceSeconds", "out_of_range")]),
        (json!({"advanceSeconds": "60"}), &[("/advanceSeconds", "wrong_type")]),
    ];
    check_all(&world, Method::POST, "/sandbox/clock", None, cases).await;
    let cases: Vec<(Value, Faults)> = vec![
        (json!({}), &[("/from", "required"), ("/to", "required"), ("/rate", "required")]),
        (json!({"from": "EUR", "to": "BTC", "rate": "1"}), &[("/from", "unsupported_pair")]),
        (json!({"from": "BTC", "to": "EUR", "rate": "0"}), &[("/rate", "zero")]),
        (json!({"from": "BTC", "to": "EUR", "rate": "1.123456789"}), &[("/rate", "too_many_decimals")]),
    ];
    check_all(&world, Method::POST, "/sandbox/rates", None, cases).await;
    let answer =
        world.call(Method::POST, "/sandbox/drops", None, Some(&json!({"transactionId": "00"}))).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
}

/// Bodies that are not JSON objects, for every route with a body.
#[tokio::test]
async fn bodies_that_cannot_be_read() {
    let world = World::new().await;
    let created = world.create(json!({})).await;
    let payment = format!("/api/v1/payments/{}", created.payment_id());
    let mut watch = world.watch().await;
    let routes = [
        (Method::POST, "/api/v1/payments"),
        (Method::PATCH, payment.as_str()),
        (Method::POST, "/sandbox/transfers"),
        (Method::POST, "/sandbox/blocks"),
        (Method::POST, "/sandbox/reorgs"),
        (Method::POST, "/sandbox/drops"),
        (Method::POST, "/sandbox/flags"),
        (Method::POST, "/sandbox/clock"),
        (Method::POST, "/sandbox/rates"),
    ];
    let json = Some("application/json");
    let deep = "[".repeat(60_000);
    let huge = format!("{{\"clientPaymentId\": \"{}\"}}", "x".repeat(70_000));
    let cases: [(Option<&str>, &[u8], StatusCode, &str); 15] = [
        (json, b"", StatusCode::BAD_REQUEST, "unreadable_body"),
        (json, b"{", StatusCode::BAD_REQUEST, "unreadable_body"),
        (json, b"nonsense", StatusCode::BAD_REQUEST, "unreadable_body"),
        (json, b"{\"a\": 1,}", StatusCode::BAD_REQUEST, "unreadable_body"),
        (json, b"{\"a\": \"\xff\"}", StatusCode::BAD_REQUEST, "unreadable_body"),
        (json, deep.as_bytes(), StatusCode::BAD_REQUEST, "unreadable_body"),
        (json, b"[]", StatusCode::UNPROCESSABLE_ENTITY, "validation_failed"),
        (json, b"\"text\"", StatusCode::UNPROCESSABLE_ENTITY, "validation_failed"),
        (json, b"null", StatusCode::UNPROCESSABLE_ENTITY, "validation_failed"),
        (json, b"42", StatusCode::UNPROCESSABLE_ENTITY, "validation_failed"),
        (json, huge.as_bytes(), StatusCode::PAYLOAD_TOO_LARGE, "body_too_large"),
        (None, b"{}", StatusCode::UNSUPPORTED_MEDIA_TYPE, "wrong_media_type"),
        (Some("text/plain"), b"{}", StatusCode::UNSUPPORTED_MEDIA_TYPE, "wrong_media_type"),
        (
            Some("application/x-www-form-urlencoded"),
            b"a=1",
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "wrong_media_type",
        ),
        (Some("application/json; charset=utf-8"), b"{", StatusCode::BAD_REQUEST, "unreadable_body"),
    ];
    for (method, path) in &routes {
        for (media_type, body, status, code) in &cases {
            let mut request = Request::builder().method(method.clone()).uri(*path);
            request = request.header(header::AUTHORIZATION, format!("Bearer {}", world.token));
            if let Some(media_type) = media_type {
                request = request.header(header::CONTENT_TYPE, *media_type);
            }
            let answer = world.send(request.body(Body::from(body.to_vec())).unwrap()).await;
            let shown = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
            assert_eq!(
                (answer.status, answer.json["code"].as_str()),
                (*status, Some(*code)),
                "{path} {shown}"
            );
            if *code == "validation_failed" {
                assert_eq!(answer.json["detail"], "The body must be a JSON object.", "{path} {shown}");
            }
        }
    }
    let now = watch.now().await;
    watch.assert_same(now, "unreadable bodies");
}

/// The gateway would read a compressed body as it is, and find no field in it.
#[tokio::test]
async fn a_compressed_body_is_refused_and_the_answer_says_what_is_taken() {
    let world = World::new().await;
    let body =
        r#"{"clientPaymentId": "a", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "1"}"#;
    for (encodings, expected) in [
        (&["gzip"][..], Some("unsupported_encoding")),
        (&["br"], Some("unsupported_encoding")),
        (&["nonsense"], Some("unsupported_encoding")),
        (&["identity", "gzip"], Some("unsupported_encoding")),
        (&["identity, gzip"], Some("unsupported_encoding")),
        (&[""], Some("unsupported_encoding")),
        (&[" Identity "], None),
        (&[], None),
    ] {
        let mut request = Request::post("/api/v1/payments")
            .header(header::AUTHORIZATION, format!("Bearer {}", world.token))
            .header(header::CONTENT_TYPE, "application/json");
        for encoding in encodings {
            request = request.header(header::CONTENT_ENCODING, *encoding);
        }
        let answer = world.send(request.body(Body::from(body)).unwrap()).await;
        assert_eq!(answer.json["code"].as_str(), expected, "{encodings:?}");
        if expected.is_some() {
            assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
            assert_eq!(answer.header("accept-encoding"), Some("identity"));
        }
    }
    assert_eq!(world.database.count("SELECT COUNT(*) FROM payments").await, 1);
}

/// A body without a declared length is cut off, too.
#[tokio::test]
async fn a_huge_body_without_a_length_is_not_read_to_its_end() {
    let world = World::new().await;
    let chunks = std::iter::repeat_with(|| Ok::<_, std::io::Error>(vec![b' '; 8192])).take(100);
    let request = Request::post("/api/v1/payments")
        .header(header::AUTHORIZATION, format!("Bearer {}", world.token))
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from_stream(futures::stream::iter(chunks)))
        .unwrap();
    assert_eq!(world.send(request).await.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn addresses_that_nothing_is_at() {
    let world = World::new().await;
    let token = world.token.clone();
    for path in [
        "/api",
        "/api/v1",
        "/api/v1/payments/",
        "/api/v1/payments/not-a-uuid",
        "/api/v1/payments/00000000-0000-0000-0000-000000000000",
        "/api/v1/payments/%FF",
        "/api/v1/businesses/not-a-uuid",
        "/api/v1/businesses/00000000-0000-0000-0000-000000000000",
        "/api/v1/checkout/00000000-0000-0000-0000-000000000000",
        "/api/v2/payments",
        "/sandbox/unknown",
        "/assets/unknown.js",
    ] {
        let answer = world.get(path, &token).await;
        assert_eq!(
            (answer.status, &answer.json["code"]),
            (StatusCode::NOT_FOUND, &json!("not_found")),
            "{path}"
        );
    }
    let unknown = "/api/v1/payments/00000000-0000-0000-0000-000000000000";
    assert_eq!(world.patch(unknown, &token, &json!({})).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn methods_that_are_not_there() {
    let world = World::new().await;
    let id = world.create(json!({})).await.payment_id();
    for (method, path, allow) in [
        (Method::PUT, "/api/v1/payments".to_owned(), "GET,HEAD,POST"),
        (Method::DELETE, format!("/api/v1/payments/{id}"), "GET,HEAD,PATCH"),
        (Method::POST, format!("/api/v1/businesses/{id}"), "GET,HEAD,PATCH"),
        (Method::PUT, "/api/v1/currencies".to_owned(), "GET,HEAD"),
        (Method::PUT, format!("/checkout/{id}"), "GET,HEAD,POST"),
        (Method::GET, "/sandbox/transfers".to_owned(), "POST"),
    ] {
        let answer = world.call(method.clone(), &path, Some(&world.token), None).await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
        assert_eq!(answer.header("allow"), Some(allow), "{method} {path}");
    }
}

#[tokio::test]
async fn rates_of_unknown_currencies() {
    let world = World::new().await;
    for (query, faults) in [
        ("", vec![("/from", "required"), ("/to", "required")]),
        ("?from=BTC", vec![("/to", "required")]),
        ("?from=BTC,NOPE&to=EUR", vec![("/from", "unknown_currency")]),
        ("?from=,&to=EUR", vec![("/from", "unknown_currency"), ("/from", "unknown_currency")]),
    ] {
        let answer = world.call(Method::GET, &format!("/api/v1/rates{query}"), None, None).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{query}");
        let expected: Vec<_> = faults.iter().map(|(p, c)| ((*p).to_owned(), (*c).to_owned())).collect();
        assert_eq!(answer.errors(), expected, "{query}");
    }
    let many = vec!["BTC"; 33].join(",");
    let answer = world.call(Method::GET, &format!("/api/v1/rates?from={many}&to=EUR"), None, None).await;
    assert_eq!(answer.errors(), [("/from".to_owned(), "too_many".to_owned())]);
}
