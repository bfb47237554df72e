//! Every credential on every route, with own, foreign and unknown ids.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::Request;
use axum::http::{Method, StatusCode, header};
use checkout_domain::access::session::LATE_DAYS;
use checkout_domain::business::settings::Settings;
use serde_json::{Value, json};

use super::contract::operation_id;
use super::{World, over, payment_body};
use crate::document;
use crate::fixture::create_business;

const NOBODY: &str = "00000000-0000-0000-0000-000000000000";

#[tokio::test]
async fn matrix() {
    let world = World::new().await;
    let organisation = world.organisation_key().await;
    let other = Settings { name: Some("Other".to_owned()), ..Settings::default() };
    let (other, foreign) = create_business(&world.app, other).await;
    let created = world.create(json!({})).await;
    let (id, session) = (created.payment_id(), created.session_token());
    let second = world.create(json!({"clientPaymentId": "order-2"})).await;
    let foreign_session = second.session_token();

    let payments = format!("/api/v1/payments?businessId={}", world.business.id);
    let payment = format!("/api/v1/payments/{id}");
    let checkout = format!("/api/v1/checkout/{id}");
    let deposits = format!("{payment}/deposits");
    let business = format!("/api/v1/businesses/{}", world.business.id);
    let other_business = format!("/api/v1/businesses/{}", other.id);
    let unknown = format!("/api/v1/payments/{NOBODY}");
    let create_body =
        payment_body(json!({"clientPaymentId": "order-3", "businessId": world.business.id.to_string()}));
    let choice = json!({"depositCurrency": "BTC"});

    let withdrawal = json!({
        "businessId": world.business.id.to_string(), "clientWithdrawalId": "w-1", "withdrawCurrency": "ETH",
        "recipientAddress": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "displayCurrency": "EUR",
        "targetAmountPolicy": "CRYPTO", "targetAmount": "0.02", "withdrawalAccount": "FIAT"
    });
    world.deposit("rich", "1000.00").await;
    let whitelist = format!("/whitelist-addresses?businessId={}", world.business.id);
    let address = json!({
        "businessId": world.business.id.to_string(), "clientAddressId": "a-1", "currency": "BTC", "network": "BTC",
        "address": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
    });
    let withdrawals = format!("/api/v1/withdrawals?businessId={}", world.business.id);
    let withdrawn = world.withdraw(json!({"clientWithdrawalId": "w-0"})).await.json;
    let withdrawn = format!("/api/v1/withdrawals/{}", withdrawn["withdrawId"].as_str().unwrap());
    let [approvable, rejectable] =
        [world.unapproved_withdrawal("w-2").await, world.unapproved_withdrawal("w-3").await];
    let cancel_withdrawal =
        format!("/api/v1/withdrawals/{}/cancel", world.unapproved_withdrawal("w-4").await);
    let approve = format!("/api/v1/withdrawals/{approvable}/approve");
    let seen = world.seen(&approve).await;
    let reject = format!("/api/v1/withdrawals/{rejectable}/reject");
    let quotes = format!("{payment}/quotes");
    let [releasable, refusable] = [world.held_deposit("held-1").await, world.held_deposit("held-2").await];
    let release = format!("/api/v1/deposits/{releasable}/release");
    let refuse = format!("/api/v1/deposits/{refusable}/refuse");
    let balances = format!("/api/v1/balances?businessId={}", world.business.id);
    let cancelled = world.create(json!({"clientPaymentId": "cancelled"})).await;
    let cancel = format!("/api/v1/payments/{}/cancel", cancelled.payment_id());
    let accept = format!("/api/v1/payments/{}/accept", world.partly_paid("accepted").await);
    let all_deposits = format!("/api/v1/deposits?businessId={}", world.business.id);
    let ledger = format!("/api/v1/ledger?businessId={}", world.business.id);
    let callbacks = format!("/api/v1/callbacks?businessId={}", world.business.id);
    let sale_links = format!("/api/v1/sale-links?businessId={}", world.business.id);
    let new_link = json!({
        "businessId": world.business.id.to_string(), "clientLinkId": "l-1", "title": "Tea", "displayCurrency": "EUR", "displayAmount": "5",
    });
    let sale_link = world.sale_link(json!({"clientLinkId": "l-0"})).await.json;
    let sale_link = format!("/api/v1/sale-links/{}", sale_link["linkId"].as_str().unwrap());
    let withdraw_link = format!("{sale_link}/withdraw");
    let counters = format!("/api/v1/counters?businessId={}", world.business.id);
    let new_counter =
        over(super::counters::body(json!({})), json!({"businessId": world.business.id.to_string()}));
    let (counter, _) = world.counter(json!({})).await;
    let withdraw_counter = format!("/api/v1/counters/{}/withdraw", counter["counterId"].as_str().unwrap());
    let at_counter = format!("/api/v1/counter/sales/{id}");
    let cancel_at_counter = format!("{at_counter}/cancel");
    let counter_sale = json!({"saleNumber": NOBODY, "displayAmount": "5", "locale": "en-US"});
    let resend = format!("/api/v1/callbacks/{NOBODY}/resend");
    let paid = world.deposit("paid", "1000.00").await;
    let refund_path = format!("/api/v1/payments/{paid}/refunds");
    let refund = json!({"clientRefundId": "r-1", "amount": "0.001"});
    let refunds = format!("/api/v1/refunds?businessId={}", world.business.id);
    let mut waiting = Vec::new();
    for client in ["address", "cancel"] {
        let body = json!({"clientRefundId": client, "amount": "0.001"});
        waiting.push(world.refunded(&paid, body).await["refundId"].as_str().unwrap().to_owned());
    }
    let refunded = format!("/api/v1/refunds/{}", waiting[0]);
    let addressed = format!("{refunded}/address");
    let approved = format!("{refunded}/approve");
    let cancelled = format!("/api/v1/refunds/{}/cancel", waiting[1]);
    let refuse_claim = format!("{refunded}/refuse");
    let reason = json!({"reason": "no"});
    let claims = format!("/api/v1/checkout/{paid}/claims");
    let claim = json!({"claimId": waiting[0], "address": "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"});
    let recipient = json!({"address": "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"});
    let (named, overlap, event) =
        (json!({"name": "Third"}), json!({"overlapHours": 24}), json!({"event": "depositReceived"}));
    let rotate_token = format!("{business}/rotate-token");
    let rotate_secret = format!("{business}/rotate-secret");
    let test_callback = format!("{business}/test-callback");
    //                                                    no   bad  org  own  foreign session foreign session
    let rows: [(Method, &str, Option<&Value>, [u16; 7]); 55] = [
        (Method::POST, "/api/v1/payments", Some(&create_body), [401, 401, 201, 200, 422, 404, 404]),
        (Method::GET, &payments, None, [401, 401, 200, 200, 422, 404, 404]),
        (Method::GET, &payment, None, [401, 401, 200, 200, 404, 200, 404]),
        (Method::PATCH, &payment, Some(&choice), [401, 401, 200, 200, 404, 200, 404]),
        (Method::GET, &checkout, None, [401, 401, 200, 200, 404, 200, 404]),
        (Method::GET, &deposits, None, [401, 401, 200, 200, 404, 200, 404]),
        (Method::GET, &business, None, [401, 401, 200, 200, 404, 404, 404]),
        (Method::GET, &other_business, None, [401, 401, 200, 404, 200, 404, 404]),
        (Method::GET, &unknown, None, [401, 401, 404, 404, 404, 404, 404]),
        (Method::PATCH, &unknown, Some(&choice), [401, 401, 404, 404, 404, 404, 404]),
        (Method::GET, &whitelist, None, [401, 401, 200, 200, 422, 404, 404]),
        (Method::POST, "/whitelist-addresses", Some(&address), [401, 401, 201, 200, 422, 404, 404]),
        (Method::POST, "/api/v1/withdrawals", Some(&withdrawal), [401, 401, 201, 200, 422, 404, 404]),
        (Method::GET, &withdrawals, None, [401, 401, 200, 200, 422, 404, 404]),
        (Method::GET, &withdrawn, None, [401, 401, 200, 200, 404, 404, 404]),
        (Method::POST, &approve, Some(&seen), [401, 401, 200, 404, 404, 404, 404]),
        (Method::POST, &reject, None, [401, 401, 200, 404, 404, 404, 404]),
        (Method::POST, &cancel_withdrawal, None, [401, 401, 200, 404, 404, 404, 404]),
        (Method::POST, &release, None, [401, 401, 200, 404, 404, 404, 404]),
        (Method::POST, &refuse, None, [401, 401, 200, 404, 404, 404, 404]),
        (Method::GET, &quotes, None, [401, 401, 200, 200, 404, 404, 404]),
        (Method::GET, &callbacks, None, [401, 401, 200, 200, 422, 404, 404]),
        (Method::POST, "/api/v1/sale-links", Some(&new_link), [401, 401, 201, 200, 422, 404, 404]),
        (Method::GET, &sale_links, None, [401, 401, 200, 200, 422, 404, 404]),
        (Method::GET, &sale_link, None, [401, 401, 200, 200, 404, 404, 404]),
        (Method::POST, &withdraw_link, None, [401, 401, 200, 200, 404, 404, 404]),
        (Method::POST, "/api/v1/counters", Some(&new_counter), [401, 401, 201, 201, 422, 404, 404]),
        (Method::GET, &counters, None, [401, 401, 200, 200, 422, 404, 404]),
        (Method::POST, &withdraw_counter, None, [401, 401, 200, 200, 404, 404, 404]),
        (Method::GET, "/api/v1/counter", None, [401, 401, 404, 404, 404, 404, 404]),
        (Method::POST, "/api/v1/counter/sales", Some(&counter_sale), [401, 401, 404, 404, 404, 404, 404]),
        (Method::GET, &at_counter, None, [401, 401, 404, 404, 404, 404, 404]),
        (Method::POST, &cancel_at_counter, None, [401, 401, 404, 404, 404, 404, 404]),
        (Method::POST, &accept, None, [401, 401, 200, 200, 404, 404, 404]),
        (Method::POST, &refund_path, Some(&refund), [401, 401, 201, 200, 404, 404, 404]),
        (Method::GET, &refunds, None, [401, 401, 200, 200, 422, 404, 404]),
        (Method::GET, &refunded, None, [401, 401, 200, 200, 404, 404, 404]),
        (Method::POST, &claims, Some(&claim), [401, 401, 404, 404, 404, 404, 404]),
        (Method::POST, &refuse_claim, Some(&reason), [401, 401, 409, 409, 404, 404, 404]),
        (Method::POST, &addressed, Some(&recipient), [401, 401, 200, 200, 404, 404, 404]),
        (Method::POST, &approved, Some(&seen), [401, 401, 409, 409, 404, 404, 404]),
        (Method::POST, &cancelled, None, [401, 401, 200, 200, 404, 404, 404]),
        (Method::POST, &resend, None, [401, 401, 404, 404, 404, 404, 404]),
        (Method::GET, &balances, None, [401, 401, 200, 200, 422, 404, 404]),
        (Method::GET, &all_deposits, None, [401, 401, 200, 200, 422, 404, 404]),
        (Method::POST, &cancel, None, [401, 401, 200, 200, 404, 404, 404]),
        (Method::GET, &ledger, None, [401, 401, 200, 200, 422, 404, 404]),
        (Method::GET, "/api/v1/businesses", None, [401, 401, 200, 404, 404, 404, 404]),
        (Method::POST, "/api/v1/businesses", Some(&named), [401, 401, 201, 404, 404, 404, 404]),
        (Method::PATCH, &business, Some(&named), [401, 401, 200, 404, 404, 404, 404]),
        (Method::POST, &rotate_token, Some(&overlap), [401, 401, 200, 404, 404, 404, 404]),
        (Method::POST, &rotate_secret, Some(&overlap), [401, 401, 200, 404, 404, 404, 404]),
        (Method::POST, &test_callback, Some(&event), [401, 401, 422, 404, 404, 404, 404]),
        (Method::GET, "/api/v1/fees/withdraw/BTC", None, [200; 7]),
        (Method::GET, "/api/v1/currencies", None, [200; 7]),
    ];
    let tokens: [Option<&str>; 7] = [
        None,
        Some("biz_wrong"),
        Some(&organisation),
        Some(&world.token),
        Some(&foreign),
        Some(&session),
        Some(&foreign_session),
    ];
    let mut covered = BTreeSet::new();
    for (method, path, body, expected) in rows {
        covered.extend(operation_id(&method, path.split('?').next().unwrap()));
        for (token, status) in tokens.iter().zip(expected) {
            let answer = world.call(method.clone(), path, *token, body).await;
            assert_eq!(answer.status.as_u16(), status, "{method} {path} {token:?}: {}", answer.json);
            if status == 401 {
                assert!(answer.header("www-authenticate").unwrap().starts_with("Bearer"));
            }
        }
    }
    // A new route that needs a token must get a row.
    for (path, item) in document(true)["paths"].as_object().unwrap() {
        for operation in item.as_object().unwrap().values() {
            let id = operation["operationId"].as_str().unwrap();
            let needs_token = operation["security"] != json!([]);
            assert!(!needs_token || covered.contains(id), "{id} ({path}) has no row");
        }
    }
}

#[tokio::test]
async fn a_public_route_ignores_credentials() {
    let world = World::new().await;
    let created = world.create(json!({})).await;
    let tokens = [None, Some("biz_wrong"), Some(world.token.as_str()), Some(&created.session_token())]
        .map(|token| token.map(str::to_owned));
    let document = document(true);
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if operation["security"] != json!([]) {
                continue;
            }
            let method = Method::from_bytes(method.to_ascii_uppercase().as_bytes()).unwrap();
            let body = operation["requestBody"]["content"]["application/json"].get("example");
            let mut statuses = BTreeSet::new();
            for token in &tokens {
                let answer = world.call(method.clone(), path, token.as_deref(), body).await;
                statuses.insert(answer.status.as_u16());
            }
            assert!(statuses.len() == 1 && !statuses.contains(&401), "{method} {path}: {statuses:?}");
        }
    }
}

#[tokio::test]
async fn only_a_bearer_token_counts() {
    let world = World::new().await;
    let path = format!("/api/v1/payments/{}", world.create(json!({})).await.payment_id());
    let token = &world.token;
    for (line, status) in [
        (format!("Bearer {token}"), 200),
        (format!("bearer {token}"), 200),
        (format!("Basic {token}"), 401),
        (token.clone(), 401),
        ("Bearer".to_owned(), 401),
        ("Bearer ".to_owned(), 401),
        (format!("Bearer {token}x"), 401),
        (format!("Bearer {}", "x".repeat(5000)), 401),
    ] {
        let request = Request::get(&path).header(header::AUTHORIZATION, &line).body(Body::empty()).unwrap();
        assert_eq!(world.send(request).await.status.as_u16(), status, "{line}");
    }
    let in_query = format!("{path}?sessionToken={token}");
    assert_eq!(world.call(Method::GET, &in_query, None, None).await.status, StatusCode::UNAUTHORIZED);
}

/// Authorisation is checked before the body is read.
#[tokio::test]
async fn unauthorised_requests_learn_nothing() {
    let world = World::new().await;
    let created = world.create(json!({})).await;
    let path = format!("/api/v1/payments/{}", created.payment_id());
    let other = world.create(json!({"clientPaymentId": "order-2"})).await.session_token();
    assert_eq!(world.patch(&path, &other, &json!({"nonsense": 1})).await.status, StatusCode::NOT_FOUND);
    let answer = world.call(Method::POST, "/api/v1/payments", None, Some(&json!({}))).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_session_expires_after_the_payment() {
    let world = World::new().await;
    let (paid, paid_session) = world.quoted(json!({}), "BTC", "BTC").await;
    let expected = world.payment(&paid).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    world.pay(&paid, &expected).await;
    world.mine("BTC").await;
    let (open, open_session) = world.quoted(json!({"clientPaymentId": "order-2"}), "BTC", "BTC").await;
    let status = async |id: &str, session: &str| {
        world.get(&format!("/api/v1/payments/{id}"), session).await.status.as_u16()
    };
    world.advance(30 * 60 + 86_400 - 1).await;
    assert_eq!((status(&paid, &paid_session).await, status(&open, &open_session).await), (200, 200));
    world.advance(1).await;
    assert_eq!((status(&paid, &paid_session).await, status(&open, &open_session).await), (401, 200));
    world.advance(LATE_DAYS * 86_400).await;
    assert_eq!(status(&open, &open_session).await, 401);
    assert_eq!(status(&open, &world.token).await, 200, "the merchant can still read it");
}

/// The database stores no token in plain text.
#[tokio::test]
async fn tokens_are_stored_as_hashes() {
    let world = World::new().await;
    let key = world.organisation_key().await;
    let session = world.create(json!({})).await.session_token();
    world.database.close().await;
    let bytes = world.place.contents().await;
    for token in [&world.token, &key, &session] {
        let found = bytes.windows(token.len()).any(|window| window == token.as_bytes());
        assert!(!found, "a token is readable in the file");
    }
}
