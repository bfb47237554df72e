//! Who is answered, and with which rights.

use axum::http::{Method, StatusCode};
use checkout_domain::access::scope::Scope;
use checkout_domain::business::settings::Settings;
use checkout_test_nodes::Inbox;
use serde_json::json;

use super::world;
use crate::World;
use crate::callbacks::deliver;

const PATHS: [&str; 6] = [
    "/api/v1/server/info",
    "/api/v1/api-keys/current",
    "/api/v1/stores",
    "/api/v1/stores/{store}",
    "/api/v1/stores/{store}/invoices",
    "/api/v1/stores/{store}/webhooks",
];

#[tokio::test]
async fn a_business_that_did_not_turn_it_on_has_no_store() {
    let world = World::new().await;
    for path in PATHS {
        let (status, json) = world.plugin(Method::GET, path, None).await;
        assert_eq!((status, &json["code"]), (StatusCode::NOT_FOUND, &json!("not-found")), "{path}: {json}");
    }
}

#[tokio::test]
async fn errors_have_the_form_of_this_api() {
    let world = world().await;
    for path in PATHS {
        let (status, json) = world.plugin_with("biz_unknown", Method::GET, path, None).await;
        assert_eq!((status, &json["code"]), (StatusCode::UNAUTHORIZED, &json!("bad-token")), "{path}");
        assert!(json["message"].is_string());
    }
    let (other, _) = crate::fixture::create_business(&world.app, Settings::default()).await;
    let (status, _) = world.plugin(Method::GET, &format!("/api/v1/stores/{}", other.id), None).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "the store of another business");
    let (status, _) = world.plugin(Method::GET, "/api/v1/stores/%FF", None).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "no text names no store");
    let organisation = world.organisation_key().await;
    let (status, _) = world.plugin_with(&organisation, Method::GET, "/api/v1/stores", None).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "an organisation key is none of a store");
    let (status, json) = world.plugin(Method::DELETE, "/api/v1/stores/{store}/invoices", None).await;
    assert_eq!((status, &json["code"]), (StatusCode::METHOD_NOT_ALLOWED, &json!("method-not-allowed")));
}

/// Plugins compare the permissions with those that they need, and refuse a key with others.
#[tokio::test]
async fn a_key_shows_what_its_scopes_allow() {
    let world = world().await;
    let store = world.business.id;
    for (scopes, expected) in [
        (&[][..], 6),
        (&[Scope::Payments], 5),
        (&[Scope::Read], 2),
        (&[Scope::Payments, Scope::Withdrawals], 6),
    ] {
        let token = world.key(scopes).await;
        let (status, json) = world.plugin_with(&token, Method::GET, "/api/v1/api-keys/current", None).await;
        assert_eq!((status, &json["apiKey"]), (StatusCode::OK, &json!(token)));
        let permissions = json["permissions"].as_array().unwrap();
        assert_eq!(permissions.len(), expected, "{scopes:?}: {json}");
        assert!(permissions.iter().all(|one| one.as_str().unwrap().ends_with(&format!(":{store}"))));
        let body = json!({"amount": "100", "currency": "EUR"});
        let (status, json) =
            world.plugin_with(&token, Method::POST, "/api/v1/stores/{store}/invoices", Some(&body)).await;
        let may = if scopes == [Scope::Read] { StatusCode::FORBIDDEN } else { StatusCode::OK };
        assert_eq!(status, may, "{scopes:?}: {json}");
    }
}

/// Who opens the payer's page can say where a refund goes.
#[tokio::test]
async fn only_a_token_that_makes_payments_opens_the_page_of_a_payer() {
    let (world, inbox) = (world().await, Inbox::open());
    let webhook = world.write("/api/v1/stores/{store}/webhooks", &json!({"url": inbox.url})).await;
    let invoice = world.invoice("1").await;
    let id = invoice["id"].as_str().unwrap();
    let secret = &id[37..];
    world.advance(31 * 60).await;
    deliver(&world).await;
    let deliveries =
        format!("/api/v1/stores/{{store}}/webhooks/{}/deliveries", webhook["id"].as_str().unwrap());
    let listed = world.read(&deliveries).await;
    let [reads, makes] = [world.key(&[Scope::Read]).await, world.key(&[Scope::Payments]).await];
    for (path, has_secret) in [
        ("/api/v1/stores/{store}/invoices".to_owned(), true),
        (format!("/api/v1/stores/{{store}}/invoices/{id}"), true),
        (format!("{deliveries}/{}/request", listed[0]["id"].as_str().unwrap()), true),
        (deliveries, false),
    ] {
        let (status, json) = world.plugin_with(&reads, Method::GET, &path, None).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        let text = json.to_string();
        assert!(!text.contains(secret) && !text.contains("sessionToken"), "{path}: {text}");
        let (_, json) = world.plugin_with(&makes, Method::GET, &path, None).await;
        assert_eq!(json.to_string().contains(secret), has_secret, "{path}: {json}");
    }
    let callbacks = world.get("/api/v1/callbacks", &reads).await;
    let text = callbacks.json.to_string();
    assert!(text.contains(&id[..36]) && !text.contains(secret), "{text}");
    let bare = format!("/api/v1/stores/{{store}}/invoices/{}", &id[..36]);
    let (_, json) = world.plugin_with(&reads, Method::GET, &bare, None).await;
    assert_eq!((&json["id"], &json["checkoutLink"]), (&json!(id[..36]), &json!(null)));
}

#[tokio::test]
async fn a_payment_that_no_shop_asked_for_is_told_to_none() {
    let (world, inbox) = (world().await, Inbox::open());
    world.write("/api/v1/stores/{store}/webhooks", &json!({"url": inbox.url})).await;
    let (payment, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let invoice = world.read_invoice(&payment).await;
    assert_eq!((&invoice["id"], &invoice["checkoutLink"]), (&json!(payment), &json!(null)));
    world.pay(&payment, "0.00166667").await;
    world.mine("BTC").await;
    deliver(&world).await;
    assert!(inbox.received().is_empty());
}

#[tokio::test]
async fn stores_and_the_server() {
    let world = world().await;
    let stores = world.read("/api/v1/stores").await;
    let store = world.read("/api/v1/stores/{store}").await;
    assert_eq!(stores, json!([store]));
    assert_eq!((&store["name"], &store["defaultCurrency"]), (&json!("Kettle & Co"), &json!("EUR")));
    let server = world.read("/api/v1/server/info").await;
    assert_eq!(server["fullySynched"], true);
    let methods = world.read("/api/v1/stores/{store}/payment-methods").await;
    let ids: Vec<_> = methods.as_array().unwrap().iter().map(|one| one["paymentMethodId"].clone()).collect();
    assert_eq!(server["supportedPaymentMethods"], json!(ids));
    assert!(ids.contains(&json!("BTC-CHAIN")) && ids.contains(&json!("USDT-TRX")), "{ids:?}");
}
