//! The page on which a merchant gives a plugin a key.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use checkout_domain::access::scope::Scope;
use tower::ServiceExt as _;
use url::form_urlencoded::Serializer;

use super::world;
use crate::World;

/// As PrestaShop's plugin asks, which refuses a key with other permissions.
const ASKED: [&str; 6] = [
    "btcpay.store.canmodifystoresettings",
    "btcpay.store.webhooks.canmodifywebhooks",
    "btcpay.store.canviewstoresettings",
    "btcpay.store.cancreateinvoice",
    "btcpay.store.canviewinvoices",
    "btcpay.store.canmodifyinvoices",
];

fn form(permissions: &[&str], redirect: &str, token: Option<&str>) -> String {
    let mut form = Serializer::new(String::new());
    for permission in permissions {
        form.append_pair("permissions", permission);
    }
    form.append_pair("applicationName", "Kettle <shop>").append_pair("strict", "true");
    form.append_pair("selectiveStores", "true").append_pair("redirect", redirect);
    if let Some(token) = token {
        form.append_pair("token", token);
    }
    form.finish()
}

async fn send(world: &World, request: Request<Body>) -> (StatusCode, String, String) {
    let response = world.router.clone().oneshot(request).await.unwrap();
    let policy = response.headers()["content-security-policy"].to_str().unwrap().to_owned();
    let status = response.status();
    let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, policy, String::from_utf8(bytes.to_vec()).unwrap())
}

async fn open(world: &World, form: &str) -> (StatusCode, String, String) {
    let request = Request::get(format!("/api-keys/authorize?{form}")).body(Body::empty()).unwrap();
    send(world, request).await
}

async fn give(world: &World, form: String) -> (StatusCode, String, String) {
    let request = Request::post("/api-keys/authorize")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(form))
        .unwrap();
    send(world, request).await
}

#[tokio::test]
async fn a_merchant_gives_a_plugin_its_key() {
    let world = world().await;
    let back = "https://shop.example/?btcpay-settings-callback";
    let (status, policy, page) = open(&world, &form(&ASKED, back, None)).await;
    assert_eq!(status, StatusCode::OK);
    assert!(policy.contains("form-action 'self'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(page.contains("Kettle &lt;shop&gt; at https://shop.example asks for a key"), "{page}");
    let token = world.key(&[Scope::Payments]).await;
    let current = async || world.plugin_with(&token, Method::GET, "/api/v1/api-keys/current", None).await.1;
    assert_eq!(current().await["permissions"].as_array().unwrap().len(), 5);
    let (status, policy, page) = give(&world, form(&ASKED, back, Some(&token))).await;
    assert_eq!(status, StatusCode::OK, "{page}");
    assert!(policy.contains("form-action https://shop.example;"), "{policy}");
    assert!(page.contains(&format!("<form method=\"post\" action=\"{back}\">")), "{page}");
    assert!(page.contains(&format!("name=\"apiKey\" value=\"{token}\"")));
    let store = world.business.id;
    let mut expected: Vec<String> = ASKED.iter().map(|name| format!("{name}:{store}")).collect();
    assert!(expected.iter().all(|one| page.contains(&format!("name=\"permissions[]\" value=\"{one}\""))));
    let after = current().await;
    let mut shown: Vec<String> = serde_json::from_value(after["permissions"].clone()).unwrap();
    shown.sort();
    expected.sort();
    assert_eq!(shown, expected, "what was asked for, no more");
}

/// The page posts the token itself: what it can do beyond what was asked for, the shop could do.
#[tokio::test]
async fn no_token_is_given_that_can_do_more() {
    let world = world().await;
    let refund = "btcpay.store.cancreatenonapprovedpullpayments";
    let both = [Scope::Payments, Scope::Withdrawals];
    for (scopes, asked, expected) in [
        (&[][..], &ASKED[..], StatusCode::UNPROCESSABLE_ENTITY),
        (&[], &[refund], StatusCode::UNPROCESSABLE_ENTITY),
        (&both, &ASKED, StatusCode::UNPROCESSABLE_ENTITY),
        (&both, &["btcpay.store.canviewinvoices", refund], StatusCode::OK),
        (&[Scope::Payments], &ASKED, StatusCode::OK),
    ] {
        let token = world.key(scopes).await;
        let (status, _, page) = give(&world, form(asked, "https://shop.example/", Some(&token))).await;
        assert_eq!(status, expected, "{scopes:?} {asked:?}: {page}");
        assert_eq!(page.contains(&token), expected == StatusCode::OK, "{page}");
    }
}

#[tokio::test]
async fn a_key_is_given_to_nobody_else() {
    let world = world().await;
    for (redirect, permissions) in [
        ("javascript:alert(1)", &ASKED[..]),
        ("https://user:password@shop.example/", &ASKED),
        ("shop.example", &ASKED),
        ("https://shop.example/", &["unrestricted"]),
        ("https://shop.example/", &["btcpay.server.canmodifyserversettings"]),
    ] {
        let form = form(permissions, redirect, Some(&world.token));
        for (status, _, page) in [open(&world, &form).await, give(&world, form).await] {
            assert_eq!(status, StatusCode::BAD_REQUEST, "{redirect} {permissions:?}");
            assert!(!page.contains(&world.token) && !page.contains("<form"), "{page}");
        }
    }
    let organisation = world.organisation_key().await;
    for token in ["", "biz_unknown", &organisation] {
        let (status, _, page) = give(&world, form(&ASKED, "https://shop.example/", Some(token))).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(page.contains("This is not the token of a business."), "{page}");
    }
    let off = World::new().await;
    let (status, ..) = give(&off, form(&ASKED, "https://shop.example/", Some(&off.token))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "a business that does not answer shops");
    let (_, json) = world.plugin(Method::GET, "/api/v1/api-keys/current", None).await;
    assert_eq!(json["permissions"].as_array().unwrap().len(), 6, "nothing was remembered");
}

/// Plugins load it into the page of the shop.
#[tokio::test]
async fn the_script_of_the_dialog() {
    let world = World::new().await;
    let request = Request::get("/modal/btcpay.js?ver=2.7").body(Body::empty()).unwrap();
    let response = world.router.clone().oneshot(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert!(response.headers()["content-type"].to_str().unwrap().starts_with("text/javascript"));
    assert_eq!(response.headers()["cross-origin-resource-policy"], "cross-origin");
}
