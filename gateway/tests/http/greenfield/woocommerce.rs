//! The requests of the WooCommerce plugin, in its order and with its fields, from the key to the order that is paid: what version
//! 2.8.0 sends by its source.

use axum::http::{Method, StatusCode};
use checkout_test_nodes::Inbox;
use serde_json::json;

use super::world;
use crate::callbacks::deliver;

const REQUIRED: [&str; 4] = [
    "btcpay.store.canviewinvoices",
    "btcpay.store.cancreateinvoice",
    "btcpay.store.canviewstoresettings",
    "btcpay.store.canmodifyinvoices",
];

const OPTIONAL: [&str; 2] =
    ["btcpay.store.cancreatenonapprovedpullpayments", "btcpay.store.webhooks.canmodifywebhooks"];

#[tokio::test]
async fn from_the_key_to_the_paid_order() {
    let (world, inbox) = (world().await, Inbox::open());

    // The settings are saved.
    assert!(!world.read("/api/v1/stores").await.as_array().unwrap().is_empty());
    let key = world.read("/api/v1/api-keys/current").await;
    let permissions: Vec<(&str, &str)> = key["permissions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one.as_str().unwrap().split_once(':').unwrap())
        .collect();
    let store = permissions[0].1;
    assert!(permissions.iter().all(|(_, of)| *of == store), "one store");
    let mut beside = permissions.iter().map(|(name, _)| *name).filter(|name| !OPTIONAL.contains(name));
    assert!(REQUIRED.iter().all(|name| permissions.iter().any(|(held, _)| held == name)));
    assert_eq!(beside.find(|name| !REQUIRED.contains(name)), None, "a key with more is refused");
    let gone = format!("/api/v1/stores/{store}/webhooks/01a3185c-50fa-7000-8000-000000000002");
    assert_eq!(world.plugin(Method::GET, &gone, None).await.0, StatusCode::NOT_FOUND);
    let events = [
        "InvoiceReceivedPayment",
        "InvoicePaymentSettled",
        "InvoiceProcessing",
        "InvoiceExpired",
        "InvoiceSettled",
        "InvoiceInvalid",
    ];
    let body = json!({
        "enabled": true,
        "automaticRedelivery": true,
        "url": inbox.url,
        "authorizedEvents": {"everything": false, "specificEvents": events},
    });
    let webhook = world.write(&format!("/api/v1/stores/{store}/webhooks"), &body).await;
    let kept =
        world.read(&format!("/api/v1/stores/{store}/webhooks/{}", webhook["id"].as_str().unwrap())).await;
    assert_eq!((&kept["id"], &kept["url"]), (&webhook["id"], &webhook["url"]));
    let methods = world.read(&format!("/api/v1/stores/{store}/payment-methods")).await;
    let methods: Vec<String> = methods
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["enabled"] == true)
        .map(|one| one["paymentMethodId"].as_str().unwrap().replace('-', "_"))
        .collect();

    // A customer orders.
    let body = json!({
        "amount": "100.00",
        "currency": "EUR",
        "metadata": {
            "taxIncluded": 15.97,
            "posData": "{\"WooCommerce\":{\"Order ID\":97,\"Order Number\":\"97\",\"Plugin Version\":\"2.7.1\"}}",
            "orderUrl": "https://shop.example/wp-admin/post.php?post=97&action=edit",
            "orderId": "97",
        },
        "checkout": {
            "speedPolicy": "MediumSpeed",
            "paymentMethods": methods,
            "redirectURL": "https://shop.example/checkout/order-received/97/?key=wc_order_x",
        },
    });
    let invoice = world.write(&format!("/api/v1/stores/{store}/invoices"), &body).await;
    assert!(invoice["checkoutLink"].as_str().unwrap().starts_with("http://pay.test/checkout/"));
    // The customer goes back and orders again: the plugin reads the invoice and opens it.
    let id = invoice["id"].as_str().unwrap();
    assert_eq!(world.read_invoice(id).await["status"], "New");

    // The customer pays.
    let payment = world.choose(&invoice).await;
    world.pay(&payment, "0.00166667").await;
    deliver(&world).await;
    world.mine("BTC").await;
    deliver(&world).await;
    let received = inbox.received();
    let mut types: Vec<String> =
        received.iter().map(|one| one.json()["type"].as_str().unwrap().to_owned()).collect();
    assert!(received.iter().all(|one| one.json()["invoiceId"] == id));
    types[..2].sort();
    types[2..].sort();
    assert_eq!(
        types,
        ["InvoiceProcessing", "InvoiceReceivedPayment", "InvoicePaymentSettled", "InvoiceSettled"]
    );
    let paid = world.read(&format!("/api/v1/stores/{store}/invoices/{id}/payment-methods")).await;
    for name in [
        "paymentMethodPaid",
        "totalPaid",
        "amount",
        "due",
        "networkFee",
        "rate",
        "paymentMethod",
        "destination",
    ] {
        assert!(paid[0][name].is_string(), "{name}: {paid}");
    }
    for name in ["id", "value", "fee", "status", "destination"] {
        assert!(paid[0]["payments"][0][name].is_string(), "{name}: {paid}");
    }
}
