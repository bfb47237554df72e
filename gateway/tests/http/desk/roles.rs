//! The rights of each role: the table of the desk, route by route.

use axum::http::{Method, StatusCode};
use checkout_domain::access::operator::Role;
use checkout_domain::business::settings::Settings;
use checkout_gateway::http::desk::table::{TABLE, least_role};
use serde_json::json;

use super::{Desk, PASSWORD, session};
use crate::document;
use crate::fixture::create_business;

const SOMETHING: &str = "00000000-0000-0000-0000-000000000000";

/// Every route of the document, and whether the answer is a refusal of the desk.
#[tokio::test]
async fn each_route_for_each_role() {
    let desk = Desk::new().await;
    let document = document(true);
    let mut seen = Vec::new();
    for role in Role::ALL {
        let session = desk.signed_in(role.as_str(), role).await;
        for (path, item) in document["paths"].as_object().unwrap() {
            for method in item.as_object().unwrap().keys() {
                let method = Method::from_bytes(method.to_ascii_uppercase().as_bytes()).unwrap();
                let least = least_role(&method, path);
                seen.extend(least.map(|_| (method.clone(), path.clone())));
                let url: Vec<&str> = path
                    .split('/')
                    .map(|part| if part.starts_with('{') { SOMETHING } else { part })
                    .collect();
                let body = (!method.is_safe()).then(|| json!({}));
                let url = format!("/desk/gateway{}", url.join("/"));
                let answer = desk.call(Some(&session), method.clone(), &url, body.as_ref()).await;
                let code = answer.json["code"].as_str().unwrap_or_default();
                let case = format!("{} {method} {path}: {} {code}", role.as_str(), answer.status);
                match least {
                    Some(least) if role >= least => {
                        assert!(!matches!(code, "role" | "not_at_the_desk"), "{case}");
                    }
                    Some(_) => assert_eq!((answer.status.as_u16(), code), (403, "role"), "{case}"),
                    // Routes of the sandbox are not even there.
                    None if path.starts_with("/sandbox") || path == "/metrics" => {
                        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{case}");
                    }
                    None => assert_eq!((answer.status.as_u16(), code), (403, "not_at_the_desk"), "{case}"),
                }
            }
        }
    }
    for (method, path, _) in TABLE {
        assert!(seen.contains(&(method.clone(), (*path).to_owned())), "{method} {path} does not exist");
    }
}

/// Routes that read are for everybody, routes that move money for managers.
#[test]
fn the_table() {
    for (method, path, role) in TABLE {
        assert_eq!(method.is_safe(), *role == Role::Viewer, "{method} {path}");
    }
    for path in ["/api/v1/withdrawals", "/whitelist-addresses", "/api/v1/payments"] {
        assert_eq!(least_role(&Method::POST, path), Some(Role::Manager), "{path}");
    }
    assert_eq!(least_role(&Method::HEAD, "/api/v1/payments"), Some(Role::Viewer));
    for (method, path) in [
        (Method::DELETE, "/api/v1/payments"),
        (Method::GET, "/api/v1/payments/"),
        (Method::GET, "/metrics"),
        (Method::POST, "/sandbox/clock"),
        (Method::GET, ""),
    ] {
        assert_eq!(least_role(&method, path), None, "{method} {path}");
    }
}

#[tokio::test]
async fn an_operator_of_one_business_sees_no_other() {
    let desk = Desk::new().await;
    let world = &desk.world;
    let other = Settings { name: Some("Other".to_owned()), ..Settings::default() };
    let (other, _) = create_business(&world.app, other).await;
    let id = world.create(json!({})).await.payment_id();
    let paths = [
        format!("/desk/gateway/api/v1/payments?businessId={}", world.business.id),
        format!("/desk/gateway/api/v1/payments/{id}"),
        format!("/desk/gateway/api/v1/businesses/{}", world.business.id),
        format!("/desk/csv/api/v1/payments?businessId={}", world.business.id),
    ];
    for (name, business, expected) in [
        ("all", None, [200, 200, 200, 200]),
        ("own", Some(world.business.id), [200, 200, 200, 200]),
        ("foreign", Some(other.id), [422, 404, 404, 422]),
    ] {
        let key = desk.add(name, Role::Manager, business).await;
        let answer = desk.sign_in(name, PASSWORD, &desk.code(&key)).await;
        let count = answer.json["operator"]["businesses"].as_array().unwrap().len();
        assert_eq!(count, if business.is_some() { 1 } else { 2 });
        let session = session(&answer);
        for (path, expected) in paths.iter().zip(expected) {
            assert_eq!(desk.get(&session, path).await.status.as_u16(), expected, "{name} {path}");
        }
    }
}

/// A list is saved as a file by a link, and a poll costs as little as with a token.
#[tokio::test]
async fn answers_come_through_as_they_are() {
    let desk = Desk::new().await;
    let id = desk.world.create(json!({})).await.payment_id();
    let session = desk.signed_in("anna", Role::Viewer).await;
    let list = format!("api/v1/payments?businessId={}", desk.world.business.id);
    let csv = desk.get(&session, &format!("/desk/csv/{list}")).await;
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(csv.header("content-disposition"), Some("attachment; filename=\"export.csv\""));
    assert!(String::from_utf8(csv.bytes).unwrap().contains(&id));
    let path = format!("/api/v1/payments/{id}");
    let own = desk.world.get(&path, &desk.world.token).await;
    let passed = desk.get(&session, &format!("/desk/gateway{path}")).await;
    assert_eq!((&passed.json, passed.header("etag")), (&own.json, own.header("etag")));
}

/// A limit on what a stolen session of support can give away: the whole payment counts, so that parts are no way around it.
#[tokio::test]
async fn support_refunds_small_payments_only() {
    let desk = Desk::new().await;
    let support = desk.signed_in("susi", Role::Support).await;
    let manager = desk.signed_in("maria", Role::Manager).await;
    let viewer = desk.signed_in("viktor", Role::Viewer).await;
    for (order, amount, of_support) in [("small", "100.00", None), ("large", "100.01", Some("refund_limit"))]
    {
        let body = json!({"clientPaymentId": order, "displayAmount": amount, "rateType": "FIXED"});
        let (id, _) = desk.world.quoted(body, "LTC", "LTC").await;
        let expected = desk.world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
        desk.world.pay(&id, &expected).await;
        desk.world.mine("LTC").await;
        let path = format!("/desk/gateway/api/v1/payments/{id}/refunds");
        for (session, who, expected) in [
            (&viewer, "viewer", Some("role")),
            (&support, "support", of_support),
            (&manager, "manager", None),
        ] {
            let body = json!({"clientRefundId": format!("{order}-{who}"), "amount": "0.1"});
            let answer = desk.call(Some(session), Method::POST, &path, Some(&body)).await;
            let refused = answer.json["code"].as_str().filter(|_| answer.status == StatusCode::FORBIDDEN);
            assert_eq!(refused, expected, "{order} {who}: {}", answer.json);
            assert!(expected.is_some() || answer.status.is_success(), "{order} {who}: {}", answer.json);
        }
        // The same id in another spelling is no way around the limit.
        let spelled = path.replacen(&id, &format!("%{:02x}{}", id.as_bytes()[0], &id[1..]), 1);
        let body = json!({"clientRefundId": format!("{order}-spelled"), "amount": "0.1"});
        let answer = desk.call(Some(&support), Method::POST, &spelled, Some(&body)).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{order}: {}", answer.json);
    }
}
